// Rehearsals below the browser: asked for by a letter's author, followed by its recipients, and what the author is told.
import { screen, waitFor, within } from '@testing-library/dom';
import { expect, test } from 'vitest';
import type { Scroll } from '../../../shared/nouns/legacy.ts';
import { HOUR, MINUTE } from '../../../shared/time.ts';
import { aTransport } from '../../../testing/switch.ts';
import { createScroll, openScrolls, pressInRow, putCardAside, setToWatch } from '../../testing/authoring.ts';
import { openBrowser } from '../../testing/browser.tsx';
import { anInstanceOnWatch } from '../../testing/instance.ts';
import { enterAsMember, type Member } from '../../testing/member.ts';
import { expectNoDialog, expectToast, fill, findRow, press } from '../../testing/steps.ts';
import { stretchLightly } from '../../testing/workers.ts';

stretchLightly();
const mail = aTransport();
const watched = anInstanceOnWatch({ deps: { transports: { email: mail, sms: null } } });
const instance = () => watched().instance;
const live = (milliseconds: number) => watched().live(milliseconds, { deliver: true });
const heading = (name: string) => screen.findByRole('heading', { name, level: 1 });
const PASSPHRASE = 'plum cake on a stone wall';
const TITLE = 'Where the key lies';

async function rowSays({ browser }: Member, ...words: (string | RegExp)[]): Promise<void> {
  await openScrolls(browser);
  for (const word of words)
    await waitFor(async () => expect((await findRow(TITLE)).textContent).toMatch(word));
}

/** A letter that watches, with the link of its card. */
async function aLetter(fields: Record<string, string> = {}): Promise<{ author: Member; card: string }> {
  mail.letters.length = 0;
  mail.answer = () => 'accepted';
  const author = await enterAsMember(instance());
  await openScrolls(author.browser);
  for (const [label, name] of [
    [/^What you call them/, 'Agnes'],
    [/^Your name/, 'Ada of the Mill'],
  ] as const) {
    await fill(author.browser, await screen.findByLabelText(label), name);
  }
  await createScroll(author.browser, {
    ...{ 'Days without activity': '90', 'Email address': 'agnes@example.org' },
    ...fields,
  });
  const card = await putCardAside(author.browser, 'I have handed it over');
  await setToWatch(author.browser, { warnings: 'On the dashboard only' });
  return { author, card: card.slice('http://localhost:3000'.length) };
}

async function rehearse({ browser }: Member, sentence?: string): Promise<void> {
  await pressInRow(browser, 'Rehearse');
  const dialog = await screen.findByRole('dialog', { name: 'Rehearse' });
  if (sentence) await fill(browser, within(dialog).getByLabelText('What they read'), sentence);
  await press(browser, 'Send the rehearsal', dialog);
  await expectToast('Rehearsal Begun');
  await expectNoDialog();
  await live(MINUTE);
}

test('a letter is rehearsed: told by mail, opened by its card, and its author reads by whom and when', async () => {
  const { author, card } = await aLetter();
  const before = await author.call<Scroll[]>('GET', '/api/legacy-scrolls');
  const sent: string[] = [];
  author.browser.network.intercept(async (request, forward) => {
    sent.push(`${request.url} ${await request.clone().text()}`);
    return forward();
  });
  await rehearse(author, 'The bell still rings, and so will this letter.');
  expect(sent.join()).not.toContain('still rings');
  expect(mail.letters).toMatchObject([{ to: 'agnes@example.org', subject: 'rehearsal' }]);
  await rowSays(author, /Rehearsal.*Nobody has opened its page yet/);

  const reader = openBrowser(instance());
  const answers: string[] = [];
  reader.network.intercept(async (_, forward) => {
    const response = await forward();
    answers.push(await response.clone().text());
    return response;
  });
  // As the mail has it: without the key.
  await reader.open(card.split('#')[0] ?? '');
  await heading('A rehearsal');
  await screen.findByText(/nobody has died/);
  await rowSays(
    author,
    /Agnes opened the page on .*, but not the rehearsal\..*Ask whether they have their card\./,
  );
  await reader.open(card);
  await heading('A rehearsal');
  await screen.findByText(/Ada of the Mill has written you a letter/);
  await press(reader, 'Open the rehearsal');
  await heading('It works');
  await screen.findByText('The bell still rings, and so will this letter.');
  await screen.findByText('From Ada of the Mill');
  expect(window.location.href).not.toContain(card.split('#')[1]);
  const [letter] = before;
  expect(answers.join()).not.toContain(letter?.encryptedContent);
  await rowSays(author, /Rehearsal.*Agnes opened it on 1 June 2030\./);

  // What the letter waits for is what it was.
  const [after] = await author.call<Scroll[]>('GET', '/api/legacy-scrolls');
  const { remaining: _, recipients: __, ...same } = letter ?? ({} as Scroll);
  expect(after).toMatchObject(same);
  expect((letter?.remaining ?? 0) - (after?.remaining ?? 0)).toBeLessThanOrEqual(2 * HOUR);
});

