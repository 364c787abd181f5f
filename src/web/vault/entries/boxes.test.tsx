// What a server has sealed to a vault, in the browser that opens it: shown, marked, and sealed anew under the vault's own
// key. What is sealed here came by a real delivery.
import { screen, waitFor } from '@testing-library/dom';
import { describe, expect, test } from 'vitest';
import { createClientKey } from '../../../crypto/client-key.ts';
import { sealKeyRing } from '../../../crypto/key-ring.ts';
import { isSealedBox } from '../../../crypto/sealed-box.ts';
import { deriveContentKey, generateVaultKey, vaultKeyToHex } from '../../../crypto/vault-key.ts';
import type { Memory } from '../../../shared/nouns/memory.ts';
import { makeWebhook } from '../../../testing/deliveries.ts';
import { forgeBoxes } from '../../../testing/sealed-boxes.ts';
import { aDelivery, aPayload, pathOf } from '../../../testing/signed-deliveries.ts';
import {
  beginResealing,
  changeKey,
  keyIn,
  memoryRows,
  openMemory,
  openSettings,
  writeNewWords,
} from '../../testing/another-key.ts';
import type { Browser } from '../../testing/browser.tsx';
import { anInstance } from '../../testing/instance.ts';
import { asPerson, enterAsMember, type Member } from '../../testing/member.ts';
import { readMemory } from '../../testing/memories.ts';
import { interceptOnce } from '../../testing/network.ts';
import { expectNoDialog, expectRows, findRow, press } from '../../testing/steps.ts';
import { keepKey } from '../device/key-slot.ts';
import { openField } from './testing/sealing.ts';

const instance = anInstance();
const RESEAL = 'POST /api/encryption-key/reseal';

async function deliver(member: Member, ...all: object[]) {
  const webhook = await makeWebhook(asPerson(instance(), member), {
    ...(await member.sealed('webhook', 'A'.repeat(22), { name: 'Telephone' })),
    sealId: 'A'.repeat(22),
    keyFingerprint: member.fingerprint,
  });
  for (const data of all) {
    const sent = aDelivery(webhook, { at: Date.now(), payload: aPayload(data) });
    expect((await instance().request('POST', pathOf(webhook), sent)).status).toBe(204);
  }
  return webhook;
}
const rows = (member: Member) => member.call<Memory[]>('GET', '/api/memory-entries');
const resealed = ({ network }: Browser) => network.asked.filter((one) => one === RESEAL).length;
const untilSealed = (member: Member) =>
  waitFor(async () => {
    const all = await rows(member);
    expect(all.some(({ title }) => isSealedBox(title))).toBe(false);
    return all as [Memory, ...Memory[]];
  });
const titled = (title: string, content = `Words of ${title}.`) => ({ title, content });

