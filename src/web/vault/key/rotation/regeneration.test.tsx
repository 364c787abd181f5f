// Changing the vault's key below the browser: everything is sealed anew, whatever comes between; or the old words burn.
import { screen, waitFor, within } from '@testing-library/dom';
import { expect, test } from 'vitest';
import { fromHex } from '../../../../crypto/base64.ts';
import { wordsFromKey } from '../../../../crypto/words.ts';
import type { User } from '../../../../shared/nouns/account.ts';
import { DAY, MINUTE } from '../../../../shared/time.ts';
import {
  beginResealing,
  changeKey,
  expectProved,
  type KeyInBrowser,
  keyIn,
  keySlots,
  memoryRows,
  openMemory,
  openSettings,
  postMemory,
  readMemory,
  writeNewWords,
} from '../../../testing/another-key.ts';
import { addAuthenticator } from '../../../testing/authenticator.ts';
import { fillFields } from '../../../testing/authoring.ts';
import { type Browser, inAnotherBrowser } from '../../../testing/browser.tsx';
import { answerDevice, enterByPassphrase, enterByWords } from '../../../testing/gate-steps.ts';
import { anInstance } from '../../../testing/instance.ts';
import { enterAsMember, type Member } from '../../../testing/member.ts';
import { unreachable } from '../../../testing/network.ts';
import { expectNoDialog, expectRows, expectToast, fill, findRow, press } from '../../../testing/steps.ts';
import { stretchLightly } from '../../../testing/workers.ts';

stretchLightly();
const instance = anInstance();
const PASSPHRASE = 'plum cake on a stone wall';
const STAGE = '/api/encryption-key/regeneration';
const FINISH = `${STAGE}/finish`;

const pathOf = ({ url }: Request) => new URL(url).pathname;
const isStaging = (request: Request) => request.method === 'PUT' && pathOf(request) === STAGE;
const isFinish = (request: Request) => pathOf(request) === FINISH;

/** Adds one locked memory, one ghost, one moment, one memory that no key opens, and numbered ones. */
async function fillVault(member: Member, count: number): Promise<void> {
  const inTime = (days: number) => new Date(Date.now() + days * DAY).toISOString();
  for (let i = 0; i < count; i += 1) await postMemory(member, `Memory ${i}`, `Words ${i}. `.repeat(20));
  await postMemory(member, 'Locked', 'Not yet.', { timeLockUntil: inTime(30) });
  await member.postSealed(
    '/api/relationship-entries',
    'relationship',
    { personName: 'Ada', encryptedContent: 'She came back.' },
    { eventType: 'reconciliation', emotionalWeight: 3 },
  );
  await member.postSealed(
    '/api/ghost-entries',
    'ghost',
    { encryptedContent: 'Once.' },
    { expiresAt: inTime(1) },
  );
  // Written by a client that knows no seals.
  await member.call('POST', '/api/memory-entries', { title: 'opaque', encryptedContent: 'opaque' });
}

const numbered = (count: number) => Array.from({ length: count }, (_, i) => `Memory ${i}`);

/** Expects that the server keeps these memories, and that this key opens each of them. */
async function expectAll(member: Member, key: KeyInBrowser, titles: string[]): Promise<void> {
  const rows = (await memoryRows(member)).filter(
    ({ encryptedContent, sealId }) => encryptedContent !== null && sealId !== null,
  );
  expect(new Set(rows.map(({ keyFingerprint }) => keyFingerprint))).toEqual(new Set([key.fingerprint]));
  const opened = await Promise.all(rows.map((row) => openMemory(row, key)));
  expect(opened.map(([title]) => title).sort()).toEqual([...titles].sort());
  for (const [title, content] of opened) {
    const number = /^Memory (\d+)$/.exec(title)?.[1];
    if (number) expect(content).toBe(`Words ${number}. `.repeat(20));
  }
}

