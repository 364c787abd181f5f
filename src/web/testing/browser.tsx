// A browser that shows the real app: its cookies and its storage live as long as a test, its page until it is reloaded.
import { PointerEventsCheckLevel, type UserEvent, userEvent } from '@testing-library/user-event';
import { createRoot } from 'react-dom/client';
import { renderToStaticMarkup } from 'react-dom/server';
import { isSharePath } from '../../shared/screens.ts';
import { createServices } from '../api/services.tsx';
import { App } from '../app.tsx';
import { ShareDocument } from '../chambers/share/document.tsx';
import { openSharePage } from '../chambers/share/screen.ts';
import { preloadScreen } from '../screen.tsx';
import { forgetEntriesOf } from '../vault/device/forgetting.ts';
import { keepPaymentReturn } from '../vault/plan/payment-return.ts';
import { createNetwork, type Network } from './network.ts';
import { ORIGIN } from './origin.ts';

export interface Browser {
  network: Network;
  /** The hands of whoever sits before it. */
  user: UserEvent;
  /** Shows the app at a path or an address. What was shown before is gone, as after a navigation. */
  open(path: string, state?: unknown): Promise<void>;
  /** Shows the same address once more, from nothing but cookies, storage and the history's state. */
  reload(): Promise<void>;
  /** Empties what this browser keeps of the account that is signed in; its session stays. */
  forgetStorage(): void;
  /** How often the page wanted to begin anew, because another account had taken over. */
  reloads: number;
}

const opened = new Set<Browser>();
/** Takes away what the screen shows: one page, as in a browser's window. */
let closePage: (() => void) | null = null;

function clearScreen(): void {
  closePage?.();
  closePage = null;
  document.body.replaceChildren();
}

/** The app, at the address that stands in the bar. */
async function showApp(browser: Browser): Promise<() => void> {
  // What main.tsx does first.
  keepPaymentReturn();
  const services = createServices({
    fetch: browser.network.fetch,
    reload: () => {
      browser.reloads += 1;
    },
  });
  await preloadScreen(window.location.pathname);
  const root = createRoot(document.body.appendChild(document.createElement('div')));
  root.render(<App services={services} />);
  return () => {
    root.unmount();
    // Its answers would stay for minutes, for a page that may be shown again.
    services.queryClient.clear();
  };
}

/** A one-time link's document, as the build renders it, and its script. */
function showShare({ network }: Browser): () => void {
  document.body.innerHTML = renderToStaticMarkup(<ShareDocument />);
  return openSharePage({
    fetch: network.fetch,
    loadPart: () => import('../chambers/share/later.ts'),
    loadStyles: async () => {},
  });
}

/** Both storages as they stand. Returns what puts them back. */
function storageAsItIs(): () => void {
  const stores = [window.localStorage, window.sessionStorage].map((store) => [store, { ...store }] as const);
  return () => {
    for (const [store, kept] of stores) {
      store.clear();
      for (const [name, text] of Object.entries(kept)) store.setItem(name, text);
    }
  };
}

function forgetAccounts(): void {
  for (const slot of Object.keys({ ...window.localStorage })) {
    const uid = slot.split(':')[1];
    if (uid) forgetEntriesOf(uid);
  }
}

/** What the page kept in memory alone is gone with it; what it stored stays. */
function forgetMemory(): void {
  const restore = storageAsItIs();
  forgetAccounts();
  restore();
}

/**
 * Does something in a browser of its own, with empty storage and no session. The page that was shown is gone afterwards;
 * what its browser keeps is there again.
 */
export async function inAnotherBrowser<T>(
  server: Parameters<typeof openBrowser>[0],
  work: (other: Browser) => Promise<T>,
): Promise<T> {
  clearScreen();
  const restore = storageAsItIs();
  forgetAccounts();
  window.localStorage.clear();
  window.sessionStorage.clear();
  try {
    return await work(openBrowser(server));
  } finally {
    clearScreen();
    forgetAccounts();
    restore();
  }
}

/** A browser before a server of this process, with empty storage but what the file's other tests left. */
export function openBrowser(server: {
  app: { request: (request: Request) => Response | Promise<Response> };
}) {
  const network = createNetwork(server.app);
  const browser: Browser = {
    network,
    // Without style sheets nothing is known of what lies on top. What a dialog covers is hidden from roles all the same.
    user: userEvent.setup({ delay: null, pointerEventsCheck: PointerEventsCheckLevel.Never }),
    forgetStorage: forgetAccounts,
    reloads: 0,
    async open(path, state = null) {
      clearScreen();
      forgetMemory();
      window.history.replaceState(state, '', new URL(path, ORIGIN));
      closePage = isSharePath(window.location.pathname) ? showShare(browser) : await showApp(browser);
    },
    reload: () => browser.open(window.location.href, window.history.state),
  };
  opened.add(browser);
  return browser;
}

/** Closes every page, waits for what was on its way, and empties what browsers keep. */
export async function closeBrowsers(): Promise<void> {
  clearScreen();
  for (const { network } of opened) await network.idle();
  opened.clear();
  window.localStorage.clear();
  window.sessionStorage.clear();
  // What a dialog that went with its page had forbidden outside of it.
  document.body.removeAttribute('style');
}
