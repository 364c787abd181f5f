// A change of the key before a server that lies about guardians' kits: whose sheets open the next key is for the book to say.
import { screen } from '@testing-library/dom';
import { expect, test } from 'vitest';
import { fromBase64Url } from '../../../../crypto/base64.ts';
import { unwrapUnderKit } from '../../../../crypto/guardian-kit.ts';
import { fingerprintOf } from '../../../../crypto/vault-key.ts';
import { type GuardianKit, guardianKits } from '../../../../shared/nouns/guardian-kits.ts';
import { makeKit, removeKit, type WholeKit } from '../../../../vault/outbox/kit-writer.ts';
import { changeKey, keyIn, openSettings, writeNewWords } from '../../../testing/another-key.ts';
import { aVaultWith, type Device } from '../../../testing/devices.ts';
import { anInstance } from '../../../testing/instance.ts';
import type { Network } from '../../../testing/network.ts';
import { press } from '../../../testing/steps.ts';
import { beginRegeneration } from './regenerate.ts';

const instance = anInstance();
const KITS = '/api/guardian-kits';

const newKit = ({ vault }: Device, name: string): Promise<WholeKit> =>
  makeKit(vault, { name, guardians: ['Imre', 'Ada'], needed: 2, waitDays: 14 });

/** A vault with one kit that is there and one that was removed, as the server had both. */
async function aKitAndOneRemoved() {
  const { member, devices } = await aVaultWith(instance(), 1);
  const [device] = devices as [Device];
  const removed = await newKit(device, 'The cousins');
  const there = await newKit(device, 'The family');
  const shown: GuardianKit[] = await device.vault.api.send(guardianKits.list, {});
  await removeKit(device.vault, removed);
  return { member, device, there, removed, shown };
}

/** Has the server list these kits, whatever it has. */
function listKits({ intercept }: Network, kits: readonly GuardianKit[]): void {
  intercept(async (request, forward) =>
    request.method === 'GET' && new URL(request.url).pathname === KITS ? Response.json(kits) : forward(),
  );
}

test('a removed kit that the server shows again is named, and its sheets are not given the next key', async () => {
  const { device, there, removed, shown } = await aKitAndOneRemoved();
  listKits(device.network, shown);
  const survey = await beginRegeneration(device.vault);
  expect(survey.kits).toEqual(['The family']);
  expect(survey.unknownKits).toEqual([{ kind: 'guardian-kit', id: removed.id }]);
  const kits = survey.opened.filter(({ entry: { kind } }) => kind === 'guardian-kit');
  expect(kits.map(({ entry: { id } }) => id)).toEqual([there.id]);
});

test('the next key is wrapped for the kit that was judged, not for what the server shows under its number later', async () => {
  const { member, there, removed, shown } = await aKitAndOneRemoved();
  const { browser } = member;
  let wraps: { id: number; wrap: string }[] = [];
  browser.network.intercept(async (request, forward) => {
    if (new URL(request.url).pathname.endsWith('/regeneration/finish'))
      wraps = ((await request.clone().json()) as { kits: typeof wraps }).kits;
    return forward();
  });
  await openSettings(browser);
  await press(browser, 'Regenerate');
  await press(browser, 'Re-seal everything');
  const found = await screen.findByRole('dialog', { name: 'What was found' });
  expect(found.textContent).toContain('Guardians’ kits“The family”');
  const again = shown.filter(({ id }) => id === removed.id).map((kit) => ({ ...kit, id: there.id }));
  listKits(browser.network, again);
  await press(browser, 'Go on', found);
  await writeNewWords(browser);
  await changeKey(member);
  expect(wraps.map(({ id }) => id)).toEqual([there.id]);
  const key = await unwrapUnderKit(fromBase64Url(there.details.secret), wraps[0]?.wrap ?? '');
  expect(await fingerprintOf(key)).toBe((await keyIn(member)).fingerprint);
});
