// A server that shows a row otherwise than it was sealed: each fact of each kind, an older version under a newer number,
// and parts of two versions put together. It is named, and its text is not given out.
import { describe, expect, test } from 'vitest';
import { newSealId } from '../../../crypto/seal.ts';
import { deriveContentKey, generateVaultKey } from '../../../crypto/vault-key.ts';
import type { BoundRecipient } from '../../../shared/sealed-facts.ts';
import { boundNames } from '../../../shared/sealed-facts.ts';
import { fieldNames, type KindName, kindNames, sealedKinds } from '../../../shared/sealed-kinds.ts';
import { factsAsOpened } from '../../../vault/entries/facts.ts';
import { openFields } from '../../../vault/entries/fields.ts';
import { sealMoment } from '../../../vault/entries/sealed-moment.ts';
import {
  type EntryKind,
  type EntryType,
  type OpenedEntry,
  type SealedRow,
  sharedEntry,
} from '../../../vault/kinds/entry-kind.ts';
import { memoryKind } from '../../../vault/kinds/memory.ts';
import { mythKind } from '../../../vault/kinds/myth.ts';
import { type OpenedRelationship, relationshipKind } from '../../../vault/kinds/relationship.ts';
import { openRowAsSealed } from '../../../vault/opening/opening.ts';
import { openPage } from '../../../vault/opening/opening-work.ts';
import { resealed } from '../../../vault/opening/resealing.ts';
import type { OpenVault } from '../session/vault-context.ts';
import { changedWords } from './changed-words.ts';
import { factsFor, sealRow } from './testing/sealing.ts';

const FIRST = '2026-01-13T09:30:00.000Z';
const LAST = '2026-02-01T18:00:00.000Z';
const SERVER = '2026-11-23T00:00:00.000Z';
const contentKey = await deriveContentKey(generateVaultKey());
const vault = { contentKey, fingerprint: 'f'.repeat(16) } as OpenVault;

const MIRA: BoundRecipient = {
  ...{ recipientType: 'email', recipientAddress: 'mira@mail.example', tell: 'at-release' },
  ...{ access: 'card', cardNumber: 'EBESExQVFhcYGRobHB0eHw', publicId: 'ICEiIyQlJicoKSorLC0uLw' },
};

/** A row of each kind, and what a server could say instead of each of its facts. A fact without a lie does not compile. */
const rows: { [K in KindName]: { facts: object; lies: Record<string, readonly unknown[]> } } = {
  memory: {
    facts: { version: 3, timeLockUntil: '2026-05-03T00:00:00.000Z' },
    lies: { version: [2, 4], timeLockUntil: [null, '2026-05-03T00:00:00.001Z', '2126-01-01T00:00:00.000Z'] },
  },
  relationship: {
    facts: { version: 1, eventType: 'confession', emotionalWeight: 2 },
    lies: { version: [2], eventType: ['betrayal'], emotionalWeight: [1, 5] },
  },
  myth: { facts: { version: 1, storyType: 'eulogy' }, lies: { version: [12], storyType: ['biography'] } },
  onboarding: { facts: {}, lies: {} },
  'sacred-key': {
    facts: { entryType: 'memory', expiresAt: '2026-02-08T18:00:00.000Z', hasPassphrase: true },
    lies: { entryType: ['myth'], expiresAt: ['2126-02-08T18:00:00.000Z'], hasPassphrase: [false] },
  },
  webhook: { facts: {}, lies: {} },
  'guardian-kit': {
    facts: { needed: 2, count: 3, waitDays: 14, address: 'A'.repeat(22) },
    lies: { needed: [3], count: [2, 5], waitDays: [7], address: ['B'.repeat(22)] },
  },
  'legacy-scroll': {
    facts: {
      ...{ version: 2, triggerType: 'inactivity', triggerValue: '30', timeZone: 'Europe/Vienna' },
      ...{ authorName: 'Ágnes', recipients: [MIRA] },
    },
    lies: {
      version: [1, 3],
      triggerType: ['manual'],
      triggerValue: ['365'],
      timeZone: ['UTC'],
      authorName: [null, 'Agnes'],
      recipients: [
        [],
        [MIRA, MIRA],
        [{ ...MIRA, recipientAddress: 'operator@mail.example' }],
        [{ ...MIRA, recipientType: 'card' }],
        [{ ...MIRA, tell: 'if-unopened' }],
        [{ ...MIRA, access: 'passphrase', cardNumber: null }],
        [{ ...MIRA, cardNumber: 'AAESExQVFhcYGRobHB0eHw' }],
        [{ ...MIRA, publicId: 'AAEiIyQlJicoKSorLC0uLw' }],
      ],
    },
  },
  ghost: {
    facts: { maxReads: 1, expiresAt: '2026-02-02T18:00:00.000Z' },
    lies: { maxReads: [3, null], expiresAt: ['2026-03-02T18:00:00.000Z'] },
  },
  breath: { facts: {}, lies: {} },
};

