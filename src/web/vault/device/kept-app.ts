// The app itself, as a device of one owner keeps it for a start without a network: the service worker does it
// (public/service-worker.js). What is kept where is told in docs/offline.md.
import { SERVICE_WORKER_PATH } from '../../../shared/addresses.ts';
import { trusted } from '../../workers.ts';

/** Registers the worker, whether it is to keep the app or only to serve players. @throws where the browser refuses */
export const registerServiceWorker = (workers: ServiceWorkerContainer): Promise<ServiceWorkerRegistration> =>
  // Asked for anew each time: no cache of the browser may keep an old one.
  workers.register(trusted(SERVICE_WORKER_PATH), { updateViaCache: 'none' });

/**
 * Has the worker keep the app, and look for a newer one. What fails is tried at the next visit.
 * @param onUpdate called once a newer app is kept and waits, also where it has waited before
 * @returns whether the app is kept; false also where this browser cannot
 */
export async function keepApp(onUpdate: () => void): Promise<boolean> {
  // Private windows of some browsers have no workers, and neither has a page without https.
  const { serviceWorker: workers } = navigator;
  if (!workers) return false;
  const registration = await registerServiceWorker(workers);
  if (!registration) return false;
  const look = () => registration.waiting && registration.active && onUpdate();
  look();
  registration.addEventListener('updatefound', () =>
    registration.installing?.addEventListener('statechange', look),
  );
  const { active } = await workers.ready;
  const { port1, port2 } = new MessageChannel();
  const answered = new Promise<boolean>((resolve) => {
    port1.onmessage = ({ data }) => resolve(data === true);
  });
  active?.postMessage('keep', [port2]);
  const isKept = await answered;
  port1.close();
  await registration.update();
  return isKept;
}

/** Takes the newer app that waits: the page is loaded anew. Drafts are kept, sealed. */
export async function takeUpdate(): Promise<void> {
  const { serviceWorker: workers } = navigator;
  const waiting = (await workers?.getRegistration())?.waiting;
  if (!waiting) return window.location.reload();
  workers.addEventListener('controllerchange', () => window.location.reload(), { once: true });
  waiting.postMessage('take');
}
