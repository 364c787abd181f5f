// Every kind of sealed row, through all that a vault does with it. A kind without a sample, or for which any of it is
// missing, does not compile or fails here.

import { expect, test } from 'vitest';
import { newSealId } from '../../crypto/seal.ts';
import { deriveContentKey, fingerprintOf, generateVaultKey } from '../../crypto/vault-key.ts';
import { contractRows } from '../../shared/http/contract.ts';
import { DELETED_LASTS } from '../../shared/nouns/entry-calls.ts';
import { importWebhooks } from '../../shared/nouns/import-webhooks.ts';
import { summary } from '../../shared/nouns/summary.ts';
import { usage } from '../../shared/nouns/usage.ts';
import { type KindName, kindNames, resealedSchema, sealedKinds } from '../../shared/sealed-kinds.ts';
import { DAY } from '../../shared/time.ts';
import { sweep } from '../../testing/sweeping.ts';
import { bringIn, missingEntries, total } from '../../vault/archive/bring-in.ts';
import {
  countedAs,
  entriesFromText,
  entriesOf,
  entriesToText,
  exported,
} from '../../vault/archive/entries-file.ts';
import { gather } from '../../vault/archive/gather.ts';
import { bringLetter } from '../../vault/archive/letters.ts';
import type { ShownList } from '../../vault/book/book-rows.ts';
import { inBook } from '../../vault/book/in-book.ts';
import { deletedListOf, everyList, listOf } from '../../vault/book/shown-lists.ts';
import { factsNow } from '../../vault/entries/facts.ts';
import { search } from '../../vault/entries/search.ts';
import {
  chosenOf,
  type EntryKind,
  type EntryKindName,
  type EntryType,
  type ExportedEntry,
  entryFacts,
  sealTexts,
  sharedEntry,
} from '../../vault/kinds/entry-kind.ts';
import { entryKinds, everyEntryKind } from '../../vault/kinds/entry-kinds.ts';
import type { ExportedMemory } from '../../vault/kinds/memory.ts';
import type { ExportedMyth } from '../../vault/kinds/myth.ts';
import type { ExportedRelationship } from '../../vault/kinds/relationship.ts';
import { everythingInAVault, everythingSealedAnew, vaultKinds } from '../../vault/kinds/vault-kinds.ts';
import { bringEntry } from '../../vault/outbox/brought-rows.ts';
import { makeKit } from '../../vault/outbox/kit-writer.ts';
import { makeLink } from '../../vault/outbox/link-writer.ts';
import { entryListOf } from '../../vault/replica/entry-list.ts';
import { gatherKind } from '../../vault/rotation/gather.ts';
import { openShared, sealShared } from '../../vault/sharing/share.ts';
import { deletedList } from '../chambers/recently-deleted/use-deleted.ts';
import { countLeftOut, readableFiles } from '../chambers/settings/archive/readable-files.ts';
import { findEntries } from '../shell/palette/find-entries.ts';
import type { OpenVault } from '../vault/session/vault-context.ts';
import { aDevice, aVaultWith, type Device } from './devices.ts';
import { anInstance } from './instance.ts';
import { enterAsMember } from './member.ts';

const instance = anInstance();
const WRITTEN = '2029-05-17T08:00:00.000Z';

interface Samples extends Record<EntryKindName, ExportedEntry> {
  memory: ExportedMemory;
  relationship: ExportedRelationship;
  myth: ExportedMyth;
}

/** One of each kind of entry, as an archive has it. */
function samples(): Samples {
  const common = () => ({
    ...{ sealId: newSealId(), content: 'The kettle sang in the blue kitchen.' },
    ...{ details: { v: 1, happenedOn: '2029-05-01', tags: ['kitchen'] } },
    ...{ createdAt: WRITTEN, updatedAt: WRITTEN },
  });
  return {
    memory: { ...common(), title: 'The kettle', timeLockUntil: null },
    relationship: { ...common(), personName: 'Imre', eventType: 'confession', emotionalWeight: 4 },
    myth: { ...common(), title: 'The kettle that sang', storyType: 'eulogy' },
  };
}

const bring = <N extends EntryType>(kind: EntryKind<N>, vault: OpenVault, sample: N['exported']) =>
  bringEntry(kind, vault, kind.archive.toDraft(sample, JSON.stringify(sample.details)), sample.sealId);

async function only<N extends EntryType>(kind: EntryKind<N>, vault: OpenVault): Promise<N['entry']> {
  const [entry, ...others] = await vault.lists.load(entryListOf(kind));
  if (!entry || others.length > 0) throw new Error(`there is not one ${kind.noun}`);
  return entry;
}

/** What a device that has not seen the vault before finds wrong. */
async function findings(device: Device, kind: KindName): Promise<string[]> {
  const lists = everyList(device.vault.api).filter(({ kinds }) => kinds.some((name) => name.endsWith(kind)));
  for (const list of lists) await device.bookSync.compare(list, await list.fetch());
  return device.found().map(({ what }) => what);
}