async function rowOf(kind: KindName, more: object = {}, texts?: Record<string, string>) {
  const sealId = newSealId();
  const clear = { ...rows[kind].facts, createdAt: FIRST, updatedAt: LAST, ...more };
  const plain =
    texts ?? Object.fromEntries(fieldNames(sealedKinds[kind]).map((field) => [field, `My ${field}.`]));
  const sealed = await sealRow(contentKey, kind, sealId, plain, clear);
  const own = { id: 7, sealId, keyFingerprint: null, ...clear };
  return { row: { ...own, ...sealed, createdAt: SERVER, updatedAt: SERVER }, sealed, plain };
}

const lies = kindNames(sealedKinds).flatMap((kind) =>
  Object.entries(rows[kind].lies).flatMap(([fact, values]) =>
    values.map((value) => [kind, fact, value] as const),
  ),
);

test('every fact of every kind is lied about here', () => {
  for (const kind of kindNames(sealedKinds))
    expect(Object.keys(rows[kind].lies)).toEqual([...boundNames(kind)]);
});

test.each(lies)(
  'a %s whose %s is said to be %j gives no text out, and says so in words',
  async (kind, fact, value) => {
    const { row, sealed, plain } = await rowOf(kind);
    const honest = await openFields(kind, row as never, sealed, vault);
    expect(honest).toMatchObject({
      texts: plain,
      changed: null,
      facts: { createdAt: FIRST, updatedAt: LAST },
    });
    const found = await openFields(kind, { ...row, [fact]: value } as never, sealed, vault);
    expect(found?.texts).toBeNull();
    expect(found?.changed?.map((one) => one.fact)).toEqual([fact]);
    expect(found?.asSealed).toEqual(plain);
    expect(found?.facts).toEqual(factsFor(kind, { ...rows[kind].facts, createdAt: FIRST, updatedAt: LAST }));
    const [words = ''] = (found?.changed ?? []).map(changedWords);
    const [before, after] = words.split(fact === 'version' ? ' as ' : 'when you sealed it.');
    expect(after, words).toBeTruthy();
    expect(before).not.toContain(fact === 'version' ? 'Its' : 'undefined');
  },
);

