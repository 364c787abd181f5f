// A home server that spoils the row of a letter with sisters, so that they hear nothing of its author, who lives.
import { screen, waitFor, within } from '@testing-library/dom';
import { describe, expect, test, vi } from 'vitest';
import { DAY } from '../../../shared/time.ts';
import { openSettings } from '../../testing/another-key.ts';
import { openScrolls, pressInRow, SCROLL_TITLE } from '../../testing/authoring.ts';
import type { Browser } from '../../testing/browser.tsx';
import { anInstance } from '../../testing/instance.ts';
import { enterAsMember } from '../../testing/member.ts';
import { aToy, join, keptBy, leaveWith, type Toy, watchLetter } from '../../testing/sister-toys.ts';
import { expectNoDialog, expectToast, fill, findRow, press } from '../../testing/steps.ts';
import { readSlot, writeSlot } from '../../vault/device/account-slot.ts';

const instance = anInstance();

type Row = Record<string, unknown>;
type Spoil = (row: Row) => Row;

/** A member whose letter two sisters keep. `spoil` shows its row otherwise from then on, in lists and in answers. */
async function aLetterWithSisters() {
  const { browser, user } = await enterAsMember(instance());
  const [one, two] = (await Promise.all(['one', 'two'].map(aToy))) as [Toy, Toy];
  join(browser, [one, two]);
  await openScrolls(browser);
  await watchLetter(browser);
  const first = await rowsOf(browser);
  await leaveWith(browser);
  await expectToast('Left With Sisters');
  await expectNoDialog();
  // What this page does at rest is behind it: signs of life given later would be true ones.
  await waitFor(() => expect(readSlot('latebra.sisters-looked', user.id)).not.toBeNull());
  const spoil = (spoiling: Spoil, of: (request: Request) => boolean = () => true) =>
    browser.network.intercept(async (request, forward) => {
      const answer = await forward();
      if (!new URL(request.url).pathname.startsWith('/api/legacy-scrolls')) return answer;
      if (!answer.ok || answer.status === 204 || !of(request)) return answer;
      const reply = await answer.json();
      return Response.json(Array.isArray(reply) ? reply.map(spoiling) : spoiling(reply));
    });
  /** As many days later, by what this device remembers. */
  const later = (days: number) => {
    const slot = readSlot('latebra.sisters', user.id) ?? '';
    const ago = Date.now() - days * DAY;
    writeSlot('latebra.sisters', user.id, slot.replace(/(?<="(?:since|tried|reached)":)\d+/g, String(ago)));
    writeSlot('latebra.sisters-looked', user.id, null);
  };
  /** As on another device, which has never heard of any sister. */
  const forget = () => {
    for (const slot of ['latebra.sisters', 'latebra.sisters-looked']) writeSlot(slot, user.id, null);
  };
  return { browser, one, two, first: first[0] as Row, spoil, later, forget };
}

const rowsOf = async ({ network }: Browser): Promise<Row[]> =>
  (await network.fetch('/api/legacy-scrolls')).json();

const changed = (text: unknown) => `${String(text).slice(0, -6)}AAAAAA`;
const SPOILED: Spoil = (row) => ({ ...row, encryptedScrollKey: changed(row.encryptedScrollKey) });

describe.each<[string, Spoil, string]>([
  ['another version', (row) => ({ ...row, version: Number(row.version) + 1 }), 'A letter that was changed'],
  ['another title', (row) => ({ ...row, title: changed(row.title) }), 'Unreadable with this key'],
  ['another key’s name', (row) => ({ ...row, keyFingerprint: '0'.repeat(16) }), 'Unreadable with this key'],
])('a row that is shown with %s', (_, spoiling, title) => {
  test('has its sisters hear of its author all the same, and erase it when it is disarmed', async () => {
    const { browser, one, two, spoil, later } = await aLetterWithSisters();
    spoil(spoiling);
    later(2);
    await browser.reload();
    await findRow(title);
    for (const toy of [one, two]) await waitFor(() => expect(toy.signed).toEqual(['alive', 'alive']));
    expect((await findRow(title)).textContent).toMatch(/Sistersone\.exampleLast reached/);
    expect((await findRow(title)).textContent).not.toContain('earlier version');
    await pressInRow(browser, 'Disarm', title);
    await expectToast('Watch Disarmed');
    for (const toy of [one, two]) expect(keptBy(toy)).toEqual([]);
  });

  test('has them erase it before it is deleted', async () => {
    const { browser, one, two, spoil } = await aLetterWithSisters();
    spoil(spoiling);
    await browser.reload();
    await pressInRow(browser, 'Delete', title);
    await press(browser, 'Delete it', await screen.findByRole('alertdialog'));
    await expectToast('Legacy Scroll Deleted');
    for (const toy of [one, two]) expect(keptBy(toy)).toEqual([]);
  });
});

test('an earlier row, from before its sisters were given it, lets them hear of its author, and has them erase it', async () => {
  const { browser, one, two, first, spoil, later } = await aLetterWithSisters();
  spoil(() => first);
  later(2);
  await browser.reload();
  for (const toy of [one, two]) await waitFor(() => expect(toy.signed).toEqual(['alive', 'alive']));
  await pressInRow(browser, 'Delete');
  await press(browser, 'Delete it', await screen.findByRole('alertdialog'));
  await waitFor(() => expect([keptBy(one), keptBy(two)]).toEqual([[], []]));
});