/** What a device finds wrong where the server leaves out whatever stands in a list. */
async function findingsWithout(device: Device, list: ShownList): Promise<string[]> {
  await device.bookSync.compare({ ...list, fetch: async () => [] }, []);
  return device.found().map(({ what }) => what);
}

test.each(everyEntryKind.map((kind) => [kind.noun, kind] as const))(
  'a %s goes through everything that a vault does with its entries',
  async (noun, kind) => {
    expect(entryKinds[noun]).toBe(kind);
    const { member, devices } = await aVaultWith(instance(), 1);
    const [device] = devices as [Device];
    const { vault } = device;
    const sample = samples()[noun];

    // Created and listed, counted for the quota and on the dashboard.
    const before = await vault.api.send(usage.get, {});
    expect(await bring(kind, vault, sample)).toBe(true);
    const created = await only(kind, vault);
    expect(created).toMatchObject({ content: sample.content, details: { tags: ['kitchen'] }, changed: null });
    expect((await vault.api.send(usage.get, {})).bytes).toBeGreaterThan(before.bytes);
    const counts: Record<string, unknown> = await vault.api.send(summary.get, {});
    expect(counts[kind.archive.name]).toBe(1);

    // Edited: sealed anew as the next version.
    const [name, content] = kind.fields;
    const texts = { [name]: created.name, [content]: 'The kettle went quiet.', details: created.detailsText };
    const clear = chosenOf(kind, created);
    const facts = factsNow(noun, entryFacts({ ...clear, version: 2 }), created.createdAt);
    const body = {
      ...clear,
      ...(await sealTexts(kind, texts as never, vault, sample.sealId, facts)),
      version: 1,
    };
    await kind.update(
      inBook(vault, { put: [{ kind: noun, sealId: sample.sealId, sealed: body }] }),
      created.id,
      body as never,
    );
    const edited = await only(kind, vault);
    expect(edited).toMatchObject({ content: 'The kettle went quiet.', version: 2, changed: null });

    // Searched by its words and its tag, here and in the palette.
    expect(search([edited], 'quiet kitchen')).toEqual([edited]);
    const [found] = findEntries('quiet kitchen', { [noun]: [edited] }, Date.now());
    expect(found).toMatchObject({ label: kind.words.found, count: 1 });

    // Exported for programs and for people, and brought into an empty vault.
    const { entries } = await gather(vault);
    expect(countLeftOut(entries.leftOut)).toBe(0);
    const archive = entriesFromText(entriesToText(entries));
    expect(archive && entriesOf(archive, kind)).toMatchObject([
      { sealId: sample.sealId, details: sample.details },
    ]);
    const files = readableFiles(entries, { origin: 'here', createdAt: WRITTEN });
    const readable = Object.entries(files).filter(([path]) => path.startsWith(`${kind.archive.name}/`));
    expect(readable).toHaveLength(1);
    expect(readable[0]?.[1]).toContain('The kettle went quiet.');
    const other = aDevice(instance(), await enterAsMember(instance())).vault;
    const missing = await missingEntries(archive ?? entries, other);
    expect(total(missing)).toBe(1);
    await bringIn(missing, other, { tell: () => {}, signal: new AbortController().signal });
    const again = await only(kind, other);
    expect({
      ...chosenOf(kind, again),
      name: again.name,
      content: again.content,
      details: again.details,
    }).toEqual({
      ...{ ...chosenOf(kind, edited), name: edited.name, content: edited.content, details: edited.details },
    });

    // Shared by a link, whose reader has its words.
    const words = sharedEntry(kind, edited);
    const link = await makeLink(vault, {
      entryId: edited.id,
      hours: 1,
      passphrase: '',
      words: async () => words,
    });
    expect(link).toMatchObject({ entryType: noun, title: edited.name });
    expect(
      words &&
        (await openShared(
          await sealShared(words, vault.contentKey, link.keyId),
          vault.contentKey,
          link.keyId,
        )),
    ).toEqual(words);

    // Sealed under the next key, with everything that is in it.
    const key = generateVaultKey();
    const next = { ...vault, contentKey: await deriveContentKey(key), fingerprint: await fingerprintOf(key) };
    const { opened = [] } = await gatherKind(noun, vault);
    expect(opened.map(({ sealId }) => sealId)).toEqual([sample.sealId]);
    const anew = await opened[0]?.reseal(next);
    expect(resealedSchema(sealedKinds).safeParse(anew).success).toBe(true);
    expect(anew).toMatchObject({ kind: noun, id: edited.id, version: 2 });

    // Deleted, in the trash, restored; deleted again, and erased when its time is over.
    const remove = async () => {
      const { id, sealId, leaf } = await only(kind, vault);
      await kind.remove(inBook(vault, { deleted: [{ kind: noun, sealId, leaf }] }), id);
    };
    await remove();
    expect(await vault.lists.load(entryListOf(kind))).toEqual([]);
    const [item] = await vault.lists.load(deletedList);
    expect(item).toMatchObject({ kind: kind.words.title, name: kind.label(edited), isChanged: false });
    expect((await gatherKind(noun, vault)).opened).toHaveLength(1);
    await item?.restore();
    expect((await only(kind, vault)).content).toBe(edited.content);
    await remove();

    // Compared with the book, by a browser that was not there.
    const stranger = aDevice(instance(), member);
    expect(await findings(stranger, noun)).toEqual([]);
    const hidden = deletedListOf(noun, stranger.vault.api);
    expect(hidden && (await findingsWithout(stranger, hidden))).toEqual(['missing']);

    // Its owner comes by now and then, and stays signed in.
    for (let gone = 0; gone <= DELETED_LASTS; gone += 6 * DAY) {
      instance().clock.advance(6 * DAY);
      await vault.api.send(summary.get, {});
    }
    await sweep(instance());
    expect(await vault.lists.load(deletedList)).toEqual([]);
    const counted: Record<string, unknown> = await vault.api.send(summary.get, {});
    expect(counted[kind.archive.name]).toBe(0);
    expect(await findings(aDevice(instance(), member), noun)).toEqual([]);
  },
);

