// Legacy scrolls below the browser, as their author uses them: written, handed over, set to watch, changed, released,
// deleted. What becomes of them while days pass is told in watch.test.tsx.
import { generateKeyPairSync, sign } from 'node:crypto';
import { base58 } from '@scure/base';
import { screen, waitFor, within } from '@testing-library/dom';
import { expect, test, vi } from 'vitest';
import { vaultAddress } from '../../../crypto/vault-address.ts';
import { linkStatement, signInText } from '../../../shared/nouns/holders.ts';
import type { Scroll } from '../../../shared/nouns/legacy.ts';
import type { RecipientInput, ScrollRecipient } from '../../../shared/nouns/scroll-recipients.ts';
import { aWallet, linkWalletOf } from '../../../testing/wallets.ts';
import {
  createScroll,
  fillFields,
  openScrolls,
  pressInRow,
  putCardAside,
  SCROLL_TITLE,
  SCROLL_WORDS,
  setToWatch,
} from '../../testing/authoring.ts';
import { challengeFor, refusal } from '../../testing/holders.ts';
import { anInstance } from '../../testing/instance.ts';
import { asPerson, enterAsMember, type Member } from '../../testing/member.ts';
import { interceptOnce } from '../../testing/network.ts';
import {
  expectNoDialog,
  expectToast,
  fill,
  findRow,
  press,
  pressEscape,
  textIn,
} from '../../testing/steps.ts';

const instance = anInstance();
const SCROLLS = '/api/legacy-scrolls';

/** Somebody before an empty list of scrolls. */
async function openChamber(): Promise<Member> {
  const member = await enterAsMember(instance());
  await openScrolls(member.browser);
  await screen.findByText('No letters yet');
  return member;
}

const dialogOf = (name: string) => screen.findByRole('dialog', { name });
const create = ({ browser }: Member) => press(browser, 'Seal the letter');
const field = (name: string, place: HTMLElement = document.body) => within(place).findByLabelText(name);
const isFocused = (element: () => HTMLElement | null) =>
  waitFor(() => expect(document.activeElement).toBe(element()));
const rowFocused = () => isFocused(() => within(screen.getByRole('main')).getByRole('article'));
const rowSays = (words: string | RegExp, title = SCROLL_TITLE) =>
  waitFor(async () => expect((await findRow(title)).textContent).toMatch(words));

/** Everything that a page sends from now on. */
function noteSent({ browser }: Member): string[] {
  const sent: string[] = [];
  browser.network.intercept(async (request, forward) => {
    sent.push(`${request.url} ${await request.clone().text()}`);
    return forward();
  });
  return sent;
}

test('what is missing is said at its field, and nothing that was written is lost', async () => {
  const member = await openChamber();
  const { browser } = member;
  await screen.findByText(/its operator could withhold it, or, together with your/);
  await fillFields(browser, { Letter: SCROLL_WORDS, 'Email address': '' });
  await create(member);
  await isFocused(() => screen.getByLabelText('Title'));
  await screen.findByText('Enter who receives it.');
  await fillFields(browser, { Title: SCROLL_TITLE, 'Days without activity': '90' });
  await waitFor(() => expect(Object.keys(localStorage).join()).toContain('latebra.draft'));
  await browser.reload();
  await screen.findByText(/What you had begun to write is still here\./);
  expect(textIn(await field('Letter'))).toBe(SCROLL_WORDS);
  await fillFields(browser, { 'Email address': 'agnes@example.org' });
  await screen.findByText(/This server sends no mail\./);
  expect(browser.network.asked).not.toContain(`POST ${SCROLLS}`);
});

