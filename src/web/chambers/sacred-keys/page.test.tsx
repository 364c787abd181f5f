// Sacred Keys below the browser: made, handed over, watched, revoked.
import { screen, waitFor, within } from '@testing-library/dom';
import decodeQR from 'qr/decode.js';
import { expect, onTestFinished, test, vi } from 'vitest';
import { DAY } from '../../../shared/time.ts';
import { openBrowser } from '../../testing/browser.tsx';
import { anInstance } from '../../testing/instance.ts';
import { enterAsMember, type Member } from '../../testing/member.ts';
import { loseAnswer, unreachable } from '../../testing/network.ts';
import {
  expectNoDialog,
  expectRows,
  expectToast,
  fill,
  findRow,
  press,
  textIn,
} from '../../testing/steps.ts';
import { whileTimeStands } from '../../testing/ticking.ts';
import { stretchLightly } from '../../testing/workers.ts';
import { toasts } from '../../ui/toast-store.ts';

stretchLightly();
const instance = anInstance();
const TITLE = 'The bell under the lake';
const WORDS = 'It still rings.';
const PASSPHRASE = 'plum cake on a stone wall';
const SEAL = /PUT .*seal$/;

const sealMemory = ({ postSealed }: Member, title: string, encryptedContent: string, clear?: object) =>
  postSealed('/api/memory-entries', 'memory', { title, encryptedContent }, clear);

/** Somebody with one memory, before their empty list of keys. */
async function openKeys(prepare: (member: Member) => Promise<unknown> = async () => {}) {
  const member = await enterAsMember(instance());
  await sealMemory(member, TITLE, WORDS);
  await prepare(member);
  await member.browser.open('/sacred-keys');
  await screen.findByText('No key has been made yet');
  return member;
}

const form = () => screen.findByRole('dialog');
const entries = async () => within(await form()).findByLabelText('Specific entry');
const options = (field: HTMLElement) =>
  within(field)
    .getAllByRole('option')
    .map(({ textContent }) => textContent);
const link = async () => textIn(await screen.findByRole('textbox', { name: 'Link' }));

const begin = ({ browser }: Member) => press(browser, 'Create Sacred Key', screen.getByRole('main'));
const submit = async ({ browser }: Member) => press(browser, 'Create Sacred Key', await form());

async function choose({ browser }: Member, label: string, choice: string): Promise<void> {
  await browser.user.selectOptions(within(await form()).getByLabelText(label), choice);
}

/** Fills in the form for the memory, up to the last press. */
async function request(member: Member, { expires = '', passphrase = '' } = {}): Promise<void> {
  await begin(member);
  await choose(member, 'Content type', 'Memory');
  await member.browser.user.selectOptions(
    await entries(),
    within(await entries()).getByRole('option', { name: new RegExp(TITLE) }),
  );
  if (expires) await choose(member, 'Expires after', expires);
  if (passphrase) {
    await fill(member.browser, within(await form()).getByLabelText(/^Passphrase/), passphrase);
  }
}

/** Makes a key for the memory and closes what is shown of it. Returns the link. */
async function makeKey(member: Member, given: Parameters<typeof request>[1] = {}): Promise<string> {
  await request(member, given);
  await submit(member);
  await expectToast('Sacred Key Created', 'Its link is on your clipboard.');
  const made = await link();
  await press(member.browser, 'Done');
  await expectNoDialog();
  return made;
}

/** Shows a link to somebody who has never been here. */
async function openLink(address: string) {
  const reader = openBrowser(instance());
  await reader.open(address);
  return reader;
}

async function expectWords(...parts: string[]): Promise<void> {
  const { textContent } = await screen.findByRole('article');
  for (const part of parts) expect(textContent).toContain(part);
}

const heading = (name: string) => screen.findByRole('heading', { name, level: 1 });
const isDisabled = (row: HTMLElement, name: RegExp) =>
  within(row).getByRole<HTMLButtonElement>('button', { name }).disabled;

test('a memory goes to one reader, its link to nobody else, and its owner sees when it was opened', async () => {
  const member = await openKeys();
  const { browser } = member;
  const sent: string[] = [];
  browser.network.intercept(async (made, forward) => {
    sent.push(`${made.url} ${await made.clone().text()}`);
    return forward();
  });
  const made = await makeKey(member);
  expect(await navigator.clipboard.readText()).toBe(made);
  const [, secret = ''] = made.split('#');
  expect(secret).toHaveLength(43);
  expect(sent.join('\n')).not.toContain(secret);
  expect((await findRow(TITLE)).textContent).toMatch(/Active.*Expires \d+ \w+ \d{4}, \d\d:\d\d/);

  const reader = await openLink(made);
  await press(reader, 'Open and read');
  await expectWords(TITLE, WORDS);

  await browser.open('/sacred-keys');
  const row = await findRow(TITLE);
  expect(row.textContent).toMatch(/Used.*Opened on \d+ \w+ \d{4}, \d\d:\d\d/);
  expect(isDisabled(row, /^Copy link/)).toBe(true);
  await press(browser, /^Delete/, row);
  await press(browser, 'Delete it', await screen.findByRole('alertdialog'));
  await expectToast('Sacred Key Deleted');
  await screen.findByText('No key has been made yet');
});