describe('in a list', () => {
  const codecs = { memory: memoryKind, relationship: relationshipKind, myth: mythKind };
  type Listed = keyof typeof codecs;
  const inLists = lies.filter(([kind]) => kind in codecs) as [Listed, string, unknown][];
  const CLEAR = { timeLockUntil: null, details: null };

  async function openListed(noun: Listed, row: object): Promise<OpenedEntry> {
    const text = JSON.stringify([{ ...CLEAR, ...row }], (name, value) =>
      noun !== 'memory' && name === 'timeLockUntil' ? undefined : value,
    );
    const { entries } = await openPage({ noun, text, contentKey, fingerprint: 'f'.repeat(16) });
    return entries[0] as OpenedEntry;
  }
  const asSealed = (noun: Listed, row: object) =>
    openRowAsSealed(
      codecs[noun] as unknown as EntryKind<EntryType>,
      { ...CLEAR, ...row } as unknown as SealedRow,
      vault,
    );

  test.each(inLists)(
    'a %s whose %s is said to be %j is kept without its text, and opens as it was sealed',
    async (noun, fact, value) => {
      const { row, plain } = await rowOf(noun);
      const [name = '', content = ''] = codecs[noun].fields.map((field) => plain[field]);
      const honest = await openListed(noun, row);
      expect(honest).toMatchObject({ name, content, changed: null, createdAt: FIRST, updatedAt: LAST });
      const lie = { ...row, [fact]: value };
      const entry = await openListed(noun, lie);
      expect(entry).toMatchObject({ name: null, content: null, detailsText: undefined, createdAt: FIRST });
      expect(JSON.stringify(entry)).not.toContain('My ');
      expect(entry.changed?.map((one) => one.fact)).toEqual([fact]);
      const opened = await asSealed(noun, lie);
      // The number is the server's: under it the row is changed.
      expect(opened).toMatchObject({
        ...rows[noun].facts,
        name,
        content,
        version: (lie as { version?: number }).version,
      });
      expect(opened.changed).toEqual(entry.changed);
    },
  );

  test('one lie does not disturb the rows beside it', async () => {
    const [one, other] = [await rowOf('memory'), await rowOf('memory')];
    const text = JSON.stringify([
      { ...one.row, version: 9 },
      { ...other.row, id: 6 },
    ]);
    const { entries } = await openPage({ noun: 'memory', text, contentKey, fingerprint: 'f'.repeat(16) });
    expect(entries.map(({ changed, name }) => [changed === null, name])).toEqual([
      [false, null],
      [true, 'My title.'],
    ]);
  });

  /** Both versions of one row, under one number. */
  async function versions(more: [object, object]) {
    const sealId = newSealId();
    const sealAs = (i: 0 | 1) =>
      sealRow(
        contentKey,
        'memory',
        sealId,
        { title: `Title ${i}`, encryptedContent: `Words ${i}`, details: `{"tags":["${i}"],"v":1}` },
        { ...rows.memory.facts, createdAt: FIRST, updatedAt: LAST, ...more[i] },
      );
    return { base: { ...(await rowOf('memory')).row, sealId }, old: await sealAs(0), next: await sealAs(1) };
  }

  test('an older version under the newer number is named', async () => {
    const { base, old } = await versions([{ version: 2 }, { version: 3 }]);
    const { changed } = await openListed('memory', { ...base, ...old, version: 3 });
    expect(changed?.map(changedWords)).toEqual(['The server shows an older version (2) as the newest (3).']);
  });

  test.each(['title', 'encryptedContent', 'details'])(
    'an older %s beside the newest texts is named',
    async (field) => {
      const { base, old, next } = await versions([{ version: 2 }, { version: 3, updatedAt: SERVER }]);
      const mixed = { ...base, ...next, [field]: old[field] };
      expect((await openListed('memory', { ...base, ...next })).changed).toBeNull();
      const entry = await openListed('memory', mixed);
      expect(entry).toMatchObject({ name: null, content: null });
      expect(entry.changed?.map(({ fact }) => fact)).toContain('version');
    },
  );

  test('parts of two versions of one number, of which one was refused, are named', async () => {
    const { base, old, next } = await versions([{ updatedAt: LAST }, { updatedAt: SERVER }]);
    const entry = await openListed('memory', { ...base, ...next, title: old.title });
    expect(entry).toMatchObject({ name: null, content: null });
    expect(entry.changed?.map(({ fact }) => fact)).toEqual(['updatedAt']);
    expect(changedWords(entry.changed?.[0] ?? { fact: '', sealed: '', shown: '' })).toContain(
      'parts of two versions',
    );
  });

  test('a locked memory whose date was altered is named while its words are withheld', async () => {
    const { row } = await rowOf('memory', { timeLockUntil: '2126-01-01T00:00:00.000Z' });
    const withheld = { ...row, encryptedContent: null, details: null };
    expect(await openListed('memory', withheld)).toMatchObject({
      name: 'My title.',
      withheld: true,
      changed: null,
    });
    const later = await openListed('memory', { ...withheld, timeLockUntil: '2226-01-01T00:00:00.000Z' });
    expect(later).toMatchObject({ name: null, withheld: true });
    expect(later.changed?.map(({ fact }) => fact)).toEqual(['timeLockUntil']);
  });

  test('words that no sealed lock withholds are left out, whatever lock the row shows', async () => {
    const { row } = await rowOf('memory', { timeLockUntil: null });
    const without = { ...row, encryptedContent: null, details: null };
    const open = await openListed('memory', without);
    expect(open).toMatchObject({ name: 'My title.', withheld: false, leftOut: true, changed: null });
    expect(open.detailsText).toBeUndefined();
    const locked = await openListed('memory', { ...without, timeLockUntil: '2226-01-01T00:00:00.000Z' });
    expect(locked).toMatchObject({ withheld: false, leftOut: true });
    expect(locked.changed?.map(({ fact }) => fact)).toEqual(['timeLockUntil']);
    const { row: over } = await rowOf('memory', { timeLockUntil: '2020-01-01T00:00:00.000Z' });
    expect(await openListed('memory', { ...over, encryptedContent: null, details: null })).toMatchObject({
      ...{ withheld: false, leftOut: true },
    });
  });

  test('sealing anew under another key keeps version, facts and times', async () => {
    const { row } = await rowOf('memory');
    const entry = await openListed('memory', row);
    const next = await deriveContentKey(generateVaultKey());
    const anew = await resealed(memoryKind as never, entry as never, { ...vault, contentKey: next });
    const text = JSON.stringify([{ ...CLEAR, ...row, ...anew, kind: undefined }]);
    const { entries } = await openPage({
      noun: 'memory',
      text,
      contentKey: next,
      fingerprint: 'f'.repeat(16),
    });
    expect(entries[0]).toMatchObject({
      name: 'My title.',
      version: 3,
      createdAt: FIRST,
      updatedAt: LAST,
      changed: null,
    });
    expect(factsAsOpened('memory', entry as never)).toEqual(
      factsFor('memory', { ...rows.memory.facts, createdAt: FIRST, updatedAt: LAST }),
    );
  });

  test('a moment keeps its kind and weight when it is sealed anew under another key, and they are found by', async () => {
    const { details, clear } = sealMoment(null, { kind: 'betrayal', weight: 5 });
    const texts = { personName: 'Nora', encryptedContent: 'On the ferry.', details: details ?? '' };
    const { row } = await rowOf('relationship', clear, texts);
    const entry = await openListed('relationship', row);
    expect(entry).toMatchObject({ kind: 'betrayal', weight: 5, changed: null });
    expect(entry.folded).toContain('betrayal\nlife-changing');
    const next = await deriveContentKey(generateVaultKey());
    const anew = await resealed(relationshipKind, entry as OpenedRelationship, {
      ...vault,
      contentKey: next,
    });
    const text = JSON.stringify([{ ...row, ...anew, kind: undefined }]);
    const { entries } = await openPage({
      noun: 'relationship',
      text,
      contentKey: next,
      fingerprint: 'f'.repeat(16),
    });
    expect(entries[0]).toMatchObject({ name: 'Nora', kind: 'betrayal', weight: 5, changed: null });
    // To whoever opens a one-time link it is what it was.
    expect(sharedEntry(relationshipKind, entry as OpenedRelationship)).toMatchObject({
      ...{ eventType: 'betrayal', emotionalWeight: 5 },
    });
  });
});
