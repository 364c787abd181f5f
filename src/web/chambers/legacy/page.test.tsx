// A legacy scroll below the browser, as whoever holds a card or knows a passphrase meets it.
import { screen, waitFor } from '@testing-library/dom';
import { expect, test } from 'vitest';
import { MINUTE } from '../../../shared/time.ts';
import { openBrowser } from '../../testing/browser.tsx';
import { anInstance } from '../../testing/instance.ts';
import { enterAsMember } from '../../testing/member.ts';
import { interceptOnce } from '../../testing/network.ts';
import { LETTER, leaveScroll, sealScroll } from '../../testing/scrolls.ts';
import { fill, press } from '../../testing/steps.ts';
import { stretchLightly } from '../../testing/workers.ts';

stretchLightly();
const instance = anInstance();
const PASSPHRASE = 'plum cake on the stone wall';

const heading = (name: string | RegExp) => screen.findByRole('heading', { name, level: 1 });

/** A scroll that somebody left, and a browser of somebody who has never been here. */
async function leaveForStranger(options: { passphrase?: string } = {}) {
  const owner = await enterAsMember(instance());
  const scroll = await leaveScroll(owner.call, await sealScroll(options));
  return { owner, scroll, card: `${scroll.path}#${scroll.secret}`, reader: openBrowser(instance()) };
}

/** What the server says of a scroll, changed by a test. */
const stateOf = (publicId: string) => new RegExp(`^GET /api/legacy/${publicId}$`);

async function expectFocus(element: () => HTMLElement): Promise<void> {
  await waitFor(() => expect(document.activeElement).toBe(element()));
}
const firstHeading = () => screen.getByRole('heading', { level: 1 });

test('a card opens nothing before the release, and the letter after it as often as it is shown', async () => {
  const { owner, scroll, card, reader } = await leaveForStranger();
  const sent: string[] = [];
  reader.network.intercept(async (request, forward) => {
    sent.push(`${request.method} ${request.url} ${await request.clone().text()}`);
    return forward();
  });
  await reader.open(card);
  await heading('A scroll that waits');
  await press(reader, 'Try the card');
  await heading('Your card is whole');
  await expectFocus(firstHeading);

  await reader.reload();
  await heading('A scroll that waits');
  await scroll.release();
  await press(reader, 'Try the card');
  await heading('A scroll was left for you');
  await reader.network.idle();
  reader.network.asked.length = 0;
  await reader.reload();
  await heading('A scroll was left for you');
  expect(reader.network.asked).toEqual([`GET /api/legacy/${scroll.publicId}`]);
  await press(reader, 'Open the scroll');
  const letter = () => screen.findByRole('article');
  for (const words of [LETTER.title, 'hangs behind the clock']) {
    expect((await letter()).textContent).toContain(words);
  }
  await expectFocus(() => screen.getByRole('article'));
  expect((await letter()).textContent).not.toContain('opened before');
  // The card leaves the address once the letter is here, and a reload of this tab still has it.
  expect(window.location.href).not.toContain(scroll.secret);
  expect(window.location.pathname + window.location.hash).toBe(`/legacy/${scroll.publicId}`);

  await reader.reload();
  await screen.findByText(/Opened before, first on/);
  await press(reader, 'Open the scroll');
  expect((await letter()).textContent).toContain('It was opened before on');
  expect(sent.join('\n')).not.toContain(scroll.secret);
  // Inside the server the same page stands, for whoever holds the card.
  await owner.browser.open(card);
  await press(owner.browser, 'Open the scroll');
  expect((await letter()).textContent).toContain(LETTER.title);
  expect(JSON.stringify(instance().log)).not.toContain(scroll.publicId);
});

test('without a key, as the message of the release has it, the page takes the card’s, and no other', async () => {
  const { scroll, card, reader } = await leaveForStranger();
  const use = async (typed: string) => {
    await fill(reader, screen.getByLabelText('The key, or the link, on your card'), typed);
    await press(reader, 'Use this card');
  };
  await reader.open(scroll.path);
  await heading('A scroll that waits');
  await use(scroll.secret.slice(1));
  await screen.findByText(/This is not a whole key/);
  expect(window.location.hash).toBe('');
  const other = await sealScroll();
  await use(`  ${other.secret} `);
  // The page begins anew where its address has become another.
  expect(window.location.hash).toBe(`#${other.secret}`);
  await reader.reload();
  await press(reader, 'Try the card');
  await heading('This is not its card');
  await scroll.release();
  await reader.open(`${scroll.path}#bent`);
  await heading('This card is not whole');
  await reader.open(scroll.path);
  await heading('Your card opens it');
  await use(card);
  expect(window.location.hash).toBe(`#${scroll.secret}`);
});