/** A member with one memory, before the settings. */
async function beforeSettings(options: { passphrase?: string } = {}): Promise<Member> {
  const member = await enterAsMember(instance(), options);
  await postMemory(member, 'The orchard', 'Ladders.');
  await openSettings(member.browser);
  return member;
}

async function readAgain(browser: Browser): Promise<void> {
  await press(browser, 'Read them again');
  await screen.findByText('A bell under a lake');
}

const openMemoryVault = async ({ browser }: Member) => {
  await browser.open('/memory-vault');
  await screen.findByRole('heading', { name: 'Memory Vault', level: 1 });
};

/** Has the server answer lists in pages of a hundred rows. */
function shortenPages({ browser }: Member): void {
  browser.network.intercept(async (request, forward) => {
    const url = new URL(request.url);
    if (request.method !== 'GET' || !url.searchParams.has('limit')) return forward();
    url.searchParams.set('limit', '100');
    return instance().app.request(new Request(url, request));
  });
}

test('everything is sealed anew: a reload in the middle changes nothing, and what others write meanwhile comes along', async () => {
  const member = await enterAsMember(instance());
  const { browser } = member;
  // More than one batch of what is sealed, and more than one page of what is fetched.
  await fillVault(member, 210);
  shortenPages(member);
  const old = await keyIn(member);
  await openSettings(browser);
  await press(browser, 'Regenerate');
  await press(browser, 'Re-seal everything');
  const found = await screen.findByRole('dialog', { name: 'What was found' });
  for (const part of ['212 entries', '1 locked memory, 1 ghost thought', 'Left as it is1 entry']) {
    expect(found.textContent).toContain(part);
  }
  await press(browser, 'Go on', found);
  await writeNewWords(browser);

  // The second batch never leaves; the page is reloaded while it waits.
  let batches = 0;
  let held = false;
  const mend = browser.network.intercept(async (request, forward) => {
    if (!isStaging(request)) return forward();
    batches += 1;
    if (batches < 2) return forward();
    held = true;
    throw unreachable();
  });
  const bar = screen.findByRole('progressbar');
  await press(browser, 'Change the key');
  await bar;
  await waitFor(() => expect(held).toBe(true));
  mend();
  await browser.reload();
  await screen.findByRole('heading', { name: 'Sacred Settings', level: 1 });
  expect((await keyIn(member)).hex).toBe(old.hex);
  expect(keySlots()).toEqual(['latebra.vault-key']);
  await expectAll(member, old, numbered(210));

  // Once more, while somebody writes a new memory and changes one that is staged already.
  await beginResealing(browser);
  await writeNewWords(browser);
  const finishes: number[] = [];
  let written = false;
  let changed = '';
  browser.network.intercept(async (request, forward) => {
    if (isStaging(request) && !written) {
      written = true;
      await postMemory(member, 'Meanwhile', 'From another device.');
    }
    if (!isFinish(request)) return forward();
    if (changed === '') {
      const [zero] = (await memoryRows(member)).slice(-1);
      if (!zero) throw new Error('there are no memories');
      [changed] = await openMemory(zero, old);
      const texts = { title: 'Changed meanwhile', encryptedContent: 'Yes.' };
      await member.call('PATCH', `/api/memory-entries/${zero.id}`, {
        version: zero.version,
        ...(await member.sealed('memory', zero.sealId ?? '', texts, { version: zero.version + 1 })),
        keyFingerprint: old.fingerprint,
      });
    }
    const answer = await forward();
    finishes.push(answer.status);
    return answer;
  });
  await changeKey(member, 'One entry does not open and stayed as they were.');
  expect(finishes).toEqual([409, 201]);

  const key = await keyIn(member);
  expect(key.hex).not.toBe(old.hex);
  expect(keySlots()).toEqual(['latebra.vault-key']);
  const others = numbered(210).filter((title) => title !== changed);
  await expectAll(member, key, [...others, 'Meanwhile', 'Changed meanwhile']);
  const unreadable = (await memoryRows(member)).filter(({ sealId }) => sealId === null);
  expect(unreadable.map(({ title }) => title)).toEqual(['opaque']);
  await readAgain(browser);
  await openMemoryVault(member);
  await readMemory(browser, 'Meanwhile', 'From another device.');
});