test('a key with a passphrase says so in the list, and opens with it alone', async () => {
  const member = await openKeys();
  const made = await makeKey(member, { passphrase: PASSPHRASE, expires: '1 day' });
  const { textContent } = await findRow(TITLE);
  expect(textContent).toContain('Memory, with a passphrase');
  expect(textContent).toContain('Expires 2 June 2030, 14:00');
  const reader = await openLink(made);
  await fill(reader, await screen.findByLabelText('Passphrase'), 'plum pie');
  await press(reader, 'Open and read');
  await screen.findByText(/Nothing was lost/);
  await fill(reader, screen.getByLabelText('Passphrase'), PASSPHRASE);
  await press(reader, 'Open and read');
  await expectWords(TITLE, WORDS);
});

test('a recorded moment goes with its person, its kind and its weight', async () => {
  const member = await openKeys(({ postSealed }) =>
    postSealed(
      '/api/relationship-entries',
      'relationship',
      { personName: 'Agnes', encryptedContent: 'She kept bees.' },
      { eventType: 'confession', emotionalWeight: 5 },
    ),
  );
  await begin(member);
  await choose(member, 'Content type', 'Relationship');
  const [none, moment = '', ...others] = options(await entries());
  expect([none, ...others]).toEqual(['Choose a recorded moment']);
  expect(moment).toMatch(/^Agnes · Confession · /);
  await choose(member, 'Specific entry', moment);
  await submit(member);
  await expectToast('Sacred Key Created');
  const reader = await openLink(await link());
  await press(reader, 'Open and read');
  await expectWords('Agnes', 'Confession', 'Life-changing, 5 of 5', 'She kept bees.');
});

test('six words can be chosen for it, and are shown until something else is typed', async () => {
  const member = await openKeys();
  await begin(member);
  await press(member.browser, 'Choose six words for me');
  const shown = 'Write these down before you go on:';
  await screen.findByText(shown);
  const field = within(await form()).getByLabelText(/^Passphrase/);
  expect(textIn(field).split(' ')).toHaveLength(6);
  await fill(member.browser, field, 'my own');
  expect(screen.queryByText(shown)).toBeNull();
});

test('type and entry are both needed; another type clears the entry; locked memories are not offered', async () => {
  const timeLockUntil = new Date(Date.now() + 365 * DAY).toISOString();
  const member = await openKeys((who) => sealMemory(who, 'For the wedding', 'Dance.', { timeLockUntil }));
  await begin(member);
  await submit(member);
  await expectToast('Incomplete Key Request', 'Please select both content type and specific entry.');
  const dialog = await form();
  expect(textIn(within(dialog).getByLabelText('Expires after'))).toBe('168');
  await choose(member, 'Content type', 'Memory');
  expect(options(await entries())).toEqual(['Choose a memory', expect.stringMatching(TITLE)]);
  expect(dialog.textContent).toContain('Not offered: 1 is time-locked.');
  await choose(member, 'Specific entry', options(await entries())[1] ?? '');
  await choose(member, 'Content type', 'Relationship');
  await within(dialog).findByText(/There is no recorded moment that could be shared yet\./);
  await choose(member, 'Content type', 'Memory');
  expect(textIn(await entries())).toBe('');
  toasts.dismiss();
  await submit(member);
  await expectToast('Incomplete Key Request');
  expect(member.browser.network.asked).not.toContain('POST /api/shareable-keys');
});

test('many entries can be searched, by their words as well', async () => {
  const member = await openKeys(async (who) => {
    for (let i = 1; i <= 12; i += 1) await sealMemory(who, `Page ${i}`, i === 7 ? 'herring' : 'rain');
  });
  await begin(member);
  await choose(member, 'Content type', 'Memory');
  await fill(member.browser, await screen.findByRole('searchbox', { name: 'Search' }), 'herring');
  await screen.findByText('1 found.');
  expect(options(await entries())).toEqual(['Choose a memory', expect.stringMatching(/^Page 7 ·/)]);
});

/** What a code says that is drawn as one path of runs. */
function readCode(code: Element): string {
  const size = Number(code.getAttribute('viewBox')?.split(' ')[2]);
  const path = code.querySelector('path')?.getAttribute('d') ?? '';
  const scale = 6;
  const side = size * scale;
  const data = new Uint8Array(side * side * 4).fill(255);
  for (const [, x, y, length] of path.matchAll(/M(\d+) (\d+)h(\d+)/g)) {
    for (let line = Number(y) * scale; line < (Number(y) + 1) * scale; line += 1) {
      const start = (line * side + Number(x) * scale) * 4;
      data.fill(0, start, start + Number(length) * scale * 4);
    }
  }
  return decodeQR({ width: side, height: side, data });
}

