// The Ark as the settings make it, below the browser: what is in it and what is not. That its page opens by itself is told in
// e2e/ark.spec.ts, and that nothing else opens it in src/ark.
import { screen, waitFor, within } from '@testing-library/dom';
import { expect, test, vi } from 'vitest';
import { readArk } from '../../../../ark/testing/read-ark.ts';
import { combineSheets } from '../../../../crypto/guardian-kit.ts';
import { sheetFromText } from '../../../../crypto/guardian-sheet.ts';
import { fingerprintOf } from '../../../../crypto/vault-key.ts';
import { DAY } from '../../../../shared/time.ts';
import { makeKit, type WholeKit } from '../../../../vault/outbox/kit-writer.ts';
import { openSettings, postMemory } from '../../../testing/another-key.ts';
import { expectText } from '../../../testing/archives.ts';
import type { Browser } from '../../../testing/browser.tsx';
import { aDevice, aVaultWith } from '../../../testing/devices.ts';
import { watchDownloads } from '../../../testing/downloads.ts';
import { anInstance } from '../../../testing/instance.ts';
import { ANSWERS, enterAsMember } from '../../../testing/member.ts';
import { expectNoDialog, expectToast, press } from '../../../testing/steps.ts';
import { makeArk as makeArkOf } from './ark-work.ts';

const instance = anInstance();

/** Makes one in the settings. @param choose what else is chosen there @returns its page */
async function makePage(browser: Browser, choose: (dialog: HTMLElement) => Promise<void> = async () => {}) {
  const nextDownload = watchDownloads();
  await press(browser, 'Export');
  const dialog = await screen.findByRole('dialog', { name: 'Export' });
  await browser.user.selectOptions(await within(dialog).findByLabelText('Form'), 'ark');
  await choose(dialog);
  await press(browser, 'Make the Ark', dialog);
  const { name, bytes } = await nextDownload();
  await expectToast('Export Initiated');
  await expectNoDialog();
  expect(name).toMatch(/^latebra-ark-\d{4}-\d\d-\d\d\.html$/);
  return new TextDecoder().decode(bytes);
}

/** @param key the vault's, which its words are @returns what is in one that opens with them alone */
const makeArk = async (browser: Browser, key: Uint8Array) => readArk(await makePage(browser), key);

const kitCheckbox = (name: string) => ({
  name: `Opens with the sheets of “${name}” as well, at once and without the wait`,
});

test('what can be read is in it, what its author did not write is marked, and what stays behind is named', async () => {
  const member = await enterAsMember(instance());
  await postMemory(member, 'A bell', 'It rings.');
  await member.postSealed('/api/memory-entries', 'memory', {
    title: 'From elsewhere',
    encryptedContent: 'Somebody else sent this.',
    details: JSON.stringify({ arrived: { by: 'webhook', id: 1 }, tags: ['mail'], v: 1 }),
  });
  const timeLockUntil = new Date(Date.now() + 365 * DAY).toISOString();
  await postMemory(member, 'For later', 'Not yet.', { timeLockUntil });
  await openSettings(member.browser);
  const { entries, leftOut } = await makeArk(member.browser, member.key);
  const titled = (title: string) => entries.find((entry) => entry.title === title);
  expect(entries).toHaveLength(2 + ANSWERS.length);
  expect(titled('A bell')).toMatchObject({ kind: 'memory', text: 'It rings.', facts: [] });
  expect(titled('From elsewhere')).toMatchObject({ facts: ['Arrived by webhook'], tags: ['mail'] });
  expect(entries.filter(({ kind }) => kind === 'answer').map(({ text }) => text)).toEqual(
    expect.arrayContaining([...ANSWERS]),
  );
  expect(leftOut).toEqual([expect.stringMatching(/^Locked until .*For later$/)]);
});