test('a letter is written, handed over and watched; its card stays through edits and dies with a new one', async () => {
  const member = await openChamber();
  const { browser } = member;
  const sent = noteSent(member);
  await createScroll(browser, { 'Days without activity': '90', 'Email address': 'agnes@example.org' });
  await expectToast('Legacy Scroll Created');
  const link = await putCardAside(browser, 'I have handed it over');
  expect(link).toMatch(/^http:\/\/localhost:3000\/legacy\/[A-Za-z0-9_-]{22}#[A-Za-z0-9_-]{43}$/);

  const dialog = await dialogOf('Activate Watch');
  const said = within(dialog).getByRole<HTMLInputElement>('checkbox', { name: /I have handed it over/ });
  expect(said.checked).toBe(true);
  await press(browser, 'Activate Watch', dialog);
  await within(dialog).findByText('Choose how you are warned before it is sent.');
  await setToWatch(browser, { warnings: 'On the dashboard only' });
  await expectToast('Legacy Scroll Activated');
  await rowFocused();
  for (const words of [
    'Watching: the server says so',
    'After 90 days without activity',
    'agnes@example.org',
    /\d\d days/,
  ]) {
    await rowSays(words);
  }
  const [stillHere] = screen.getAllByRole('button', { name: 'Still here' });
  if (stillHere) await browser.user.click(stillHere);
  await expectToast('Still Here');

  await pressInRow(browser, 'Edit words');
  const edit = await dialogOf('Edit the words');
  expect(within(edit).getByLabelText<HTMLSelectElement>('When').disabled).toBe(true);
  await fillFields(browser, { Letter: 'Under the fourth stone.' }, edit);
  await press(browser, 'Seal the change', edit);
  await expectToast('Legacy Scroll Changed');
  await expectNoDialog();
  await pressInRow(browser, 'Key card');
  expect(await putCardAside(browser, 'Done')).toBe(link);

  await pressInRow(browser, 'New card');
  await screen.findByText(/The old card stops working at once, and the letter is a draft until/);
  await press(browser, 'Make it');
  const other = await putCardAside(browser, 'Later');
  expect(other.split('#')[0]).toBe(link.split('#')[0]);
  expect(other).not.toBe(link);
  await rowSays('Dormant');
  await browser.reload();
  await pressInRow(browser, `${SCROLL_TITLE}$`);
  expect((await screen.findByRole('dialog')).textContent).toContain('Under the fourth stone.');
  for (const secret of [link, other]) expect(sent.join('\n')).not.toContain(secret.split('#')[1]);
  expect(sent.join('\n')).not.toContain('stone');
});

test('a letter has several recipients, each with a card, and a new card for one leaves the other', async () => {
  const member = await openChamber();
  const { browser, call } = member;
  const sent = noteSent(member);
  const group = (n: number) => screen.findByRole('group', { name: `Recipient ${n}` });
  await fillFields(browser, { Title: SCROLL_TITLE, Letter: SCROLL_WORDS, When: 'manual' });
  expect(screen.queryByRole('button', { name: /^Remove/ })).toBeNull();
  await press(browser, 'Add a recipient');
  await isFocused(() =>
    within(screen.getByRole('group', { name: 'Recipient 2' })).getByLabelText(/^What you call them/),
  );
  await press(browser, 'Add a recipient');
  await press(browser, /^Remove/, await group(3));
  await isFocused(() =>
    within(screen.getByRole('group', { name: 'Recipient 2' })).getByLabelText(/^What you call them/),
  );
  for (const n of [1, 2]) {
    const place = await group(n);
    await browser.user.selectOptions(within(place).getByLabelText('Recipient'), 'Email');
    await browser.user.click(within(place).getByRole('checkbox', { name: /^Yes, I know/ }));
    await fill(browser, within(place).getByLabelText('Email address'), 'agnes@example.org');
  }
  await create(member);
  await within(await group(2)).findByText('This address stands above already.');
  await fillFields(browser, { 'Email address': 'ben@example.org' }, await group(2));
  await fillFields(browser, { 'They are told': 'Only if nobody opens it' }, await group(2));
  await fillFields(browser, { 'What you call them · optional': 'Uncle Ben' }, await group(2));
  await fillFields(browser, { 'Your name · optional': 'evil.example' });
  await screen.findByText(/could be taken for the address of a site/);
  await fillFields(browser, { 'Your name · optional': 'Agnes of the Lake' });
  await create(member);

  const links = async () => {
    const card = await dialogOf('The key card');
    const found: string[] = [];
    for (const name of ['agnes@example.org', 'Uncle Ben']) {
      await browser.user.selectOptions(within(card).getByLabelText('Whose card'), name);
      found.push(textIn(within(card).getByRole('textbox', { name: 'Link' })));
    }
    expect(within(card).getByRole('heading').textContent).toBe('The key card for Uncle Ben');
    return found as [string, string];
  };
  const [agnes, ben] = await links();
  expect(new Set([...agnes.split('#'), ...ben.split('#')]).size).toBe(4);
  await putCardAside(browser, 'I have handed them over');
  await setToWatch(browser);
  for (const words of [
    'agnes@example.org',
    'Uncle Ben, ben@example.org',
    /Told only if nobody else has opened/,
  ]) {
    await rowSays(words);
  }
  await rowSays('Agnes of the Lake');

  await pressInRow(browser, 'New key');
  const renewing = await dialogOf('A new key card');
  await browser.user.selectOptions(within(renewing).getByLabelText('For whom'), 'Uncle Ben');
  await press(browser, 'Make it');
  const after = await links();
  expect(after[0]).toBe(agnes);
  expect(after[1].split('#')[0]).toBe(ben.split('#')[0]);
  expect(after[1]).not.toBe(ben);
  await putCardAside(browser, 'I have handed them over');
  await setToWatch(browser);

  await pressInRow(browser, 'Release now');
  const question = await screen.findByRole('alertdialog');
  expect(question.textContent).toMatch(/agnes@example\.org and Uncle Ben \(ben@example\.org\)/);
  await press(browser, 'Release now', question);
  await rowSays('Not told yet: the others come first.');
  expect(await call('GET', SCROLLS)).toMatchObject([
    { authorName: 'Agnes of the Lake', recipients: [{ tell: 'at-release' }, { tell: 'if-unopened' }] },
  ]);
  const toServer = sent.join('\n');
  for (const secret of [agnes, ben, ...after]) expect(toServer).not.toContain(secret.split('#')[1]);
  expect(toServer).not.toContain('Uncle');
});

test('the form of a new letter is brought into sight again once the list has come above it', async () => {
  const { browser } = await openChamber();
  await createScroll(browser, { When: 'manual' });
  await putCardAside(browser, 'Later');
  let letThrough = () => {};
  const held = new Promise<void>((resolve) => {
    letThrough = resolve;
  });
  interceptOnce(browser.network, /^GET .*legacy-scrolls$/, async (forward) => {
    await held;
    return forward();
  });
  const shown = vi.spyOn(Element.prototype, 'scrollIntoView').mockClear();
  await browser.open('/legacy-scroll/new');
  const title = await screen.findByLabelText('Title');
  await isFocused(() => title);
  shown.mockClear();
  letThrough();
  await findRow(SCROLL_TITLE);
  expect(shown.mock.contexts.at(-1)).toBe(title);
  shown.mockRestore();
});

test('a phone number is kept with its country, and a passphrase must be a good one', async () => {
  vi.spyOn(navigator, 'languages', 'get').mockReturnValue(['en-GB']);
  const member = await openChamber();
  const { browser, call } = member;
  await fillFields(browser, { Title: SCROLL_TITLE, Letter: SCROLL_WORDS, 'Days without activity': '3' });
  await fillFields(browser, { When: 'manual', Recipient: 'sms' });
  expect(textIn(await field('Country'))).toBe('GB');
  await fillFields(browser, {
    Country: 'HU',
    'Phone number': '07700 900123 900123',
    'Way to open it': 'passphrase',
  });
  await create(member);
  await screen.findByText('This is not a phone number in the country above.');
  await fillFields(browser, { 'Phone number': '07700 900123', Country: 'GB' });
  await screen.findByText('Kept as +447700900123.');
  await create(member);
  const agreement = screen.getByRole('checkbox', {
    name: /^Yes, I know that this server sends no text messages/,
  });
  await screen.findByText('Agree to this, or choose another way to reach the recipient.');
  await isFocused(() => agreement);
  await browser.user.click(agreement);
  await create(member);
  await screen.findByText(/Use 12 characters or more/);
  await press(browser, 'Choose six words for me');
  await screen.findByText(/Write these down before you go on/);
  await create(member);
  await rowSays('by text message, opened with a passphrase');
  expect(await call('GET', SCROLLS)).toMatchObject([{ recipientAddress: '+447700900123' }]);
});

test('where no mail is sent, mail is no silent default and is agreed to aloud; the card is a way of its own', async () => {
  const member = await openChamber();
  const { browser, call } = member;
  const recipient = await field('Recipient');
  await waitFor(() => expect(textIn(recipient)).toBe('card'));
  await screen.findByText(/Nothing is sent to anybody\./);
  expect(screen.queryByLabelText('Email address')).toBeNull();
  await browser.user.selectOptions(recipient, 'Email');
  await screen.findByText(/This server sends no mail\./);
  await fill(browser, await field('Email address'), 'agnes@example.org');
  await fillFields(browser, { Title: SCROLL_TITLE, Letter: SCROLL_WORDS, When: 'manual' });
  await create(member);
  await screen.findByText('Agree to this, or choose another way to reach the recipient.');
  expect(browser.network.asked).not.toContain(`POST ${SCROLLS}`);

  await browser.user.selectOptions(recipient, 'They check the card');
  await create(member);
  const card = await dialogOf('The key card');
  expect(within(card).getByRole('alert').textContent).toContain('its address is localhost:3000');
  await putCardAside(browser, 'I have handed it over');
  await setToWatch(browser);
  await rowSays('Whoever has the key card');
  expect(await call('GET', SCROLLS)).toMatchObject([
    { recipientType: 'card', recipientAddress: 'card', isActive: true },
  ]);
  await pressInRow(browser, 'Release now');
  await press(browser, 'Release now', await screen.findByRole('alertdialog'));
  await expectToast('Legacy Scroll Released', 'Nothing is sent: its recipient looks for themselves.');
  await rowSays('Not opened yet.');
});

test('what is to be known before a watch, and could not be fetched, is said and asked for again', async () => {
  const { browser } = await openChamber();
  await createScroll(browser, { 'Days without activity': '90', 'Email address': 'agnes@example.org' });
  await putCardAside(browser, 'Later');
  const stop = browser.network.intercept((request, forward) =>
    /\/api\/(warning-address|switch\/outlook)$/.test(request.url)
      ? Promise.resolve(
          Response.json({ code: 'not-found', message: 'There is nothing here.' }, { status: 404 }),
        )
      : forward(),
  );
  await openScrolls(browser);
  await screen.findByText(/^Your warning address could not be fetched\./);
  await pressInRow(browser, 'Activate Watch');
  const dialog = await dialogOf('Activate Watch');
  const said = await within(dialog).findByText(
    /^How this server’s switch has run so far could not be fetched\./,
  );
  expect(said.getAttribute('role')).toBe('alert');
  stop();
  await press(browser, 'Try again', said);
  await waitFor(() => expect(within(dialog).queryByRole('alert')).toBeNull());
});

/** Answers the list of scrolls with something else. */
function bendList({ browser }: Member, bend: (scrolls: Scroll[]) => Scroll[]): () => void {
  return browser.network.intercept(async (request, forward) => {
    const answer = await forward();
    const isList = request.method === 'GET' && new URL(request.url).pathname === SCROLLS;
    return isList ? Response.json(bend((await answer.json()) as Scroll[])) : answer;
  });
}

test('a letter that does not open behind a key that does says so, and is not set to watch', async () => {
  const member = await openChamber();
  await createScroll(member.browser, { 'Days without activity': '90', 'Email address': 'agnes@example.org' });
  await putCardAside(member.browser, 'Later');
  bendList(member, (scrolls) =>
    scrolls.map((scroll) => {
      const { encryptedContent: sealed } = scroll;
      // The last bytes, by which the book knows it, stay.
      return { ...scroll, encryptedContent: `${sealed.slice(0, 40)}AAAA${sealed.slice(44)}` };
    }),
  );
  await openScrolls(member.browser);
  await rowSays('Its letter does not open, although its key does');
  expect(within(await findRow(SCROLL_TITLE)).queryByRole('button', { name: /^Activate Watch/ })).toBeNull();
});

test('a watch that the answer itself denies is not said to be active', async () => {
  const member = await openChamber();
  await createScroll(member.browser, { 'Days without activity': '90', 'Email address': 'agnes@example.org' });
  await putCardAside(member.browser, 'I have handed it over');
  member.browser.network.intercept(async (request, forward) => {
    const answer = await forward();
    if (!request.url.endsWith('/activate')) return answer;
    return Response.json({ ...((await answer.json()) as Scroll), isActive: false });
  });
  const dialog = await dialogOf('Activate Watch');
  await member.browser.user.selectOptions(within(dialog).getByLabelText('Warnings'), 'On the dashboard only');
  await press(member.browser, 'Activate Watch', dialog);
  await within(dialog).findByText(/this letter is not what it was to become/);
});

test('recipients whose numbers the server exchanges keep their names, their addresses and their cards', async () => {
  const member = await openChamber();
  const { browser } = member;
  const group = (n: number) => screen.findByRole('group', { name: `Recipient ${n}` });
  await fillFields(browser, { Title: SCROLL_TITLE, Letter: SCROLL_WORDS, When: 'manual' });
  await press(browser, 'Add a recipient');
  for (const [n, name] of [
    [1, 'Agnes'],
    [2, 'Ben'],
  ] as const) {
    await browser.user.selectOptions(
      within(await group(n)).getByLabelText('Recipient'),
      'They check the card',
    );
    await fillFields(browser, { 'What you call them · optional': name }, await group(n));
  }
  await create(member);
  await putCardAside(browser, 'Later');
  await pressInRow(browser, 'Edit');
  const [before] = await member.call<Scroll[]>('GET', SCROLLS);
  bendList(member, (scrolls) =>
    scrolls.map((scroll) => {
      const [one, other] = scroll.recipients as [ScrollRecipient, ScrollRecipient];
      return {
        ...scroll,
        recipients: [
          { ...one, id: other.id },
          { ...other, id: one.id },
        ],
      };
    }),
  );
  const sent: { recipients: RecipientInput[] }[] = [];
  browser.network.intercept(async (request, forward) => {
    if (request.method === 'PATCH')
      sent.push((await request.clone().json()) as { recipients: RecipientInput[] });
    return forward();
  });
  window.dispatchEvent(new Event('focus'));
  await browser.network.idle();
  const dialog = await dialogOf('Edit Legacy Scroll');
  await press(browser, /^Remove/, await within(dialog).findByRole('group', { name: 'Recipient 2' }));
  await press(browser, 'Seal the change', dialog);
  await waitFor(() => expect(sent).toHaveLength(1));
  expect(sent[0]?.recipients).toMatchObject([{ publicId: before?.recipients[0]?.publicId }]);
});

test('one action stands alone, the others are folded away, and what destroys comes last', async () => {
  const { browser } = await openChamber();
  await createScroll(browser, { 'Days without activity': '90', 'Email address': 'agnes@example.org' });
  await putCardAside(browser, 'I have handed it over');
  await setToWatch(browser, { warnings: 'On the dashboard only' });
  await rowSays('Watching');
  const row = await findRow(SCROLL_TITLE);
  const names = () =>
    within(row)
      .getAllByRole('button')
      .map(({ textContent }) => textContent.split(' “')[0]);
  expect(names()).toEqual([SCROLL_TITLE, 'Still here', '+More']);
  await press(browser, /More/, row);
  const more = within(row).getByRole('button', { expanded: true });
  const folded = ['Disarm', 'Edit words', 'New card', 'Key card', 'Rehearse', 'Release now', 'Delete'];
  expect(names().slice(3)).toEqual(folded);
  const [ordinary, dangerous] = within(row).getAllByRole('list');
  expect(within(ordinary as HTMLElement).queryByRole('button', { name: /^Delete/ })).toBeNull();
  expect(within(dangerous as HTMLElement).getAllByRole('button')).toHaveLength(2);
  await browser.user.keyboard('{Escape}');
  await isFocused(() => more);
  expect(names()).toHaveLength(3);
  await pressInRow(browser, 'Delete');
  await press(browser, 'Cancel', await screen.findByRole('alertdialog'));
  await expectNoDialog();
  await isFocused(() => more);
});

test('a scroll that could not be sealed says so where it is written, too', async () => {
  const { browser } = await openChamber();
  await fillFields(browser, { 'Email address': 'agnes@example.org' });
  browser.network.intercept(async (request, forward) =>
    request.method === 'POST' && request.url.endsWith(SCROLLS)
      ? new Response('', { status: 503 })
      : forward(),
  );
  await createScroll(browser, { 'Days without activity': '90' });
  await expectToast('Failed to Create Legacy Scroll');
  await within(screen.getByRole('main')).findByText(/^Not sealed\./);
});

test('by hand: watched, disarmed, released after a question, deleted after another', async () => {
  const { browser } = await openChamber();
  await createScroll(browser, { When: 'manual', 'Email address': 'agnes@example.org' });
  await putCardAside(browser, 'Later');
  await expectNoDialog();
  await pressInRow(browser, 'Activate Watch');
  const dialog = await dialogOf('Activate Watch');
  await press(browser, 'Activate Watch', dialog);
  await within(dialog).findByText(/Hand it over first\./);
  await setToWatch(browser);
  await rowSays('Watching');
  await pressInRow(browser, 'Disarm');
  await expectToast('Watch Disarmed');
  await rowSays('Dormant');
  await pressInRow(browser, 'Activate Watch');
  await setToWatch(browser);
  await rowSays('Watching');
  await pressInRow(browser, 'Release now');
  await press(browser, 'Release now', await screen.findByRole('alertdialog'));
  await expectToast('Legacy Scroll Released', 'waits in the outbox');
  await rowFocused();
  await rowSays('Released: the server says so');
  await rowSays('It waits to be delivered.');
  await pressInRow(browser, 'Delete');
  await screen.findByText(/Its address leads nowhere any more/);
  await press(browser, 'Delete it', await screen.findByRole('alertdialog'));
  await screen.findByText('No letters yet');
  await isFocused(() => screen.getByRole('heading', { name: 'Active Legacies' }));
});

/** The address of a vault, as its owner's chamber shows it. */
async function addressOf({ call }: Member): Promise<string> {
  const { clientKey } = await call<{ clientKey: { recipient: string; verifyingKey: string } }>(
    'GET',
    '/api/encryption-key',
  );
  return vaultAddress(clientKey.recipient, clientKey.verifyingKey);
}

test('a vault’s address is shown when it is asked for', async () => {
  const member = await openChamber();
  await press(member.browser, 'Show my address');
  const shown = await screen.findByText((await addressOf(member)).match(/.{4}/g)?.join(' ') ?? '');
  await isFocused(() => shown.closest('[role=status]'));
});

test('a whisper to a vault that is not known here takes a key card', async () => {
  const { browser } = await openChamber();
  await fillFields(browser, { Recipient: 'whisper' });
  await fillFields(browser, { 'Vault address': '0'.repeat(32) });
  await screen.findByText(/Such a whisper can only be opened with a key card\./);
  await createScroll(browser, { 'Days without activity': '90' });
  await putCardAside(browser, 'Later');
  await findRow(SCROLL_TITLE);
});

test('a whisper waits as long as the server answers with keys that are not those of its address', async () => {
  const [friend, stranger] = [await enterAsMember(instance()), await enterAsMember(instance())];
  const [theirs, others] = [await addressOf(friend), await addressOf(stranger)];
  const { browser } = await openChamber();
  const stop = browser.network.intercept(async (request, forward) =>
    request.url.endsWith(`/${theirs}`)
      ? instance().app.request(new Request(request.url.replace(theirs, others), request))
      : forward(),
  );
  await fillFields(browser, { Recipient: 'whisper' });
  await fillFields(browser, { 'Vault address': theirs });
  await screen.findByText(/^The server answered with keys that do not belong to this address\./);
  await createScroll(browser, { 'Days without activity': '90' });
  const said = await screen.findByRole('alert');
  expect(said.textContent).toContain('nothing is sent as long as it does');
  expect(browser.network.asked).not.toContain(`POST ${SCROLLS}`);

  // It is asked again by a press, and goes on where the answer is right.
  stop();
  await press(browser, 'Look again');
  await screen.findByText(/This vault is known here/);
  await createScroll(browser, { 'Days without activity': '90' });
  await rowSays('sealed to their vault');
});

test('a whisper is sealed to the vault that a wallet is linked to, when the wallet itself has signed it', async () => {
  const carol = await enterAsMember(instance());
  const address = await addressOf(carol);
  const { browser } = await openChamber();
  const wallet = await newWallet();
  let signed = await wallet.link('0'.repeat(32));
  browser.network.intercept(async (request, forward) => {
    const { pathname } = new URL(request.url);
    if (!pathname.startsWith('/api/linked-wallets/')) return forward();
    return pathname.endsWith(wallet.address)
      ? Response.json({ vaultAddress: address, ...signed })
      : refusal('not-found');
  });
  await fillFields(browser, { Recipient: 'whisper' });
  await fillFields(browser, { 'Vault address': 'B'.repeat(44) });
  await screen.findByText('No vault on this server is linked to this wallet.');
  await fillFields(browser, { 'Vault address': wallet.address });
  await screen.findByText(/^The server named a vault that this wallet has not signed for/);
  signed = await wallet.link(address);
  await browser.reload();
  await screen.findByText(/^Found by its linked wallet/);
  await screen.findByText(/This vault is known here/);
  const sent: unknown[] = [];
  browser.network.intercept(async (request, forward) => {
    if (request.method === 'POST') sent.push(await request.clone().json());
    return forward();
  });
  await createScroll(browser, { 'Days without activity': '90' });
  await rowSays('sealed to their vault');
  expect(sent).toMatchObject([{ recipients: [{ recipientAddress: address, access: { kind: 'vault' } }] }]);
});

test('a whisper to a wallet reaches the vault of the member who has linked it', async () => {
  const carol = await enterAsMember(instance());
  const wallet = aWallet();
  expect((await linkWalletOf(asPerson(instance(), carol), wallet)).status).toBe(200);
  const { browser } = await openChamber();
  await fillFields(browser, { Recipient: 'whisper' });
  await fillFields(browser, { 'Vault address': wallet.address });
  await screen.findByText(/^Found by its linked wallet/);
  await screen.findByText(/This vault is known here/);
  await createScroll(browser, { 'Days without activity': '90' });
  await rowSays('sealed to their vault');
});

/** A wallet that signs links to vaults. */
async function newWallet() {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519');
  const address = base58.encode(Buffer.from(publicKey.export({ format: 'jwk' }).x ?? '', 'base64url'));
  return {
    address,
    async link(vault: string) {
      const message = Buffer.from(signInText(challengeFor(address, linkStatement(vault))));
      return {
        signedMessage: message.toString('base64'),
        signature: sign(null, message, privateKey).toString('base64'),
      };
    },
  };
}

test('a whisper is sealed to a vault that is known, and stays with it whatever a draft says', async () => {
  const address = await addressOf(await enterAsMember(instance()));
  const { browser } = await openChamber();
  await fillFields(browser, { Recipient: 'whisper' });
  await fillFields(browser, { 'Vault address': address });
  await screen.findByText(/This vault is known here/);
  await createScroll(browser, { 'Days without activity': '90' });
  await rowSays('sealed to their vault');
  expect(within(await findRow(SCROLL_TITLE)).queryByRole('button', { name: /^Key card/ })).toBeNull();
  await pressInRow(browser, 'Edit');
  const edit = () => dialogOf('Edit Legacy Scroll');
  await fillFields(browser, { Letter: 'Another wording.' }, await edit());
  await press(browser, 'Seal the change', await edit());
  await expectToast('Legacy Scroll Changed');
  await expectNoDialog();

  // A draft of another recipient lies about when the watch begins: the words stay with the vault that the row names.
  await pressInRow(browser, 'Edit');
  await fillFields(browser, { 'Vault address': '0'.repeat(32) }, await edit());
  await pressEscape(browser);
  await pressInRow(browser, 'Activate Watch');
  await setToWatch(browser, { warnings: 'dashboard' });
  await pressInRow(browser, 'Edit words');
  const words = await dialogOf('Edit the words');
  await within(words).findByText(/What you had begun to write/);
  const saved: unknown[] = [];
  browser.network.intercept(async (request, forward) => {
    if (request.method === 'PATCH') saved.push(await request.clone().json());
    return forward();
  });
  await press(browser, 'Seal the change', words);
  await expectNoDialog();
  expect(saved).toMatchObject([{ recipients: [{ recipientAddress: address, access: { kind: 'vault' } }] }]);
});