test('a page of a rehearsal is an ordinary one again once its letter was sent', async () => {
  const { author, card } = await aLetter();
  await rehearse(author);
  await pressInRow(author.browser, 'Release now');
  await press(author.browser, 'Release now', await screen.findByRole('alertdialog'));
  await expectToast('Legacy Scroll Released');
  const reader = openBrowser(instance());
  await reader.open(card);
  await heading('A scroll was left for you');
  await screen.findByText('From Ada of the Mill');
  await press(reader, 'Open the scroll');
  expect((await screen.findByRole('article')).textContent).toContain('From Ada of the Mill');
});

test('a card that was lost, and one that was replaced, are told to the author with what to do', async () => {
  const { author, card } = await aLetter();
  await rehearse(author);
  const reader = openBrowser(instance());
  await reader.open(card.split('#')[0] ?? '');
  await press(reader, 'I cannot find my key card');
  await screen.findByText(/Your author can see that now/);
  await rowSays(author, /Agnes has said on .* that the key card cannot be found\..*Make a new card/);

  await pressInRow(author.browser, 'New card');
  await press(author.browser, 'Make it', await screen.findByRole('dialog', { name: 'A new key card' }));
  await putCardAside(author.browser, 'Later');
  await rehearse(author);
  await reader.open(card);
  await press(reader, 'Open the rehearsal');
  await heading('This is not its card');
  await screen.findByText(/nobody has died/);
  await rowSays(author, /A card that does not open it was tried/);
});

test('a wrong passphrase is told after three tries, and the right one opens', async () => {
  mail.letters.length = 0;
  const author = await enterAsMember(instance());
  const { browser } = author;
  await openScrolls(browser);
  await createScroll(browser, {
    ...{ 'Days without activity': '90', 'Email address': 'agnes@example.org' },
    ...{ 'Way to open it': 'passphrase', Passphrase: PASSPHRASE, 'Repeat passphrase': PASSPHRASE },
  });
  await setToWatchLater(author);
  await rehearse(author);
  const [scroll] = await author.call<Scroll[]>('GET', '/api/legacy-scrolls');
  const reader = openBrowser(instance());
  await reader.open(`/legacy/${scroll?.recipients[0]?.publicId}`);
  await heading('A rehearsal');
  for (let i = 0; i < 3; i += 1) {
    await fill(reader, await screen.findByLabelText('Passphrase'), `plum pie ${i}`);
    await press(reader, 'Open the rehearsal');
    await screen.findByText(/That passphrase does not open it/);
    await reader.network.idle();
  }
  await rowSays(author, /A wrong passphrase was tried 3 times.*Agree on a new passphrase/);
  await live(HOUR);
  await reader.open(`/legacy/${scroll?.recipients[0]?.publicId}`);
  await fill(reader, await screen.findByLabelText('Passphrase'), PASSPHRASE);
  await press(reader, 'Open the rehearsal');
  await heading('It works');
  await rowSays(author, /They opened it on/);
});

test('a message that bounced is told with its reason and what to do', async () => {
  const { author } = await aLetter({ 'Email address': 'nobody@example.org' });
  mail.answer = () => ({ refused: 'for-good', why: 'The mail server refused this address (550).' });
  await rehearse(author);
  await rowSays(author, /The message to Agnes could not be delivered\..*550.*Correct the address/);
});

async function setToWatchLater({ browser }: Member): Promise<void> {
  await pressInRow(browser, 'Activate Watch');
  await setToWatch(browser, { warnings: 'On the dashboard only' });
}
