// Where the app begins in the browser.
import './styles/app.css';
import { StrictMode } from 'react';
import { flushSync } from 'react-dom';
import { createRoot } from 'react-dom/client';
import { createServices } from './api/services.tsx';
import { App } from './app.tsx';
import { isDeskShown, keepEarlyWords } from './early-words.ts';
import { prepareFirstView } from './first-view.ts';
import { knownUser } from './hooks/use-user.ts';
import { fetchPartsAfter } from './ui/later.tsx';
import { loadLook, showLook } from './ui/look.ts';
import { keepPaymentReturn } from './vault/plan/payment-return.ts';
import { watchLeaving } from './vault/session/leaving.ts';

// The document's own, as long as no screen has put one beside it.
const title = document.querySelector('title');
// Nothing waits for it; where it cannot be fetched, a page has two titles, of which browsers show the first.
import('./ui/one-title.ts').then(({ keepOneTitle }) => title && keepOneTitle(title)).catch(() => {});
// Before anything can send or keep the address.
keepPaymentReturn();
// A development server has no script in the head of its document.
if (import.meta.env.DEV) showLook(loadLook());
const services = createServices();
watchLeaving(() => knownUser(services)?.id);
// The server has told the browser of what this fetches (server/features/documents).
const prepared = prepareFirstView(services, window.location.pathname);

const root = document.getElementById('root');
if (!root) throw new Error('the document has no root');
const view = createRoot(root);
// A paint whose elements are replaced before the browser has told of it is counted nowhere: that takes some 12 ms (docs/performance.md).
const shown = isDeskShown() ? firstPaint() : undefined;
void Promise.all([prepared, shown]).then(([release]) => {
  fetchPartsAfter(nextPaint());
  keepEarlyWords();
  // At once, and not in slices between which others may have their turn: there is nothing else to do yet.
  flushSync(() =>
    view.render(
      <StrictMode>
        <App services={services} />
      </StrictMode>,
    ),
  );
  release();
});

/** Resolves when what the document shows has been painted. */
function firstPaint(): Promise<unknown> {
  return new Promise((resolve) => {
    new PerformanceObserver(resolve).observe({ type: 'paint', buffered: true });
    setTimeout(resolve, 200);
  });
}

/** Resolves when what is drawn now has been painted; a page that nobody sees paints nothing, and is not waited for. */
function nextPaint(): Promise<unknown> {
  return new Promise((resolve) => {
    requestAnimationFrame(() => setTimeout(resolve));
    setTimeout(resolve, 200);
  });
}