describe('what a server has sealed', () => {
  test('is shown with its mark, sealed anew under the vault’s own key, and keeps the mark', async () => {
    const member = await enterAsMember(instance());
    const data = { ...titled('The harbour'), happenedOn: '2019-05-17', tags: ['sea'] };
    const { id } = await deliver(member, data);
    const [before] = (await rows(member)) as [Memory];
    expect(
      [before.title, before.encryptedContent, before.details].every((text) => isSealedBox(text ?? '')),
    ).toBe(true);
    await member.browser.open('/memory-vault');
    const [row] = (await expectRows('The harbour')) as [HTMLElement];
    expect(row.textContent).toContain('Arrived by webhook');
    expect(row.textContent).toContain('sea');
    const [after] = await untilSealed(member);
    const { sealId, version, updatedAt, keyFingerprint } = before;
    expect(after).toMatchObject({ sealId, version, updatedAt, keyFingerprint });
    const opened = (field: 'title' | 'encryptedContent' | 'details') =>
      openField(member.contentKey, 'memory', `arrived/${field}`, { sealId }, after[field]);
    expect(await opened('title')).toBe('The harbour');
    expect(await opened('encryptedContent')).toBe('Words of The harbour.');
    expect(JSON.parse(await opened('details'))).toEqual({
      arrived: { by: 'webhook', id },
      happenedOn: '2019-05-17',
      tags: ['sea'],
      v: 1,
    });
    await member.browser.reload();
    const reader = await readMemory(member, await findRow('Arrived by webhook'));
    await waitFor(() => expect(reader.textContent).toContain('Arrived by webhook “Telephone”'));
    expect(reader.textContent).toContain('Words of The harbour.');
    expect(resealed(member.browser)).toBe(1);
  });

  test.each([
    ['left out', null],
    ['spoiled', 'c3BvaWxlZCBkZXRhaWxzIGFzIGxvbmcgYXMgYSBzZWFs'],
  ])('keeps its mark where a server has its details %s, also when it is edited then', async (_, details) => {
    const member = await enterAsMember(instance());
    await deliver(member, titled('The harbour'));
    await member.browser.open('/memory-vault');
    const [row] = await untilSealed(member);
    const { db } = instance().deps;
    const lie = () => db.updateTable('memory_entries').set({ details }).where('id', '=', row.id).execute();
    await lie();
    await member.browser.reload();
    const shown = await findRow('The harbour');
    expect(shown.textContent).toContain('Arrived from outside');
    await press(member.browser, 'Edit', await readMemory(member, shown));
    await press(member.browser, 'Seal Memory');
    await waitFor(async () => expect((await rows(member))[0]?.version).toBe(row.version + 1));
    await expectNoDialog();
    await lie();
    await member.browser.reload();
    expect((await findRow('The harbour')).textContent).toContain('Arrived from outside');
  });

  test('opens nowhere where nothing arrives, such as the ledger', async () => {
    const member = await enterAsMember(instance());
    const sealId = 'B'.repeat(22);
    const { recipient } = await createClientKey(member.key, { generation: 1, before: null });
    const texts = { personName: 'Forged name', encryptedContent: 'Forged words' };
    await member.call('POST', '/api/relationship-entries', {
      ...(await forgeBoxes(recipient, { kind: 'relationship', sealId }, texts)),
      eventType: 'moment',
      sealId,
      keyFingerprint: member.fingerprint,
    });
    await member.browser.open('/relationship-ledger');
    await screen.findByText(/Unreadable with this key/);
    expect(document.body.textContent).not.toContain('Forged');
  });

  test('can be edited while it is being sealed anew, and no version is lost or disputed', async () => {
    const member = await enterAsMember(instance());
    await deliver(member, titled('Before'));
    await member.browser.open('/memory-vault');
    await press(member.browser, 'Edit', await readMemory(member, await findRow('Before')));
    await untilSealed(member);
    await press(member.browser, 'Seal Memory');
    await waitFor(async () => expect((await rows(member))[0]?.version).toBe(2));
    expect((await findRow('Before')).textContent).toContain('Arrived by webhook');
  });

  test('is many at once: the list grows, and a few are sealed anew in each request', async () => {
    const member = await enterAsMember(instance());
    const titles = Array.from({ length: 25 }, (_, n) => `Delivery ${n + 1}`);
    await member.postSealed('/api/memory-entries', 'memory', { title: 'Mine', encryptedContent: 'Mine.' });
    await deliver(member, ...titles.map((title) => titled(title)));
    await member.browser.open('/memory-vault');
    await untilSealed(member);
    expect(resealed(member.browser)).toBe(2);
    await member.browser.reload();
    await screen.findByPlaceholderText(/^Search 26 memories/);
    expect(resealed(member.browser)).toBe(2);
  }, 60_000);

  test.each([
    [503, {}],
    [403, { code: 'proof-needed', message: 'Prove once more that it is you.' }],
  ])(
    'is read where sealing it anew is answered %i, without a word about that, and is tried again',
    async (status, problem) => {
      const member = await enterAsMember(instance());
      await deliver(member, titled('The harbour'));
      interceptOnce(member.browser.network, /reseal$/, async () => Response.json(problem, { status }));
      await member.browser.open('/memory-vault');
      await expectRows('The harbour');
      await member.browser.network.idle();
      expect(screen.queryByRole('alert')).toBeNull();
      expect(screen.queryByRole('dialog')).toBeNull();
      expect(isSealedBox((await rows(member))[0]?.title ?? '')).toBe(true);
      await member.browser.reload();
      await expectRows('The harbour');
      await untilSealed(member);
    },
  );

  test('is sealed anew once where two tabs do it', async () => {
    const member = await enterAsMember(instance());
    await deliver(member, titled('The harbour'));
    const [box] = (await rows(member)) as [Memory];
    let twice: Promise<Response> | null = null;
    // The other tab has sent its own, which comes first.
    interceptOnce(member.browser.network, /reseal$/, async (forward) => {
      const sealed = await member.sealed('memory', box.sealId ?? '', {
        ...{ title: 'The harbour', encryptedContent: 'Words of the other tab.', details: '{"v":1}' },
      });
      const entries = [{ kind: 'memory', id: box.id, version: box.version, ...sealed }];
      await member.call('POST', '/api/encryption-key/reseal', {
        keyFingerprint: member.fingerprint,
        entries,
      });
      twice = forward();
      return twice;
    });
    await member.browser.open('/memory-vault');
    await expectRows('The harbour');
    await untilSealed(member);
    await member.browser.network.idle();
    // It came with an entry of the book, which would have said something else.
    expect((await (twice as unknown as Promise<Response>)).status).toBe(409);
    const [row] = (await memoryRows(member)) as [Awaited<ReturnType<typeof memoryRows>>[number]];
    expect(row.version).toBe(1);
    expect(await openMemory(row, await keyIn(member))).toEqual(['The harbour', 'Words of the other tab.']);
  });

  test('is unreadable where it was moved or changed, and is not sealed anew', async () => {
    const member = await enterAsMember(instance());
    await deliver(member, titled('One'), titled('Two'), titled('Three'));
    const { db } = instance().deps;
    const [three, two, one] = (await rows(member)) as [Memory, Memory, Memory];
    const set = (id: number, fields: object) =>
      db.updateTable('memory_entries').set(fields).where('id', '=', id).execute();
    // Another row's title; the words in the place of the title; a bit.
    await set(one.id, { title: two.title });
    await set(two.id, { title: two.encryptedContent });
    await set(three.id, { title: `${three.title.slice(0, -8)}AAAAAAA=` });
    await member.browser.open('/memory-vault');
    const unreadable = 'Unreadable with this key';
    await expectRows(unreadable, unreadable, unreadable);
    await member.browser.network.idle();
    expect(resealed(member.browser)).toBe(0);
  });

  test('says that it arrived, also where the server has left that out', async () => {
    const member = await enterAsMember(instance());
    await deliver(member, titled('Unsaid'));
    const { db } = instance().deps;
    const [box] = (await rows(member)) as [Memory];
    await db.updateTable('memory_entries').set({ details: null }).where('id', '=', box.id).execute();
    await member.browser.open('/memory-vault');
    expect((await findRow('Unsaid')).textContent).toContain('Arrived from outside');
    const [row] = await untilSealed(member);
    expect(await openField(member.contentKey, 'memory', 'arrived/details', box, row.details)).toBe(
      '{"arrived":{"by":"server"},"v":1}',
    );
  });

  test('goes under the new key when the key is changed, unseen until then', async () => {
    const member = await enterAsMember(instance());
    await deliver(member, titled('The harbour'));
    await openSettings(member.browser);
    await beginResealing(member.browser);
    await writeNewWords(member.browser);
    await changeKey(member);
    const key = await keyIn(member);
    const [row] = (await memoryRows(member)) as [Awaited<ReturnType<typeof memoryRows>>[number]];
    expect(row.keyFingerprint).toBe(key.fingerprint);
    const words = await Promise.all(
      (['title', 'encryptedContent'] as const).map((field) =>
        openField(key.contentKey, 'memory', `arrived/${field}`, row, row[field]),
      ),
    );
    expect(words).toEqual(['The harbour', 'Words of The harbour.']);
    // And what the webhook is called.
    const [webhook] = await member.call<{ name: string; sealId: string; keyFingerprint: string }[]>(
      'GET',
      '/api/import-webhooks',
    );
    expect(webhook?.keyFingerprint).toBe(key.fingerprint);
    if (!webhook) throw new Error('there is no webhook');
    expect(await openField(key.contentKey, 'webhook', 'name', webhook, webhook.name)).toBe('Telephone');
  });

  test.each([
    ['is sealed anew under the present key where it had to stay under an older one', true],
    ['stays as it is under an older key that has not noted it', false],
  ])('%s', async (_, noted) => {
    const member = await enterAsMember(instance());
    await deliver(member, titled('The harbour'));
    const [box] = (await rows(member)) as [Memory];
    const [answers] = [await member.call<{ sealId: string }>('GET', '/api/onboarding')];
    const path = '/api/encryption-key/regeneration';
    const { id } = await member.call<{ id: string }>('POST', path, { fingerprint: member.fingerprint });
    const webhooks = await member.call<{ id: number }[]>('GET', '/api/import-webhooks');
    const left = [
      { kind: 'onboarding', id: null },
      { kind: 'memory', id: box.id },
      ...webhooks.map((webhook) => ({ kind: 'webhook', id: webhook.id })),
    ];
    await member.call('PUT', path, { id, entries: [], left });
    const key = generateVaultKey();
    const contentKey = await deriveContentKey(key);
    const stayed = [answers.sealId, ...(noted ? [box.sealId ?? ''] : [])];
    await member.call('POST', `${path}/finish`, {
      id,
      previousFingerprint: member.fingerprint,
      clientKey: await createClientKey(key, { generation: 2, before: member.key }),
      keyRing: await sealKeyRing([{ key: member.key, stayed }], contentKey),
      wordsKept: true,
    });
    keepKey(member.user.id, vaultKeyToHex(key));
    await member.browser.open('/memory-vault');
    await findRow('The harbour');
    if (noted) {
      const [row] = await untilSealed(member);
      expect(await openField(contentKey, 'memory', 'arrived/title', box, row.title)).toBe('The harbour');
    } else {
      expect((await findRow('The harbour')).textContent).toContain('Arrived from outside');
      await member.browser.network.idle();
      expect(isSealedBox((await rows(member))[0]?.title ?? '')).toBe(true);
    }
  });
});