test('how far the sealing is stands in the dialog, and stopping it changes nothing', async () => {
  const member = await enterAsMember(instance());
  const { browser } = member;
  await fillVault(member, 201);
  const old = await keyIn(member);
  await openSettings(browser);
  await beginResealing(browser);
  await writeNewWords(browser);
  let batches = 0;
  browser.network.intercept(async (request, forward) => {
    if (isStaging(request)) batches += 1;
    if (!isStaging(request) || batches < 2) return forward();
    // It is never answered; stopping ends the wait.
    return new Promise((_, reject) => {
      request.signal.addEventListener('abort', () => reject(request.signal.reason));
    });
  });
  await press(browser, 'Change the key');
  await waitFor(() =>
    expect(screen.getByRole('progressbar').getAttribute('aria-valuetext')).toBe('200 of 203'),
  );
  await press(browser, 'Stop');
  await expectNoDialog();
  await screen.findByRole('button', { name: 'Regenerate' });
  expect((await keyIn(member)).hex).toBe(old.hex);
  expect(keySlots()).toEqual(['latebra.vault-key']);
  await expectAll(member, old, numbered(201));
});

/** Writes a legacy scroll with a key card, and returns the card's link. */
async function writeScroll({ browser }: Member): Promise<string> {
  await browser.open('/legacy-scroll');
  await fill(browser, await screen.findByRole('textbox', { name: 'Title' }), 'For the dancer');
  await fill(browser, screen.getByRole('textbox', { name: 'Letter' }), 'Dance without me.');
  await browser.user.selectOptions(screen.getByLabelText('When'), 'manual');
  await fillFields(browser, { 'Email address': 'agnes@example.org' });
  await press(browser, 'Seal the letter');
  const card = await screen.findByRole('dialog', { name: 'The key card' });
  const link = within(card).getByRole<HTMLInputElement>('textbox', { name: 'Link' }).value;
  await press(browser, 'Later', card);
  return link;
}

/** Reads it in the list, and releases it by hand. */
async function releaseScroll({ browser }: Member): Promise<void> {
  await browser.open('/legacy-scroll');
  await press(browser, 'For the dancer', await screen.findByRole('main'));
  await waitFor(() => expect(screen.getByRole('dialog').textContent).toContain('Dance without me.'));
  await press(browser, 'Close');
  await expectNoDialog();
  await press(browser, /^Activate Watch/, screen.getByRole('main'));
  await browser.user.click(await screen.findByRole('checkbox', { name: 'I have handed it over' }));
  await press(browser, 'Activate Watch', await screen.findByRole('dialog'));
  await expectNoDialog();
  await press(browser, /More/, screen.getByRole('main'));
  await press(browser, /^Release now/, screen.getByRole('main'));
  await press(browser, 'Release now', await screen.findByRole('alertdialog'));
  await waitFor(async () => expect((await findRow('For the dancer')).textContent).toContain('Released'));
}