test('a card that a mail filter bent is put right, and its holder is told that it was exposed', async () => {
  const { card, reader } = await leaveForStranger();
  await reader.open(card.replace('#', '%23'));
  expect((await screen.findByRole('note')).textContent).toContain('This card was exposed on its way to you.');
  await waitFor(() => expect(window.location.pathname + window.location.hash).toBe(card));
  await reader.reload();
  await screen.findByRole('note');
  await press(reader, 'Try the card');
  await heading('Your card is whole');
});

test('a scroll that is released while its holder waits takes the page’s place, with the focus', async () => {
  const { scroll, card, reader } = await leaveForStranger();
  await reader.open(card);
  await press(reader, 'Try the card');
  await heading('Your card is whole');
  await press(reader, 'Look again');
  await screen.findByText(/^Looked at .*: it still waits\.$/);
  await scroll.release();
  await press(reader, 'Look again');
  await heading('A scroll was left for you');
  await expectFocus(firstHeading);
});

test('a passphrase is not asked for before the release; wrong ones are counted and told to wait', async () => {
  const { owner, scroll, reader } = await leaveForStranger({ passphrase: PASSPHRASE });
  await reader.open(scroll.path);
  await heading('A scroll that waits');
  expect(screen.queryByLabelText('Passphrase')).toBeNull();
  await scroll.release();
  await reader.reload();
  await press(reader, 'Open the scroll');
  await screen.findByText('This letter asks for a passphrase.');
  const field = () => screen.findByLabelText('Passphrase');
  await fill(reader, await field(), 'plum pie');
  await reader.user.keyboard('{Enter}');
  await screen.findByText(/It was counted; nothing was lost\./);
  for (let i = 0; i < 9; i += 1) {
    instance().clock.advance(10 * MINUTE);
    const guess = owner.call('POST', `/api/legacy/${scroll.publicId}/open`, { claim: 'A'.repeat(43) });
    await expect(guess).rejects.toThrow('401');
  }
  await press(reader, 'Open the scroll');
  await waitFor(() =>
    expect(screen.getByRole('alert').textContent).toMatch(/Try again in \d+ (seconds|minutes)/),
  );
  instance().clock.advance(30 * MINUTE);
  await fill(reader, await field(), ` ${PASSPHRASE} `);
  await reader.user.keyboard('{Enter}');
  expect((await screen.findByRole('article')).textContent).toContain(LETTER.title);
  // A server that asks for less than is safe is not answered.
  interceptOnce(reader.network, stateOf(scroll.publicId), async (forward) => {
    const state = (await (await forward()).json()) as { stretching: object };
    return Response.json({ ...state, stretching: { ...state.stretching, memory: 8 } });
  });
  await reader.reload();
  await fill(reader, await field(), PASSPHRASE);
  await press(reader, 'Open the scroll');
  await waitFor(() =>
    expect(screen.getByRole('alert').textContent).toContain('weaker protection of the passphrase'),
  );
});

test('a scroll that lies in a vault sends residents to their chamber, and others to the gate', async () => {
  const { owner, scroll, card, reader } = await leaveForStranger();
  const state = (changes: object) =>
    Response.json({
      ...{ state: 'released', access: 'vault', sheetsNeeded: null, stretching: null, openedAt: null },
      ...{ encryptedName: null, rehearsal: null, ...changes },
    });
  for (const [browser, name, href] of [
    [owner.browser, 'Go to your whispers', '/legacy-scroll'],
    [reader, 'Enter', '/enter?return=/legacy-scroll'],
  ] as const) {
    interceptOnce(browser.network, stateOf(scroll.publicId), async () => state({}));
    await browser.open(scroll.path);
    expect((await screen.findByRole('link', { name })).getAttribute('href')).toBe(href);
  }
  interceptOnce(reader.network, stateOf(scroll.publicId), async () => state({ state: 'waiting' }));
  await reader.open(card);
  await heading('A scroll that waits');
  expect((await screen.findByRole('note')).textContent).toContain('does not open it any more');
});