/** How one row of each other kind is made. */
type OtherKind = Exclude<KindName, EntryKindName>;
const makers: { [K in OtherKind]: (device: Device) => Promise<unknown> } = {
  // Given when the vault was made.
  onboarding: async () => {},
  async 'sacred-key'({ vault }) {
    const sample = samples().memory;
    await bring(entryKinds.memory, vault, sample);
    const entry = await only(entryKinds.memory, vault);
    const words = async () => sharedEntry(entryKinds.memory, entry);
    return makeLink(vault, { entryId: entry.id, hours: 1, passphrase: '', words });
  },
  async webhook({ vault }) {
    const sealId = newSealId();
    const { sealFields } = await import('../../vault/entries/fields.ts');
    const facts = factsNow('webhook', {});
    const sealed = await sealFields('webhook', sealId, { name: 'The kettle' }, facts, vault);
    const body = { name: sealed.name ?? '', sealId, keyFingerprint: vault.fingerprint };
    return inBook(vault, { put: [{ kind: 'webhook', sealId, sealed: body }] }).send(importWebhooks.create, {
      body,
    });
  },
  'guardian-kit': ({ vault }) =>
    makeKit(vault, { name: 'The family', guardians: ['Imre', 'Ada'], needed: 2, waitDays: 14 }),
  'legacy-scroll': ({ vault }) =>
    bringLetter(
      {
        ...{ sealId: newSealId(), title: 'For Imre', content: 'The kettle is yours.', state: 'dormant' },
        ...{ triggerType: 'manual', triggerValue: 'manual', timeZone: 'UTC', authorName: null },
        recipients: [
          {
            recipientType: 'email',
            recipientAddress: 'imre@example.org',
            tell: 'at-release',
            name: 'Aunt Agnes',
          },
        ],
        createdAt: WRITTEN,
      },
      vault,
      Date.now(),
      { details: null, added: [] },
    ),
  ghost: (device) => device.writeGhost(),
  breath: (device) => device.sealBreath(),
};

test.each(Object.keys(makers) as OtherKind[])(
  'a %s is listed, counted, gathered and compared with the book',
  async (name) => {
    const { member, devices } = await aVaultWith(instance(), 1);
    const [device] = devices as [Device];
    const { vault } = device;
    const before = await vault.api.send(usage.get, {});
    await makers[name](device);
    const rows = await vaultKinds[name].fetch(vault.api);
    expect(rows).toHaveLength(1);
    if (name !== 'onboarding')
      expect((await vault.api.send(usage.get, {})).bytes).toBeGreaterThan(before.bytes);

    // Taken along by an export, or counted by it.
    const { entries } = await gather(vault);
    const taken = name in exported ? [entries[exported[name as keyof typeof exported]]].flat().length : 0;
    const left = Number(entries.leftOut[countedAs[name]]);
    expect(taken + left).toBe(1);

    // Sealed under the next key, or noted to stay under its own.
    const { opened = [], stays = [] } = await gatherKind(name, vault);
    expect([...opened, ...stays].map(({ sealId }) => sealId)).toEqual(rows.map(({ sealId }) => sealId));
    expect(opened).toHaveLength(sealedKinds[name].withheld === null ? 1 : 0);

    const stranger = aDevice(instance(), member);
    expect(await findings(stranger, name)).toEqual([]);
    expect(await findingsWithout(stranger, listOf(name, stranger.vault.api))).toEqual(['missing']);
  },
);

test('every kind is named before something that cannot be undone, and its calls stand in the contract, of which the lie machine tries every one', () => {
  const paths = contractRows().map(({ row }) => row.path);
  for (const name of kindNames(sealedKinds)) {
    expect(paths).toContain(vaultKinds[name].path);
    expect(everythingInAVault).toContain(vaultKinds[name].words.every);
    const { sealedAnew } = vaultKinds[name].words;
    if (sealedAnew !== null) expect(everythingSealedAnew).toContain(sealedAnew);
  }
});