test('whoever changes the key twice still opens a memory that was locked all along, and a key card of before', async () => {
  const member = await enterAsMember(instance(), { passphrase: PASSPHRASE });
  const { browser } = member;
  const timeLockUntil = new Date(Date.now() + 7 * DAY).toISOString();
  await postMemory(member, 'For the wedding', 'Dance.', { timeLockUntil });
  await postMemory(member, 'The orchard', 'Ladders.');
  const card = await writeScroll(member);
  await openSettings(browser);
  let words: string[] = [];
  for (let time = 0; time < 2; time += 1) {
    await beginResealing(browser);
    words = await writeNewWords(browser);
    await changeKey(member);
  }
  await releaseScroll(member);
  await inAnotherBrowser(instance(), async (reader) => {
    const { pathname, hash } = new URL(card);
    await reader.open(pathname + hash);
    await press(reader, 'Open the scroll');
    await waitFor(() => expect(screen.getByRole('article').textContent).toContain('Dance without me.'));
  });
  instance().clock.advance(8 * DAY);
  await openMemoryVault(member);
  await readMemory(browser, 'For the wedding', 'Dance.');
  await readMemory(browser, 'The orchard', 'Ladders.');
  // What the ring opened is sealed under the present key by and by.
  const key = await keyIn(member);
  await waitFor(async () =>
    expect((await memoryRows(member)).map(({ keyFingerprint }) => keyFingerprint)).toEqual([
      key.fingerprint,
      key.fingerprint,
    ]),
  );
  await inAnotherBrowser(instance(), async (other) => {
    await enterByWords(other, words);
    await screen.findByRole('heading', { name: 'The chambers' });
    await other.open('/memory-vault');
    await readMemory(other, 'For the wedding', 'Dance.');
  });
});

test.each(['no ring', 'no key at all'])(
  'a server that shows %s at the next change loses none of the keys before',
  async (what) => {
    const member = await enterAsMember(instance());
    const { browser } = member;
    const timeLockUntil = new Date(Date.now() + 7 * DAY).toISOString();
    await postMemory(member, 'For the wedding', 'Dance.', { timeLockUntil });
    await openSettings(browser);
    await beginResealing(browser);
    await writeNewWords(browser);
    await changeKey(member);
    await browser.reload();
    await screen.findByRole('heading', { name: 'Sacred Settings', level: 1 });
    const mend = browser.network.intercept(async (request, forward) => {
      const answer = await forward();
      if (request.method !== 'GET' || pathOf(request) !== '/api/encryption-key') return answer;
      if (what === 'no key at all') return Response.json(null);
      return Response.json({ ...((await answer.json()) as object), keyRing: null });
    });
    await beginResealing(browser);
    await writeNewWords(browser);
    await changeKey(member);
    mend();
    instance().clock.advance(8 * DAY);
    await openMemoryVault(member);
    await readMemory(browser, 'For the wedding', 'Dance.');
  },
);

test('what was deleted before the key changed is restored and read after it, locked or not', async () => {
  const member = await enterAsMember(instance());
  const { browser, call } = member;
  const timeLockUntil = new Date(Date.now() + 7 * DAY).toISOString();
  const locked = await postMemory(member, 'For the wedding', 'Dance.', { timeLockUntil });
  const orchard = await postMemory(member, 'The orchard', 'Ladders.');
  for (const { id } of [locked, orchard]) await call('DELETE', `/api/memory-entries/${id}`);
  await openSettings(browser);
  await press(browser, 'Regenerate');
  await press(browser, 'Re-seal everything');
  const found = await screen.findByRole('dialog', { name: 'What was found' });
  expect(found.textContent).toContain('1 locked memory');
  await press(browser, 'Go on', found);
  await writeNewWords(browser);
  await changeKey(member);
  await browser.open('/recently-deleted');
  for (const title of ['For the wedding', 'The orchard']) await press(browser, `Restore ${title}`);
  await screen.findByText('Nothing is deleted');
  await openMemoryVault(member);
  await readMemory(browser, 'The orchard', 'Ladders.');
  instance().clock.advance(8 * DAY);
  await browser.reload();
  await readMemory(browser, 'For the wedding', 'Dance.');
});

/** Loses the answer of the finish, and with `line` everything after it. Returns how to mend it. */
function loseFinish({ browser }: Member, line: boolean): () => void {
  let silent = false;
  return browser.network.intercept(async (request, forward) => {
    if (silent) throw unreachable();
    if (!isFinish(request)) return forward();
    await forward();
    silent = line;
    throw unreachable();
  });
}

