// The gathering below the browser: its four displays, its asking again, and what members see more than visitors. What the
// server would answer is answered by the test.
import { screen, waitFor, within } from '@testing-library/dom';
import { expect, test } from 'vitest';
import type { Gathering, LinkedWallet } from '../../../shared/nouns/holders.ts';
import { type Browser, openBrowser } from '../../testing/browser.tsx';
import { beginByPassphrase } from '../../testing/gate-steps.ts';
import { refusal } from '../../testing/holders.ts';
import { anInstance } from '../../testing/instance.ts';
import { enterAsMember } from '../../testing/member.ts';
import { unreachable } from '../../testing/network.ts';
import { press } from '../../testing/steps.ts';
import { whileTimeStands } from '../../testing/ticking.ts';
import { stretchLightly } from '../../testing/workers.ts';
import { newsOf } from './use-gathering.ts';

stretchLightly();
const instance = anInstance();

const addressOf = (i: number) => `${i}`.padEnd(44, 'abcdefgh').replaceAll('0', 'z');

function gatheringOf(count: number, changes: Partial<Gathering> = {}): Gathering {
  return {
    unlocked: count >= 13,
    count,
    threshold: 13,
    mint: 'So11111111111111111111111111111111111111112',
    holders: Array.from({ length: Math.min(count, 100) }, (_, i) => ({
      address: addressOf(i + 1),
      amount: 5000 - i,
      rank: i + 1,
    })),
    readAt: new Date(Date.now() - 20_000).toISOString(),
    isStale: false,
    ...changes,
  };
}

interface Answers {
  gathering: Gathering | null;
  /** In place of any gathering. */
  instead: (() => Response) | null;
  nexus: () => Response;
  /** Whether the wallet of the account has enough for the rituals; null where none is linked. */
  hasRituals: boolean | null;
  /** How often the gathering was asked for. */
  checks: number;
}

function walletWith(hasRituals: boolean | null): LinkedWallet | null {
  if (hasRituals === null) return null;
  const readAt = '2026-05-01T12:00:00.000Z';
  return {
    address: '11111111111111111111111111111112',
    linkedAt: readAt,
    isCurrent: true,
    holding: { isHolder: true, amount: hasRituals ? 100 : 99, rank: 5, hasRituals, readAt, isStale: false },
  };
}

/** Answers the calls of this page in place of the server. */
function answer({ network }: Browser, gathering: Gathering | null): Answers {
  const answers: Answers = {
    gathering,
    instead: null,
    nexus: () => refusal('not-signed-in'),
    hasRituals: null,
    checks: 0,
  };
  network.intercept(async (request, forward) => {
    const { pathname } = new URL(request.url);
    if (pathname === '/api/holders/nexus') return answers.nexus();
    if (pathname === '/api/linked-wallet') return Response.json(walletWith(answers.hasRituals));
    if (pathname !== '/api/holders/check') return forward();
    answers.checks += 1;
    return answers.instead?.() ?? Response.json(answers.gathering);
  });
  return answers;
}

async function openAsVisitor(gathering: Gathering | null) {
  const browser = openBrowser(instance());
  const answers = answer(browser, gathering);
  await browser.open('/thirteen-holders');
  return { browser, answers };
}

const rows = () => within(screen.getByRole('main')).getAllByRole('listitem');

test('a spinner stands there until the first answer', async () => {
  const browser = openBrowser(instance());
  let letThrough = () => {};
  const held = new Promise<void>((resolve) => {
    letThrough = resolve;
  });
  browser.network.intercept(async (request, forward) => {
    if (!request.url.endsWith('/api/holders/check')) return forward();
    await held;
    return Response.json(null);
  });
  await browser.open('/thirteen-holders');
  await screen.findByText('Counting the holders');
  letThrough();
  await screen.findByRole('heading', { name: 'The Threshold Awaits' });
});

test('without any data the threshold awaits, also where the server answers 401 or not at all', async () => {
  const { browser, answers } = await openAsVisitor(null);
  await screen.findByRole('heading', { name: 'The Threshold Awaits' });
  answers.instead = () => refusal('not-signed-in');
  await browser.reload();
  await screen.findByRole('heading', { name: 'The Threshold Awaits' });
  await screen.findByText('This server watches no token, so nobody gathers here.');
  answers.instead = () => {
    throw unreachable();
  };
  await browser.reload();
  await screen.findByRole('heading', { name: 'The Threshold Awaits' });
  await screen.findByText('The server could not be reached. Check your connection and try again.');
});