test('the QR code says the link, and the link can be shown and copied again', async () => {
  const member = await openKeys();
  const { browser } = member;
  const made = await makeKey(member);
  await browser.reload();
  const row = await findRow(TITLE);
  await navigator.clipboard.writeText('');
  await press(browser, /^Copy link/, row);
  await expectToast('Link Copied');
  expect(await navigator.clipboard.readText()).toBe(made);
  await press(browser, /^Show/, row);
  await form();
  expect(await link()).toBe(made);
  expect(readCode(screen.getByRole('img', { name: 'The link as a QR code' }))).toBe(made);
});

test('a browser that shares hands the link over by its own sheet, and nothing else with it', async () => {
  const shared = vi.fn(async () => {});
  Object.defineProperty(navigator, 'share', { configurable: true, value: shared });
  onTestFinished(() => void Reflect.deleteProperty(navigator, 'share'));
  const member = await openKeys();
  const made = await makeKey(member);
  await member.browser.reload();
  await press(member.browser, /^Show/, await findRow(TITLE));
  await press(member.browser, 'Share', await form());
  expect(shared).toHaveBeenCalledWith({ url: made });
});

test('a browser that refuses the clipboard says so, and shows the link to be copied by hand', async () => {
  const member = await openKeys();
  const refusal = new DOMException('no', 'NotAllowedError');
  vi.spyOn(navigator.clipboard, 'writeText').mockRejectedValue(refusal);
  await request(member);
  await submit(member);
  await expectToast('Sacred Key Created', 'This browser did not let the link be copied.');
  await screen.findByText(/Copy it from this line\./);
  expect(await link()).toMatch(/\/share\/.*#/);
  await press(member.browser, 'Done');
  await press(member.browser, /^Copy link/, await findRow(TITLE));
  await expectToast('The link could not be copied');
});

test('a key whose words do not arrive is not called made, and does not stay', async () => {
  const member = await openKeys();
  member.browser.network.intercept(async ({ method, url }, forward) => {
    if (SEAL.test(`${method} ${url}`)) throw unreachable();
    return forward();
  });
  await request(member);
  await submit(member);
  await expectToast('Failed to Create Key', 'The server could not be reached.');
  await screen.findByRole('dialog', { name: 'Create Sacred Key' });
  await press(member.browser, 'Cancel');
  await screen.findByText('No key has been made yet');
  expect(await member.call('GET', '/api/shareable-keys')).toEqual([]);
});

test('a key whose words arrived although the answer was lost is made, once', async () => {
  const member = await openKeys();
  loseAnswer(member.browser.network, SEAL);
  await makeKey(member);
  const [row] = await expectRows(TITLE);
  expect(row?.textContent).toContain('Active');
});

test('a key whose page went away before its words arrived is listed as not ready, and its link says so', async () => {
  const member = await openKeys();
  const mend = member.browser.network.intercept(async ({ url }, forward) => {
    if (url.includes('/api/shareable-keys/')) throw unreachable();
    return forward();
  });
  await request(member);
  await submit(member);
  await expectToast('Failed to Create Key');
  mend();
  await press(member.browser, 'Cancel');
  const [row] = await expectRows('Not ready');
  expect(row && isDisabled(row, /^Copy link/)).toBe(true);

  const [key] = await member.call<{ keyId: string }[]>('GET', '/api/shareable-keys');
  const reader = await openLink(`/share/${key?.keyId}`);
  await heading('This link is not ready yet');
  await press(reader, 'Look again');
  await waitFor(() => expect(reader.network.asked).toHaveLength(2));
  await heading('This link is not ready yet');
});

test('a revoked key opens nothing, and only after a question', async () => {
  const member = await openKeys();
  const { browser } = member;
  const made = await makeKey(member);
  await press(browser, /^Revoke/, await findRow(TITLE));
  const asked = () => screen.findByRole('alertdialog', { name: `Revoke the key to “${TITLE}”?` });
  await press(browser, 'Cancel', await asked());
  await expectNoDialog();
  expect((await findRow(TITLE)).textContent).toContain('Active');
  await press(browser, /^Revoke/, await findRow(TITLE));
  await press(browser, 'Revoke it', await asked());
  await expectToast('Sacred Key Revoked');
  await screen.findByText('No key has been made yet');
  await openLink(made);
  await heading('This link leads nowhere');
});

test('an expired key says so to its owner, whose page stood open, and to whoever holds it', () =>
  whileTimeStands(async (pass) => {
    const member = await openKeys();
    const made = await makeKey(member, { expires: '1 hour' });
    pass(DAY);
    const row = await findRow(TITLE);
    await waitFor(() => expect(row.textContent).toContain('Expired'));
    expect(isDisabled(row, /^Copy link/)).toBe(true);
    expect(within(row).queryByRole('button', { name: /^Show/ })).toBeNull();
    await openLink(made);
    await heading('This link has expired');
  }));