test('a finish that loses its answer alone has changed the key, and this browser has it', async () => {
  const member = await beforeSettings();
  const { browser } = member;
  const old = await keyIn(member);
  await beginResealing(browser);
  await writeNewWords(browser);
  const mend = loseFinish(member, false);
  await changeKey(member);
  mend();
  expect((await keyIn(member)).hex).not.toBe(old.hex);
  expect(keySlots()).toEqual(['latebra.vault-key']);
  await openMemoryVault(member);
  await readMemory(browser, 'The orchard', 'Ladders.');
});

test('a finish that loses its answer and the line has changed the key, and this browser has it after a reload', async () => {
  const member = await beforeSettings();
  const { browser } = member;
  const old = await keyIn(member);
  await beginResealing(browser);
  await writeNewWords(browser);
  const mend = loseFinish(member, true);
  await press(browser, 'Change the key');
  await expectToast('Failed to Regenerate Key', 'this browser holds both');
  expect((await keyIn(member)).hex).toBe(old.hex);
  expect(keySlots()).toEqual(['latebra.vault-key', 'latebra.vault-key-next']);
  mend();
  await browser.reload();
  await screen.findByRole('heading', { name: 'Sacred Settings', level: 1 });
  expect((await keyIn(member)).hex).not.toBe(old.hex);
  expect(keySlots()).toEqual(['latebra.vault-key']);
  await openMemoryVault(member);
  await readMemory(browser, 'The orchard', 'Ladders.');
  await press(browser, 'New Memory');
  const form = within(await screen.findByRole('dialog'));
  await fill(browser, form.getByLabelText('Title'), 'Afterwards');
  await fill(browser, form.getByRole('textbox', { name: 'Memory' }), 'Under the new key.');
  await press(browser, 'Seal Memory');
  await expectNoDialog();
  await expectRows('Afterwards', 'The orchard');
});

/** Through the question that stands before the old words burn. */
async function askToBurn(browser: Browser): Promise<void> {
  await press(browser, 'Regenerate');
  await press(browser, 'Make the old entries unreadable');
  const question = await screen.findByRole('alertdialog', { name: 'Make the old entries unreadable' });
  expect(question.textContent).toContain('they still open until they expire or you revoke them');
  const forward = within(question).getByRole<HTMLButtonElement>('button', { name: 'Go on' });
  expect(forward.disabled).toBe(true);
  await fill(browser, within(question).getByRole('textbox'), 'UNREADABLE');
  await press(browser, 'Go on', question);
}

test('an envelope that was cut off while the old words burn may still arrive: both keys are kept', async () => {
  const member = await beforeSettings();
  const { browser } = member;
  const old = await keyIn(member);
  await askToBurn(browser);
  await writeNewWords(browser);
  let arriveLate: () => Promise<unknown> = async () => {};
  const mend = browser.network.intercept(async (request, forward) => {
    if (pathOf(request) !== '/api/encryption-key' || request.method === 'GET') return forward();
    arriveLate = forward;
    throw unreachable();
  });
  await press(browser, 'Make unreadable and begin again');
  await expectToast('Failed to Regenerate Key', 'may still come to be.');
  await expectToast('Failed to Regenerate Key', 'this browser holds both');
  expect((await keyIn(member)).hex).toBe(old.hex);
  expect(keySlots()).toEqual(['latebra.vault-key', 'latebra.vault-key-next']);
  mend();
  await arriveLate();
  await browser.reload();
  await screen.findByRole('heading', { name: 'Sacred Settings', level: 1 });
  expect((await keyIn(member)).hex).not.toBe(old.hex);
  expect(keySlots()).toEqual(['latebra.vault-key']);
});