test('the answer to a press alone, however spoiled, keeps no sister from erasing the letter', async () => {
  const { browser, one, two, spoil } = await aLetterWithSisters();
  const stop = spoil(SPOILED, ({ method }) => method !== 'GET');
  await pressInRow(browser, 'Disarm');
  await expectToast('Watch Disarmed');
  stop();
  for (const toy of [one, two]) expect(keptBy(toy)).toEqual([]);
});

test('words whose answer is spoiled are said not to have reached the sisters', async () => {
  const { browser, one, spoil } = await aLetterWithSisters();
  spoil(SPOILED, ({ method }) => method !== 'GET');
  await pressInRow(browser, 'Edit words');
  await press(browser, 'Seal the change', await screen.findByRole('dialog', { name: 'Edit the words' }));
  await expectToast('Sisters keep an earlier version', 'does not show the letter as you have sealed it');
  expect(keptBy(one)[0]?.letter.edition).toBe(1);
});

describe.each<[string, Spoil]>([
  ['its key spoiled', SPOILED],
  ['its key left out', (row) => ({ ...row, encryptedScrollKey: null })],
  ['another seal number', (row) => ({ ...row, sealId: 'A'.repeat(22) })],
])('a row that is shown with %s', (name, spoiling) => {
  const title = name === 'its key left out' ? SCROLL_TITLE : 'Unreadable with this key';

  test('is neither disarmed nor deleted before it is said who keeps the letter', async () => {
    const { browser, one, spoil } = await aLetterWithSisters();
    spoil(spoiling);
    await browser.reload();
    await pressInRow(browser, 'Disarm', title);
    await expectToast(
      'Failed to Disarm',
      'one.example and two.example were not reached, and keep the letter',
    );
    expect((await rowsOf(browser))[0]).toMatchObject({ isActive: true });
    await pressInRow(browser, 'Disarm', title);
    await expectToast('Watch Disarmed');
    await pressInRow(browser, 'Delete', title);
    const question = await screen.findByRole('alertdialog');
    await press(browser, 'Delete it', question);
    await within(question).findByText(/one\.example and two\.example were not reached, and keep the letter/);
    expect(await rowsOf(browser)).toHaveLength(1);
    await press(browser, 'Delete it', question);
    await expectToast('Legacy Scroll Deleted');
    expect(keptBy(one)).toHaveLength(1);
  });

  test('is said to keep sisters from hearing of its author', async () => {
    const { browser, spoil, later } = await aLetterWithSisters();
    spoil(spoiling);
    later(16);
    // One visit: a second one on the same day would say it no more.
    await browser.open('/memory-vault');
    await expectToast(
      'Sisters of your letters hear nothing of you',
      'so that one.example, two.example could be given',
    );
  });
});

describe.each<[string, (first: Row) => Spoil]>([
  ['with its key spoiled', () => SPOILED],
  ['as it was before it was left with sisters', (first) => () => first],
])('a row that is shown %s on a device that knows of no sisters', (name, spoiling) => {
  const title = name === 'with its key spoiled' ? 'Unreadable with this key' : SCROLL_TITLE;
  const WARNING = /sisters that may keep it cannot be told from here/;

  async function onAnotherDevice() {
    const world = await aLetterWithSisters();
    const { browser, first, spoil, forget } = world;
    forget();
    spoil(spoiling(first));
    await browser.reload();
    await findRow(title);
    await screen.findByText(/This server shows something that your vault’s book does not have|does not show/);
    return world;
  }

  test('is not disarmed before it is said that sisters may keep the letter', async () => {
    const { browser } = await onAnotherDevice();
    await pressInRow(browser, 'Disarm', title);
    await expectToast('Failed to Disarm', 'sisters that may keep it cannot be told from here');
    expect((await rowsOf(browser))[0]).toMatchObject({ isActive: true });
  });

  test('is not deleted before that', async () => {
    const { browser } = await onAnotherDevice();
    await pressInRow(browser, 'Delete', title);
    const question = await screen.findByRole('alertdialog');
    await press(browser, 'Delete it', question);
    await within(question).findByText(WARNING);
    expect(await rowsOf(browser)).toHaveLength(1);
    await press(browser, 'Delete it', question);
    await expectToast('Legacy Scroll Deleted');
  });

  test('has its vault destroyed only after that', async () => {
    const { browser } = await onAnotherDevice();
    const left = vi.spyOn(window.location, 'assign').mockImplementation(() => {});
    await openSettings(browser);
    await press(browser, 'Destroy Vault');
    const question = await screen.findByRole('alertdialog');
    await browser.user.click(await within(question).findByRole('radio', { name: /Disarm them/ }));
    await fill(browser, within(question).getByLabelText('Type DESTROY to go on'), 'DESTROY');
    await press(browser, 'Destroy Vault', question);
    await within(question).findByText(/If you have left one with sisters, they cannot be told from here/);
    expect(left).not.toHaveBeenCalled();
  });
});
