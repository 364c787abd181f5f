// Parts that are fetched when they are wanted: what stands in their place, and what happens when they cannot be had.
import { screen, waitFor } from '@testing-library/dom';
import { type ComponentType, StrictMode } from 'react';
import { createRoot, type Root } from 'react-dom/client';
import { afterEach, expect, test, vi } from 'vitest';
import { later } from './later.tsx';

let root: Root | null = null;
afterEach(() => {
  root?.unmount();
  document.body.replaceChildren();
});

function show(Part: ComponentType<{ name: string }>): void {
  root = createRoot(document.body.appendChild(document.createElement('div')));
  root.render(
    <StrictMode>
      <Part name="Agnes" />
    </StrictMode>,
  );
}

const Greeting = ({ name }: { name: string }) => <p>Welcome, {name}</p>;

/** A module that comes when it is let, or fails so many times before. */
function aModule(failures = 0) {
  let fetched = 0;
  let arrive = () => {};
  const held = new Promise<void>((resolve) => {
    arrive = resolve;
  });
  return {
    fetched: () => fetched,
    arrive: () => arrive(),
    load: async () => {
      fetched += 1;
      if (fetched <= failures) throw new TypeError('Failed to fetch dynamically imported module');
      await held;
      return { default: Greeting };
    },
  };
}

test('something waits in its place until it is here; it is fetched once', async () => {
  const module = aModule();
  show(later(module.load, <p role="status">One moment</p>));
  await screen.findByText('One moment');
  module.arrive();
  await screen.findByText('Welcome, Agnes');
  expect(screen.queryByText('One moment')).toBeNull();
  expect(module.fetched()).toBe(1);
});

test('one that was preloaded is there with the first drawing', async () => {
  const module = aModule();
  module.arrive();
  const Part = later(module.load, <p role="status">One moment</p>);
  await Part.preload();
  const seen: string[] = [];
  const watcher = new MutationObserver(() => seen.push(document.body.textContent ?? ''));
  watcher.observe(document.body, { childList: true, subtree: true });
  show(Part);
  await screen.findByText('Welcome, Agnes');
  watcher.disconnect();
  expect(seen.join()).not.toContain('One moment');
  expect(module.fetched()).toBe(1);
});

test.each([
  ['a screen', <p key="waiting">One moment</p>],
  ['a dialog', null],
])('%s that cannot be fetched says so, and is fetched again when asked', async (_, waiting) => {
  const module = aModule(2);
  module.arrive();
  const Part = later(module.load, waiting);
  // What failed unseen is tried again.
  await expect(Part.preload()).rejects.toThrow(TypeError);
  show(Part);
  const alert = await screen.findByRole('alert');
  expect(alert.textContent).toContain('could not be fetched');
  screen.getByRole('button', { name: 'Reload the page' });
  screen.getByRole('button', { name: 'Try again' }).click();
  await screen.findByText('Welcome, Agnes');
  await waitFor(() => expect(screen.queryByRole('alert')).toBeNull());
});

test('offline, a screen offers no reload, which would lose the page, and is fetched once the connection is back', async () => {
  const module = aModule(1);
  module.arrive();
  const connected = vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(false);
  show(later(module.load, <p>One moment</p>));
  await screen.findByRole('heading', { name: 'This page could not be loaded', level: 1 });
  expect(screen.getByRole('alert').textContent).toContain('this browser is offline');
  expect(screen.queryByRole('button', { name: 'Reload the page' })).toBeNull();
  connected.mockReturnValue(true);
  await waitFor(() => {
    window.dispatchEvent(new Event('online'));
    screen.getByText('Welcome, Agnes');
  });
  connected.mockRestore();
});