test('under device lock the key is changed in memory alone, also when the answer is lost', async () => {
  const member = await enterAsMember(instance(), { passphrase: PASSPHRASE });
  const { browser } = member;
  await openSettings(browser);
  await browser.user.click(screen.getByLabelText('Keep no key on this device'));
  expect(keySlots()).toEqual([]);
  await beginResealing(browser);
  await writeNewWords(browser);
  const mend = loseFinish(member, true);
  await press(browser, 'Change the key');
  await expectToast('Failed to Regenerate Key', 'this tab holds both until it is closed or reloaded');
  expect(keySlots()).toEqual([]);
  mend();
  // Trying again finds that it was changed, and this tab goes on with the new key.
  await press(browser, 'Re-seal everything');
  await expectNoDialog();
  await screen.findByRole('heading', { name: 'Sacred Settings', level: 1 });
  await readAgain(browser);
  expect(keySlots()).toEqual([]);
  const { clientKey } = await member.call<{ clientKey: { fingerprint: string } }>(
    'GET',
    '/api/encryption-key',
  );
  expect(clientKey.fingerprint).not.toBe(member.fingerprint);
});

test('a finish that never arrives has changed nothing, and the next one goes through', async () => {
  const member = await beforeSettings();
  const { browser } = member;
  const old = await keyIn(member);
  await beginResealing(browser);
  await writeNewWords(browser);
  const mend = browser.network.intercept(async (request, forward) => {
    if (isFinish(request)) throw unreachable();
    return forward();
  });
  await press(browser, 'Change the key');
  await expectToast('Failed to Regenerate Key', 'Nothing has changed.');
  expect((await keyIn(member)).hex).toBe(old.hex);
  mend();
  // The recovery method that was proved is still proved.
  await press(browser, 'Re-seal everything');
  await press(browser, 'Go on', await screen.findByRole('dialog', { name: 'What was found' }));
  await expectProved(1);
  await changeKey(member);
  expect(keySlots()).toEqual(['latebra.vault-key']);
  await openMemoryVault(member);
  await readMemory(browser, 'The orchard', 'Ladders.');
});

test('whoever leaves it at any step is back at the button that began it', async () => {
  const { browser } = await beforeSettings();
  const expectBack = async () => {
    await expectNoDialog();
    expect(document.activeElement?.textContent).toBe('Regenerate');
  };
  await press(browser, 'Regenerate');
  await press(browser, 'Cancel');
  await expectBack();
  await press(browser, 'Regenerate');
  await press(browser, 'Re-seal everything');
  await press(browser, 'Cancel', await screen.findByRole('dialog', { name: 'What was found' }));
  await expectBack();
});

test('the new words and the passphrase open the vault in a fresh browser, and the old words open nothing', async () => {
  const member = await beforeSettings({ passphrase: PASSPHRASE });
  const { browser } = member;
  const oldWords = wordsFromKey(fromHex((await keyIn(member)).hex));
  // Time has passed: the proof is asked for once more, and the work goes on by itself.
  instance().clock.advance(11 * MINUTE);
  await press(browser, 'Regenerate');
  await press(browser, 'Re-seal everything');
  const proof = await screen.findByRole('dialog', { name: 'Is it still you?' });
  await fill(browser, within(proof).getByLabelText('Passphrase'), PASSPHRASE);
  await press(browser, 'Prove it', proof);
  await press(browser, 'Go on', await screen.findByRole('dialog', { name: 'What was found' }));
  const change = await screen.findByRole<HTMLButtonElement>('button', { name: 'Change the key' });
  expect(change.disabled).toBe(true);
  await press(browser, 'Type it');
  await fill(browser, await screen.findByLabelText('Passphrase'), PASSPHRASE);
  await press(browser, 'Prove it');
  await expectProved(1);
  const words = await writeNewWords(browser, 2);
  await changeKey(member);
  await screen.findByText(/Kept since/);

  await inAnotherBrowser(instance(), async (other) => {
    await enterByWords(other, oldWords);
    await screen.findByText('These twenty-four words belong to no vault here.');
    await fill(other, screen.getByLabelText('The twenty-four words'), words.join(' '));
    await press(other, 'Enter');
    await answerDevice(other);
    await screen.findByRole('heading', { name: 'The chambers' });
    await other.open('/memory-vault');
    await readMemory(other, 'The orchard', 'Ladders.');
  });
  // So does the passphrase that was proved for it.
  await inAnotherBrowser(instance(), async (other) => {
    await enterByPassphrase(other, member.user.name ?? '', PASSPHRASE);
    await screen.findByRole('heading', { name: 'The chambers' });
    await other.open('/memory-vault');
    await readMemory(other, 'The orchard', 'Ladders.');
  });
});

