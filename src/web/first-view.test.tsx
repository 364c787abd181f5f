// What is got ready before the first view is drawn, and what is not.
import { screen } from '@testing-library/dom';
import { flushSync } from 'react-dom';
import { createRoot } from 'react-dom/client';
import { expect, onTestFinished, test } from 'vitest';
import { currentUser } from '../vault/api/first-calls.ts';
import { createServices, type Services } from './api/services.tsx';
import { App } from './app.tsx';
import { prepareFirstView } from './first-view.ts';
import { type Browser, openBrowser } from './testing/browser.tsx';
import { anInstance } from './testing/instance.ts';
import { enterAsMember } from './testing/member.ts';
import { unreachable } from './testing/network.ts';
import { RecoveryWanted } from './vault/key/recovery/recovery-wanted-part.tsx';

const instance = anInstance();

/** The paths of all that is asked for from now on. */
function asked({ network }: Browser): string[] {
  const paths: string[] = [];
  network.intercept(async (request, forward) => {
    paths.push(`${request.method} ${new URL(request.url).pathname}`);
    return forward();
  });
  return paths;
}

/** Draws the app at once, as main.tsx does. Returns what takes it away again. */
function draw(services: Services, path: string): () => void {
  window.history.replaceState(null, '', path);
  const root = createRoot(document.body.appendChild(document.createElement('div')));
  flushSync(() => root.render(<App services={services} />));
  return () => root.unmount();
}

const vaults = ({ queryClient }: Services) => queryClient.getQueryCache().findAll({ queryKey: ['vault'] });

test('the first view of a member is the chambers, and the vault is held no longer than it is shown', async () => {
  const { browser } = await enterAsMember(instance());
  const services = createServices({ fetch: browser.network.fetch });
  const drawn = await prepareFirstView(services, '/');
  const remove = draw(services, '/');
  drawn();
  expect(screen.queryByRole('heading', { name: 'The chambers' })).not.toBeNull();
  expect(vaults(services)).toHaveLength(1);
  await screen.findAllByText('0 entries');
  remove();
  await expect.poll(() => vaults(services)).toEqual([]);
});

test('a visitor’s page asks for nobody, and opens nothing', async () => {
  const browser = openBrowser(instance());
  const services = createServices({ fetch: browser.network.fetch });
  const paths = asked(browser);
  const drawn = await prepareFirstView(services, '/enter');
  drawn();
  expect(paths).toEqual([]);
  expect(vaults(services)).toEqual([]);
});

test('a visitor whose document says so is not asked for where members come too', async () => {
  const browser = openBrowser(instance());
  const paths = asked(browser);
  document.documentElement.dataset.visitor = '';
  const services = createServices({ fetch: browser.network.fetch });
  (await prepareFirstView(services, '/thirteen-holders'))();
  const remove = draw(services, '/thirteen-holders');
  delete document.documentElement.dataset.visitor;
  await screen.findByRole('heading', { level: 1 });
  expect(paths.filter((path) => path.includes('/api/auth'))).toEqual([]);
  remove();
});

test('no key is made before a screen begins it', async () => {
  const { browser } = await enterAsMember(instance());
  browser.network.intercept(async (request, forward) => {
    const answer = await forward();
    if (new URL(request.url).pathname !== '/api/auth/user') return answer;
    return Response.json({ ...(await answer.json()), keyFingerprint: null });
  });
  const services = createServices({ fetch: browser.network.fetch });
  const paths = asked(browser);
  (await prepareFirstView(services, '/'))();
  expect(paths).toEqual(['GET /api/auth/user']);
  expect(vaults(services)).toEqual([]);
});

test('a vault stays closed where there is no screen', async () => {
  const { browser } = await enterAsMember(instance());
  const services = createServices({ fetch: browser.network.fetch });
  (await prepareFirstView(services, '/no-such-chamber'))();
  expect(vaults(services)).toEqual([]);
});

test('a server that does not answer is asked again by the first view, which says so', async () => {
  const { browser } = await enterAsMember(instance());
  browser.network.intercept(async () => {
    throw unreachable();
  });
  const services = createServices({ fetch: browser.network.fetch });
  (await prepareFirstView(services, '/'))();
  const remove = draw(services, '/');
  await screen.findByText('The server does not answer');
  remove();
});

test('what asks for the first recovery method is waited for, and what asks for a second one is not', async () => {
  const { browser } = await enterAsMember(instance());
  const { preload } = RecoveryWanted;
  let waits = 0;
  RecoveryWanted.preload = async () => {
    waits += 1;
    await preload();
  };
  onTestFinished(() => {
    RecoveryWanted.preload = preload;
  });
  for (const [recoveryPasskeys, waited] of [
    [1, 0],
    [0, 1],
  ]) {
    const stop = browser.network.intercept(async (request, forward) => {
      const answer = await forward();
      if (new URL(request.url).pathname !== currentUser.path) return answer;
      const none = { wordsKeptAt: null, recoveryPassphrase: false };
      return Response.json({ ...(await answer.json()), ...none, recoveryPasskeys }, answer);
    });
    const drawn = await prepareFirstView(createServices({ fetch: browser.network.fetch }), '/');
    drawn();
    stop();
    expect(waits).toBe(waited);
  }
});