test('one of a server that leaves something out says so first', async () => {
  const { member, devices } = await aVaultWith(instance(), 1);
  await devices[0]?.writeMemory('The orchard');
  const hidden = await devices[0]?.writeMemory('The well');
  await openSettings(member.browser);
  expect((await makeArk(member.browser, member.key)).leftOut).toEqual([]);
  await instance()
    .deps.db.deleteFrom('memory_entries')
    .where('id', '=', hidden?.id ?? 0)
    .execute();
  const { entries, leftOut } = await makeArk(member.browser, member.key);
  expect(entries.map(({ title }) => title)).toContain('The orchard');
  expect(leftOut[0]).toBe(
    'Something was wrong when this was made: This server does not show 1 entry that your vault’s book has. This Ark has what was shown.',
  );
  await press(member.browser, 'Export');
  await expectText(await screen.findByRole('dialog', { name: 'Export' }), 'does not show 1 entry');
});

test('it opens with the sheets of a kit that is chosen, and of no other one', async () => {
  const member = await enterAsMember(instance());
  await postMemory(member, 'A bell', 'It rings.');
  const { vault } = aDevice(instance(), member);
  const guardians = ['Imre', 'Ada', 'Noor'];
  const family = await makeKit(vault, { name: 'The family', guardians, needed: 2, waitDays: 14 });
  const friends = await makeKit(vault, { name: 'Friends', guardians, needed: 3, waitDays: 14 });
  await openSettings(member.browser);
  const page = await makePage(member.browser, async (dialog) => {
    await within(dialog).findByRole('checkbox', kitCheckbox('Friends'));
    await expectText(dialog, 'Any 2 of these sheets and this file are enough. You are not told');
    await member.browser.user.click(within(dialog).getByRole('checkbox', kitCheckbox('The family')));
  });
  const secretOf = async ({ details }: WholeKit, places: readonly number[]) => {
    const sheets = places.map((place) => sheetFromText(details.guardians[place]?.sheet ?? ''));
    return (await combineSheets(sheets)).secret ?? new Uint8Array();
  };
  for (const [kind, secret] of [
    ['words', member.key],
    ['guardians', await secretOf(family, [2, 0])],
    ['guardians', await secretOf(family, [1, 2])],
  ] as const)
    expect((await readArk(page, secret, kind)).entries.map(({ title }) => title)).toContain('A bell');
  await expect(readArk(page, await secretOf(friends, [0, 1, 2]), 'guardians')).rejects.toThrow(
    'another-secret',
  );
  // The secret of a kit is in no Ark, also where its words are read.
  expect(JSON.stringify(await readArk(page, member.key))).not.toContain(family.details.secret);
});

test('a vault without kits is asked nothing of guardians, and its Ark opens with no sheets', async () => {
  const member = await enterAsMember(instance());
  await openSettings(member.browser);
  const asked: string[] = [];
  member.browser.network.intercept(async (request, forward) => {
    const answer = await forward();
    asked.push(new URL(request.url).pathname);
    return answer;
  });
  const page = await makePage(member.browser, async (dialog) => {
    await within(dialog).findByRole('checkbox', { name: 'Let it open with a passphrase as well' });
    // Its kits are fetched for the export, and for the choice.
    await waitFor(() =>
      expect(asked.filter((path) => path === '/api/guardian-kits').length).toBeGreaterThanOrEqual(2),
    );
    expect(within(dialog).getAllByRole('checkbox')).toHaveLength(1);
  });
  await expect(readArk(page, member.key, 'guardians')).rejects.toThrow('It does not open with guardians.');
});

test('whoever cancels while a passphrase is stretched ends that work', async () => {
  const key = Uint8Array.from({ length: 32 }, (_, i) => i);
  const fingerprint = await fingerprintOf(key);
  const vault = { fingerprint, loadKey: () => Buffer.from(key).toString('hex') };
  const stopping = new AbortController();
  const ended = vi.fn();
  const { Worker } = globalThis;
  class Unending {
    terminate = ended;
    postMessage = () => stopping.abort();
  }
  Object.assign(globalThis, { Worker: Unending });
  const { signal } = stopping;
  const options = { passphrase: 'plum cake on a stone wall', kits: [], finding: null, signal };
  const making = makeArkOf({} as never, vault as never, options);
  await expect(making.finally(() => Object.assign(globalThis, { Worker }))).rejects.toThrow('aborted');
  expect(ended).toHaveBeenCalled();
});
