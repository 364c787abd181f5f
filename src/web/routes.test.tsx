// Who finds which screen within the app, and what stands there meanwhile. Statuses are told in
// server/features/documents/documents.test.ts.
import { screen, waitFor } from '@testing-library/dom';
import { expect, test } from 'vitest';
import { screens } from '../shared/screens.ts';
import { openBrowser } from './testing/browser.tsx';
import { beginByPassphrase } from './testing/gate-steps.ts';
import { anInstance } from './testing/instance.ts';
import { enterAsMember } from './testing/member.ts';
import { unreachable } from './testing/network.ts';
import { press } from './testing/steps.ts';
import { stretchLightly } from './testing/workers.ts';

stretchLightly();
const instance = anInstance();

const pathOf = ({ url }: Request) => new URL(url).pathname;
const noSuchChamber = () => screen.findByRole('heading', { name: /^404/ });

test('an initiate finds the questions at the root and nothing else', async () => {
  const browser = openBrowser(instance());
  await beginByPassphrase(browser, 'agnes', 'plum cake on a stone wall');
  await screen.findByLabelText('What are you hiding?');
  await browser.open('/memory-vault');
  await noSuchChamber();
  await browser.open('/');
  await screen.findByLabelText('What are you hiding?');
});

test('a resident finds every chamber but the administrator’s, and elsewhere a wall with the way back', async () => {
  const { browser } = await enterAsMember(instance());
  const chambers = Object.entries(screens).filter(([, standings]) => standings.length === 1);
  const paths = chambers.map(([path]) => path).filter((path) => path !== '/outbox' && !path.includes('{'));
  expect(paths).toContain('/memory-vault');
  for (const path of paths) {
    await browser.open(path);
    // A form may stand over it.
    const heading = await screen.findByRole('heading', { level: 1, hidden: true });
    expect(heading.textContent, path).not.toContain('404');
  }
  for (const path of ['/no-such-chamber', '/outbox']) {
    await browser.open(path);
    await noSuchChamber();
  }
  await browser.user.click(screen.getByRole('link', { name: 'Back to the chambers' }));
  await screen.findByRole('heading', { name: 'The chambers' });
});

test('a spinner stands before the chambers until it is known who is there', async () => {
  const { browser } = await enterAsMember(instance());
  let letThrough = () => {};
  const held = new Promise<void>((resolve) => {
    letThrough = resolve;
  });
  browser.network.intercept(async (request, forward) => {
    if (pathOf(request) === '/api/auth/user') await held;
    return forward();
  });
  await browser.open('/');
  await screen.findAllByRole('status');
  expect(screen.queryByRole('heading', { name: 'The chambers' })).toBeNull();
  letThrough();
  await screen.findByRole('heading', { name: 'The chambers' });
});

test('a server that does not answer says so, and tries again when asked', async () => {
  const { browser } = await enterAsMember(instance());
  const mend = browser.network.intercept(async (request, forward) => {
    if (pathOf(request) === '/api/memory-entries') throw unreachable();
    return forward();
  });
  await browser.open('/memory-vault');
  await waitFor(() =>
    expect(screen.getByRole('alert').textContent).toContain('The server could not be reached.'),
  );
  mend();
  await press(browser, 'Try again');
  await screen.findByText('Nothing is kept here yet');
});