test('when the old words burn they stay listed and unreadable, and the new way back opens what comes after', async () => {
  addAuthenticator();
  const member = await beforeSettings();
  const { browser } = member;
  const old = await keyIn(member);
  await press(browser, 'Add a passkey');
  await press(browser, 'Make a passkey', await screen.findByRole('dialog'));
  await expectToast('Passkey added');
  await expectNoDialog();
  await askToBurn(browser);
  await press(browser, 'Touch it');
  await expectProved(1);
  // The same passkey, touched again, counts once.
  await press(browser, 'Touch another');
  await expectProved(1);
  const words = await writeNewWords(browser, 2);
  await press(browser, 'Make unreadable and begin again');
  await expectToast('Encryption Key Regenerated', 'cannot be read');
  const key = await keyIn(member);
  expect(key.hex).not.toBe(old.hex);
  await screen.findByText(key.fingerprint);
  const kept = await member.call<{ keyRing: unknown; clientKey: { wraps: unknown[] } }>(
    'GET',
    '/api/encryption-key',
  );
  expect(kept.keyRing).toBeNull();
  expect(kept.clientKey.wraps).toHaveLength(1);

  await press(browser, 'Read them again');
  await screen.findByText(/Your answers cannot be opened\./);
  await openMemoryVault(member);
  const [row] = await expectRows('');
  expect(row?.textContent).not.toContain('The orchard');
  if (row) await browser.user.click(within(row).getAllByRole('button')[0] as HTMLElement);
  await expectToast('Failed to Decrypt');
  await press(browser, 'New Memory');
  const form = within(await screen.findByRole('dialog'));
  await fill(browser, form.getByLabelText('Title'), 'After the fire');
  await fill(browser, form.getByRole('textbox', { name: 'Memory' }), 'Green.');
  await press(browser, 'Seal Memory');
  await expectNoDialog();

  await inAnotherBrowser(instance(), async (other) => {
    await enterByWords(other, words);
    await screen.findByRole('heading', { name: 'The chambers' });
    await other.open('/memory-vault');
    await readMemory(other, 'After the fire', 'Green.');
  });
  await inAnotherBrowser(instance(), async (other) => {
    await other.open('/enter');
    await press(other, 'Enter with a passkey');
    await press(other, 'Others use it');
    await screen.findByRole('heading', { name: 'The chambers' });
    await other.open('/memory-vault');
    await readMemory(other, 'After the fire', 'Green.');
  });
});

test('a draft that was being written while the key was changed is there under the new one', async () => {
  const member = await enterAsMember(instance());
  const { browser } = member;
  await openMemoryVault(member);
  await press(browser, 'New Memory');
  await fill(browser, await screen.findByRole('textbox', { name: 'Title' }), 'Half a thought');
  await waitFor(() =>
    expect(Object.keys({ ...localStorage }).filter((slot) => slot.startsWith('latebra.draft'))).toHaveLength(
      1,
    ),
  );
  await openSettings(browser);
  await beginResealing(browser);
  await writeNewWords(browser);
  await changeKey(member);
  const user = await member.call<User>('GET', '/api/auth/user');
  expect(user.keyFingerprint).not.toBe(member.fingerprint);
  await openMemoryVault(member);
  await press(browser, 'New Memory');
  await waitFor(() =>
    expect(screen.getByRole<HTMLInputElement>('textbox', { name: 'Title' }).value).toBe('Half a thought'),
  );
});