test('a token whose holders were never read is not called none', async () => {
  const { answers, browser } = await openAsVisitor(null);
  answers.instead = () => refusal('no-holders');
  await browser.reload();
  await screen.findByText('What has gathered cannot be seen just now. This page goes on asking.');
  await screen.findByText(/^The list of holders has not been read from the chain yet/);
});

test('below the threshold it shows the count, a bar, and every holder with rank and title', async () => {
  await openAsVisitor(gatheringOf(4));
  await screen.findByRole('heading', { name: 'The thirteen are gathering' });
  const bar = screen.getByRole('progressbar', { name: 'Holders' });
  expect([bar.ariaValueNow ?? bar.getAttribute('aria-valuenow'), bar.getAttribute('aria-valuetext')]).toEqual(
    ['4', '4 of 13'],
  );
  screen.getByRole('img', { name: '4 of 13 places are filled' });
  expect(rows().map((row) => /The (Curve|Architect)|Sacred Holder #\d/.exec(row.textContent)?.[0])).toEqual([
    'The Curve',
    'The Architect',
    'Sacred Holder #3',
    'Sacred Holder #4',
  ]);
  expect(rows()[0]?.textContent).toContain('5,000 LAT');
  screen.getByText('As of 1 June 2030, 13:59.');
  expect(screen.queryByText('Portal status')).toBeNull();
  screen.getByRole('link', { name: 'Enter' });
});

test('an address is shown by its ends, and copied whole', async () => {
  const { browser } = await openAsVisitor(gatheringOf(1));
  const address = addressOf(1);
  await screen.findByText(`${address.slice(0, 4)}…${address.slice(-4)}`);
  expect(screen.getByTitle(address)).toBeTruthy();
  await press(browser, 'Copy the address of rank 1');
  expect(await navigator.clipboard.readText()).toBe(address);
});

test('it says in words how many places are claimed, and which token that is', async () => {
  const gathering = gatheringOf(1);
  await openAsVisitor(gathering);
  await screen.findByText('One holds and twelve are unclaimed.');
  screen.getByText(gathering.mint);
});

test('a list of more than a hundred says of how many it is the beginning', async () => {
  await openAsVisitor(gatheringOf(1234));
  await screen.findByText('The first 100 are listed, of 1,234.');
  expect(screen.getByRole('progressbar', { name: 'Holders' }).getAttribute('aria-valuetext')).toBe(
    '1,234 holders',
  );
  expect(rows()).toHaveLength(100);
  expect(rows().at(-1)?.textContent).toContain('Witness #100');
});

test('unlocked, it shows the Nexus, and tells a visitor for whom its text is', async () => {
  const { answers } = await openAsVisitor(gatheringOf(13));
  answers.nexus = () => {
    throw new Error('a visitor must not ask');
  };
  await screen.findByRole('heading', { name: 'The Thirteen Have Gathered' });
  screen.getByText('Initializing');
  screen.getByText(/^The text in full is for those who hold 100 LAT or more/);
});

test('a member with the rituals reads the Nexus in full, and any other is told what is needed', async () => {
  const { browser } = await enterAsMember(instance());
  const answers = answer(browser, gatheringOf(13));
  answers.nexus = () => {
    throw new Error('it is not asked for where it would be refused');
  };
  await browser.open('/thirteen-holders');
  await screen.findByRole('link', { name: 'Link a wallet in Settings' });
  answers.hasRituals = false;
  await browser.reload();
  await screen.findByText(/linked\. It holds too few: 99 LAT\.$/);
  expect(screen.queryByRole('link', { name: 'Link a wallet in Settings' })).toBeNull();
  // It has sold meanwhile.
  answers.hasRituals = true;
  answers.nexus = () => refusal('rituals-needed');
  await browser.reload();
  await screen.findByText(/linked\. It holds too few\.$/);
  screen.getByRole('navigation', { name: 'Chambers' });
  answers.nexus = () => refusal('internal');
  await browser.reload();
  await screen.findByRole('alert');
  answers.nexus = () => Response.json({ text: 'What nobody keeps, everybody carries.' });
  await press(browser, 'Try again');
  await screen.findByText('What nobody keeps, everybody carries.');
});

