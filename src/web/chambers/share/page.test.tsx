// A one-time link below the browser: opened once, by whoever presses first, and lost to no accident on the way.
import { screen, waitFor } from '@testing-library/dom';
import { expect, test } from 'vitest';
import { DAY, MINUTE } from '../../../shared/time.ts';
import { type Browser, openBrowser } from '../../testing/browser.tsx';
import { anInstance } from '../../testing/instance.ts';
import { enterAsMember } from '../../testing/member.ts';
import { interceptOnce, loseAnswer, unreachable } from '../../testing/network.ts';
import { leaveWords, WORDS } from '../../testing/one-time-links.ts';
import { fill, press } from '../../testing/steps.ts';
import { stretchLightly } from '../../testing/workers.ts';

stretchLightly();
const instance = anInstance();
const REDEEM = /redeem$/;
const PASSPHRASE = 'plum cake on the stone wall';

/** Words that somebody left, and a browser of somebody who has never been here. */
async function leaveForStranger(options?: Parameters<typeof leaveWords>[1]) {
  const owner = await enterAsMember(instance());
  return { owner, reader: openBrowser(instance()), ...(await leaveWords(owner.call, options)) };
}

const heading = (name: string) => screen.findByRole('heading', { name, level: 1 });
const breakSeal = (reader: Browser) => press(reader, 'Open and read');
const fetchWords = (reader: Browser) => press(reader, 'Fetch the words');
const passphrase = () => screen.findByLabelText('Passphrase');

async function expectWords(...parts: string[]): Promise<void> {
  const { textContent } = await screen.findByRole('article');
  for (const part of parts) expect(textContent).toContain(part);
}

async function expectAlert(words: string | RegExp): Promise<void> {
  await waitFor(() => expect(screen.getByRole('alert').textContent).toMatch(words));
}

test('until the press nothing is fetched but the state; the secret leaves the address only then, and goes nowhere', async () => {
  const { reader, link, keyId, secret } = await leaveForStranger();
  const sent: string[] = [];
  reader.network.intercept(async (request, forward) => {
    sent.push(`${request.method} ${new URL(request.url).pathname} ${await request.clone().text()}`);
    return forward();
  });
  await reader.open(link);
  await screen.findByText(/They can be read once\./);
  await reader.network.idle();
  expect(sent).toEqual([`GET /api/shares/${keyId} `]);
  await reader.reload();
  await screen.findByRole('button', { name: 'Open and read' });
  expect(window.location.href).toBe(link);

  await breakSeal(reader);
  await expectWords(
    WORDS.title,
    'Sealed 1 March 2026',
    'The bell still rings.',
    'This was its only opening.',
  );
  await waitFor(() => expect(document.activeElement).toBe(screen.getByRole('article')));
  expect(window.location.pathname + window.location.hash).toBe(`/share/${keyId}`);
  await reader.network.idle();
  expect(reader.network.asked.at(-1)).toBe(`POST /api/shares/${keyId}/acknowledge`);
  await waitFor(() => expect(sessionStorage).toHaveLength(0));
  expect(sent.join('\n')).not.toContain(secret);
  expect(JSON.stringify(instance().log)).not.toContain(keyId);
  await reader.reload();
  await heading('This link was opened before');
});

test('a press before it is known how the link stands waits for that, and then does what was pressed', async () => {
  for (const sealedWith of [undefined, PASSPHRASE]) {
    const { reader, link } = await leaveForStranger(sealedWith ? { passphrase: sealedWith } : {});
    let letThrough = () => {};
    const held = new Promise<void>((resolve) => {
      letThrough = resolve;
    });
    interceptOnce(reader.network, /GET/, (forward) => held.then(forward));
    await reader.open(link);
    await breakSeal(reader);
    await screen.findByRole('button', { name: 'Opening' });
    expect(reader.network.asked.join()).not.toContain('redeem');
    letThrough();
    if (!sealedWith) await expectWords(WORDS.title);
    else await screen.findByText('These words ask for a passphrase.');
  }
  expect(document.activeElement).toBe(await passphrase());
});

test('it opens for residents and initiates as for strangers', async () => {
  const { call, browser } = await enterAsMember(instance());
  await browser.open((await leaveWords(call)).link);
  await breakSeal(browser);
  await expectWords(WORDS.title);
  const onboarding = openBrowser(instance());
  const begun = await onboarding.network.fetch('/api/gate/passphrase/begin', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ name: 'an initiate', authKey: 'A'.repeat(43) }),
  });
  expect(begun.status).toBe(201);
  await onboarding.open((await leaveWords(call)).link);
  await breakSeal(onboarding);
  await expectWords(WORDS.title);
});

