// The Ark as the settings make it, below the browser: what is in it and what is not. That its page opens by itself is told in
// e2e/ark.spec.ts, and that nothing else opens it in src/ark.
import { screen, within } from '@testing-library/dom';
import { expect, test } from 'vitest';
import { readArk } from '../../../../ark/testing/read-ark.ts';
import { DAY } from '../../../../shared/time.ts';
import { openSettings, postMemory } from '../../../testing/another-key.ts';
import { expectText } from '../../../testing/archives.ts';
import type { Browser } from '../../../testing/browser.tsx';
import { aVaultWith } from '../../../testing/devices.ts';
import { watchDownloads } from '../../../testing/downloads.ts';
import { anInstance } from '../../../testing/instance.ts';
import { ANSWERS, enterAsMember } from '../../../testing/member.ts';
import { expectNoDialog, expectToast, press } from '../../../testing/steps.ts';

const instance = anInstance();

/** Makes one in the settings. @param key the vault's, which its words are @returns what is in it */
async function makeArk(browser: Browser, key: Uint8Array) {
  const nextDownload = watchDownloads();
  await press(browser, 'Export');
  const dialog = await screen.findByRole('dialog', { name: 'Export' });
  await browser.user.selectOptions(await within(dialog).findByLabelText('Form'), 'ark');
  await press(browser, 'Make the Ark', dialog);
  const { name, bytes } = await nextDownload();
  await expectToast('Export Initiated');
  await expectNoDialog();
  expect(name).toMatch(/^latebra-ark-\d{4}-\d\d-\d\d\.html$/);
  return readArk(new TextDecoder().decode(bytes), key);
}

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
