// Where the app begins in the browser.
import './styles/app.css';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { createServices } from './api/services.tsx';
import { App } from './app.tsx';
import { prefetchUser } from './hooks/use-user.ts';
import { preloadPath } from './routes.tsx';
import { keepPaymentReturn } from './vault/plan/payment-return.ts';
import { watchLeaving } from './vault/session/leaving.ts';

// Before anything can send or keep the address.
keepPaymentReturn();
watchLeaving();
const services = createServices();
// What the first view needs is on its way before anything is drawn; the server has told the browser of it as well
// (server/features/documents).
void preloadPath(window.location.pathname);
prefetchUser(services, window.location.pathname);

const root = document.getElementById('root');
if (!root) throw new Error('the document has no root');
createRoot(root).render(
  <StrictMode>
    <App services={services} />
  </StrictMode>,
);