test('previewers and scanners burn nothing, however often they look', async () => {
  const { reader, link, keyId } = await leaveForStranger();
  for (let i = 0; i < 20; i += 1) {
    for (const [method, path] of [
      ['GET', `/share/${keyId}`],
      ['HEAD', `/share/${keyId}`],
      ['GET', `/api/shares/${keyId}`],
    ] as const) {
      expect((await instance().request(method, path)).status).toBe(200);
    }
  }
  // Also one that runs scripts, and leaves without a press.
  for (let i = 0; i < 3; i += 1) {
    await reader.open(link);
    await screen.findByRole('button', { name: 'Open and read' });
  }
  await breakSeal(reader);
  await expectWords(WORDS.title);
});

test('a link without its end, or with the end of another, says so, opens nothing and burns nothing', async () => {
  const { owner, reader, link, secret } = await leaveForStranger();
  for (const cut of [link.replace(/#.*/, ''), link.slice(0, -1)]) {
    await reader.open(cut);
    await heading('This link is not whole');
    expect(screen.queryByRole('button', { name: 'Open and read' })).toBeNull();
  }
  const other = await leaveWords(owner.call);
  await reader.open(link.replace(secret, other.secret));
  await breakSeal(reader);
  await heading('This link is not whole');
  await reader.open(link);
  await breakSeal(reader);
  await expectWords(WORDS.title);
});

test('a link bent by a mail filter is put right, opens, and its reader is told that it was exposed', async () => {
  const { reader, link } = await leaveForStranger();
  await reader.open(link.replace('#', '%23'));
  expect((await screen.findByRole('note')).textContent).toContain('This link was exposed on its way to you.');
  await waitFor(() => expect(window.location.href).toBe(link));
  await reader.reload();
  expect((await screen.findByRole('note')).textContent).toContain('This link was exposed');
  await breakSeal(reader);
  await expectWords(WORDS.title);
});

test('a wrong passphrase burns nothing; after several, a wait is told; the right one opens', async () => {
  const { owner, reader, link, keyId, door } = await leaveForStranger({ passphrase: PASSPHRASE });
  await reader.open(link);
  await breakSeal(reader);
  await screen.findByText('These words ask for a passphrase.');
  expect(document.activeElement).toBe(await passphrase());
  await reader.user.paste('plum pie');
  await reader.user.keyboard('{Enter}');
  await screen.findByText(/does not open this link\. Nothing was lost/);
  for (let i = 0; i < 10; i += 1) {
    instance().clock.advance(10 * MINUTE);
    const guess = { door, claim: 'A'.repeat(43), redemptionId: 'A'.repeat(22) };
    await expect(owner.call('POST', `/api/shares/${keyId}/redeem`, guess)).rejects.toThrow('401');
  }
  await fill(reader, await passphrase(), PASSPHRASE);
  await breakSeal(reader);
  await expectAlert(
    /Too many attempts from your network\. Nothing was lost\. Try again in \d+ (seconds|minutes)\./,
  );
  instance().clock.advance(10 * MINUTE);
  // White space around it is not a part of it.
  await fill(reader, await passphrase(), `  ${PASSPHRASE} `);
  await breakSeal(reader);
  await expectWords(WORDS.title);
});

test('an answer lost after the seal broke loses nothing: the same tab gets the words, nobody else', async () => {
  const { owner, reader, link, keyId, door } = await leaveForStranger();
  await reader.open(link);
  loseAnswer(reader.network, REDEEM);
  await breakSeal(reader);
  await expectAlert('this tab can still fetch the words for ten minutes');
  expect(window.location.href).toBe(link);
  const other = { door, claim: 'A'.repeat(43), redemptionId: 'A'.repeat(22) };
  await expect(owner.call('POST', `/api/shares/${keyId}/redeem`, other)).rejects.toThrow('410');
  await breakSeal(reader);
  await expectWords(WORDS.title);
});

test('a proxy that finds nothing on the way does not make a broken seal unknown', async () => {
  const { reader, link } = await leaveForStranger();
  const nothing = () => new Response('404 page not found', { status: 404 });
  await reader.open(link);
  interceptOnce(reader.network, REDEEM, (forward) => forward().then(nothing));
  await breakSeal(reader);
  await expectAlert('this tab can still fetch the words for ten minutes');
  expect(window.location.href).toBe(link);
  // Nor does one that hides whether it waits.
  interceptOnce(reader.network, /GET/, async () => nothing());
  await reader.reload();
  await heading('The server does not answer');
  await press(reader, 'Try again');
  await fetchWords(reader);
  await expectWords(WORDS.title);
});

test('a reload loses nothing for ten minutes, also where a passphrase is mistyped meanwhile', async () => {
  const { reader, link } = await leaveForStranger({ passphrase: PASSPHRASE });
  await reader.open(link);
  loseAnswer(reader.network, REDEEM);
  await fill(reader, await passphrase(), PASSPHRASE);
  await breakSeal(reader);
  await expectAlert('ten minutes');
  instance().clock.advance(9 * MINUTE);
  await reader.reload();
  await heading('The words did not arrive');
  await fill(reader, await passphrase(), 'plum pie');
  await fetchWords(reader);
  await screen.findByText(/not the passphrase that opened the link/);
  await fill(reader, await passphrase(), PASSPHRASE);
  await fetchWords(reader);
  await expectWords(WORDS.title);
});

test('after those ten minutes the words are gone, with and without a reload', async () => {
  for (const comesBack of [false, true]) {
    const { reader, link } = await leaveForStranger();
    await reader.open(link);
    loseAnswer(reader.network, REDEEM);
    await breakSeal(reader);
    await expectAlert('ten minutes');
    instance().clock.advance(11 * MINUTE);
    await (comesBack ? reader.reload() : breakSeal(reader));
    await heading('This link was opened before');
  }
});

test('words that do not open are not reported as read, and can be fetched again', async () => {
  const { reader, link } = await leaveForStranger();
  await reader.open(link);
  interceptOnce(reader.network, REDEEM, async (forward) => {
    const answer = (await (await forward()).json()) as { encryptedContent: string };
    const other = answer.encryptedContent.startsWith('A') ? 'B' : 'A';
    return Response.json({ ...answer, encryptedContent: other + answer.encryptedContent.slice(1) });
  });
  await breakSeal(reader);
  await heading('These words could not be opened');
  expect(reader.network.asked.join()).not.toContain('acknowledge');
  expect(window.location.href).toBe(link);
  await press(reader, 'Try again');
  await fetchWords(reader);
  await expectWords(WORDS.title);
});

test('an acknowledgement that is lost is sent again, quietly', async () => {
  const { reader, link } = await leaveForStranger();
  await reader.open(link);
  interceptOnce(reader.network, /acknowledge$/, () => Promise.reject(unreachable()));
  await breakSeal(reader);
  await expectWords(WORDS.title);
  await waitFor(() => expect(sessionStorage).toHaveLength(0));
  expect(reader.network.asked.filter((line) => line.endsWith('/acknowledge'))).toHaveLength(2);
  expect(screen.queryByRole('alert')).toBeNull();
});

test('a server that asks for a weak stretching is refused', async () => {
  const { reader, link } = await leaveForStranger();
  const stretching = { memory: 8, iterations: 1, parallelism: 1 };
  interceptOnce(reader.network, /GET/, async () => Response.json({ state: 'waiting', stretching }));
  await reader.open(link);
  await fill(reader, await passphrase(), 'plum cake');
  await breakSeal(reader);
  await expectAlert('weaker protection of the passphrase');
  expect(reader.network.asked.join()).not.toContain('redeem');
});

test('revoked while it was being looked at, and expired by the server’s clock, it opens nothing', async () => {
  const { owner, reader, ...revoked } = await leaveForStranger();
  await reader.open(revoked.link);
  await screen.findByRole('button', { name: 'Open and read' });
  await owner.call('DELETE', `/api/shareable-keys/${revoked.id}`);
  await breakSeal(reader);
  await heading('This link leads nowhere');

  await reader.open((await leaveWords(owner.call)).link);
  await screen.findByRole('button', { name: 'Open and read' });
  instance().clock.advance(7 * DAY);
  await breakSeal(reader);
  await heading('This link has expired');
  await reader.reload();
  await heading('This link has expired');
});

test('the words can be copied as they stand', async () => {
  const { reader, link } = await leaveForStranger();
  await reader.open(link);
  await breakSeal(reader);
  await press(reader, 'Copy the words');
  await screen.findByRole('button', { name: 'Copied' });
  expect(await navigator.clipboard.readText()).toBe(
    `${WORDS.title}\nSealed 1 March 2026\n\n${WORDS.content}`,
  );
});

test('a recorded moment shows its person, its kind and its weight', async () => {
  const entry = {
    v: 1,
    entryType: 'relationship',
    personName: 'Agnes',
    eventType: 'confession',
    emotionalWeight: 4,
    createdAt: WORDS.createdAt,
    content: 'My grandmother kept bees.',
  };
  const { reader, link } = await leaveForStranger({ entry });
  await reader.open(link);
  await breakSeal(reader);
  await heading('Agnes');
  await expectWords('Confession', 'Intense, 4 of 5', 'kept bees');
});