test('it asks every thirty seconds, and says when a holder has come or gone', async () => {
  await whileTimeStands(async (pass) => {
    const { answers } = await openAsVisitor(gatheringOf(12));
    await screen.findByRole('heading', { name: 'The thirteen are gathering' });
    expect(answers.checks).toBe(1);
    pass(10_000);
    pass(10_000);
    pass(9_000);
    expect(answers.checks).toBe(1);
    answers.gathering = gatheringOf(13);
    pass(1_000);
    await screen.findByRole('heading', { name: 'The Thirteen Have Gathered' });
    expect(answers.checks).toBe(2);
    await waitFor(() =>
      expect(screen.getAllByRole('status').map(({ textContent }) => textContent)).toContain(
        'A holder has come: 13 of 13 now.',
      ),
    );
    answers.gathering = gatheringOf(12);
    for (let i = 0; i < 3; i++) pass(10_000);
    await screen.findByText('A holder has gone: 12 of 13 now.');
    await screen.findByRole('heading', { name: 'The thirteen are gathering' });
  });
});

test('a list that could not be fetched anew stays, and says so until it could', async () => {
  await whileTimeStands(async (pass) => {
    const { answers } = await openAsVisitor(gatheringOf(3));
    await screen.findByRole('heading', { name: 'The thirteen are gathering' });
    answers.instead = () => refusal('internal');
    for (let i = 0; i < 3; i++) pass(10_000);
    await screen.findByText(/^It could not be fetched again/);
    expect(rows()).toHaveLength(3);
    answers.instead = null;
    for (let i = 0; i < 3; i++) pass(10_000);
    await waitFor(() => expect(screen.queryByText(/^It could not be fetched again/)).toBeNull());
  });
});

test('a list that the server could not read again says how old it is', async () => {
  const readAt = new Date(Date.now() - 3 * 60 * 60 * 1000).toISOString();
  await openAsVisitor(gatheringOf(3, { readAt, isStale: true }));
  await screen.findByText('This list is 3 hours old: the server could not read the chain since.');
});

/** Hides the tab from everybody, or shows it again. */
function show(isShown: boolean): void {
  Object.defineProperty(document, 'visibilityState', {
    configurable: true,
    get: () => (isShown ? 'visible' : 'hidden'),
  });
  window.dispatchEvent(new Event('visibilitychange'));
}

test('a tab that nobody sees asks nothing, and asks at once when it is shown again', async () => {
  await whileTimeStands(async (pass) => {
    const { answers } = await openAsVisitor(gatheringOf(3));
    await screen.findByRole('heading', { name: 'The thirteen are gathering' });
    try {
      show(false);
      for (let i = 0; i < 30; i++) pass(10_000);
      expect(answers.checks).toBe(1);
      answers.gathering = gatheringOf(4);
      show(true);
      await screen.findByText('Sacred Holder #4');
      expect(answers.checks).toBe(2);
    } finally {
      show(true);
    }
  });
});

test('the terminal opens over it, and gives the focus back', async () => {
  const { browser } = await openAsVisitor(gatheringOf(3));
  await press(browser, 'thirteen.sh');
  await screen.findByText('WHISPER CHAIN v1.3');
  await browser.user.type(await screen.findByLabelText('Command'), 'exit{Enter}');
  await waitFor(() => expect(screen.queryByText('WHISPER CHAIN v1.3')).toBeNull());
  await waitFor(() => expect(document.activeElement?.textContent).toBe('thirteen.sh'));
});

test('whoever has not answered the questions yet finds no gathering', async () => {
  const browser = openBrowser(instance());
  await beginByPassphrase(browser, 'ambrose', 'plum cake on a stone wall');
  await screen.findByLabelText('What are you hiding?');
  await browser.open('/thirteen-holders');
  await screen.findByRole('heading', { name: /^404/ });
});

test.each([
  [1, 9, 'A holder has come: 9 of 13 now.'],
  [3, 9, '3 holders have come: 9 of 13 now.'],
  [-1, 0, 'A holder has gone: 0 of 13 now.'],
  [1, 13, 'A holder has come: 13 of 13 now.'],
  [1, 14, 'A holder has come: 14 holders now.'],
])('a change by %d to %d is told as: %s', (by, count, words) => {
  expect(newsOf(by, { count, threshold: 13 })).toBe(words);
});
