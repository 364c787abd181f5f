// Where the app begins in the browser.
import './styles/app.css';
import { QueryClientProvider } from '@tanstack/react-query';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { queryClient } from './api/query-client.ts';
import { Routes } from './routes.tsx';
import { Toaster } from './ui/toaster.tsx';
import { watchLeaving } from './vault/leaving.ts';

watchLeaving();

const root = document.getElementById('root');
if (!root) throw new Error('the document has no root');
createRoot(root).render(
  <StrictMode>
    <QueryClientProvider client={queryClient}>
      <Routes />
      <Toaster />
    </QueryClientProvider>
  </StrictMode>,
);
