// Walks the contract as one account that wants to fill the disk: every call that stores is repeated with as much as it
// takes, and what the database then holds of the account is measured column by column.
import { generateHybridIdentity, identityToRecipient } from 'age-encryption';
import { expect, it } from 'vitest';
import { contractRows } from '../shared/http/contract.ts';
import { ENTRY_CONTENT_MAX, ENTRY_DETAILS_MAX, ENTRY_TITLE_MAX } from '../shared/sealed-kinds.ts';
import { HOUR } from '../shared/time.ts';
import { Passkey } from '../testing/authenticator.ts';
import { describeOnEachEngine } from '../testing/engines.ts';
import { aFile, reserve as reserveFile, sendFile, putPart as sendPart, storedBy } from '../testing/files.ts';
import { openTestInstance, type TestInstance } from '../testing/instance.ts';
import { aMember, anAuthKey, ceremonyOptions } from '../testing/people.ts';
import { accountIdOf, aSealId, plantingFor } from '../testing/planting.ts';
import { aSuccessor, begin, REGENERATION } from '../testing/regenerating.ts';
import { aWatch, patchScroll, plainScroll, scrollsOf } from '../testing/scrolls.ts';
import { aLink, putSeal, reserve } from '../testing/shares.ts';
import { everythingOf, limit, recount } from '../testing/usage.ts';
import { anEnvelope, aPassphraseWrap } from '../testing/vault-keys.ts';
import { aWallet, linkWalletOf } from '../testing/wallets.ts';
import { SLACK_BYTES, SLACK_ROWS } from './db/counted.ts';

const KB = 1024;
const ROOM = 256 * KB;
const ROWS = 18;

/** Calls that store nothing of the caller's choosing, or in another's place, and what bounds what they do store. */
const BOUNDED: Record<string, string> = {
  'account.onboarding': 'three answers, once',
  'proof.passphrase': 'nothing is stored',
  'proof.passkeyOptions': 'a challenge, for five minutes',
  'proof.passkey': 'nothing is stored',
  'proof.wordsNonce': 'a challenge, for five minutes',
  'proof.words': 'nothing is stored',
  'sessions.revoke': 'nothing is stored',
  'sessions.revokeOthers': 'nothing is stored',
  'passkeys.options': 'a challenge, for five minutes',
  'passkeys.remove': 'nothing is stored',
  'passphrase.remove': 'nothing is stored',
  'admin.claim': 'nothing is stored',
  'vaultKey.keepWords': 'a moment',
  'regeneration.begin': 'one row',
  'regeneration.abandon': 'nothing is stored',
  'book.append': 'the book’s own room, which features/book/book.test.ts fills',
  'book.report': 'a row of each kind in an hour, and fifty',
  'vault.destroy': 'what it leaves was counted before',
  'deletedMemories.erase': 'nothing is stored',
  'deletedRelationships.erase': 'nothing is stored',
  'deletedMyths.erase': 'nothing is stored',
  'files.remove': 'nothing is stored',
  'importWebhooks.rotate': 'nothing grows',
  'importWebhooks.remove': 'nothing is stored',
  'guardianKits.remove': 'nothing is stored',
  'guardianKits.ask': 'two rows of activity and some mails, ten times for a kit at most',
  'sisters.send': 'nothing is stored here; at the other instance a thousand letters of this one',
  'stories.draft': 'a count',
  'ghosts.read': 'a count',
  'ghosts.remove': 'nothing is stored',
  'shareableKeys.remove': 'nothing is stored',
  'finalBreath.read': 'nothing grows',
  'finalBreath.acknowledge': 'nothing is stored',
  'finalBreath.remove': 'nothing is stored',
  'legacyScrolls.activate': 'nothing grows',
  'legacyScrolls.disarm': 'nothing grows',
  'legacyScrolls.remove': 'nothing is stored',
  'rehearsals.ask': 'twenty times a day, a row for each recipient of a scroll, and messages that end with it',
  'whispers.open': 'a moment',
  'whispers.remove': 'nothing is stored',
  'proofOfLife.give': 'one row',
  'activity.noteExport': 'fifty rows of its kind',
  'warningAddress.remove': 'nothing is stored',
  'secondWarning.remove': 'nothing is stored',
  'trustedContact.put': 'one row',
  'trustedContact.remove': 'nothing is stored',
  'secondWarning.put': 'one row, beside a first address that somebody has proved',
  'billing.createIntent': 'one row',
  'billing.checkout': 'a challenge, for ten minutes',
  'billing.portal': 'nothing is stored',
  'linkedWallet.challenge': 'a challenge, for five minutes',
  'linkedWallet.unlink': 'nothing is stored',
};

type Member = Awaited<ReturnType<typeof aMember>>;
type Attack = (person: Member, instance: TestInstance) => Promise<unknown>;

/** Half of the most, so that these tests take half as long: the tries are still for more than may be kept. */
const large = 'A'.repeat(ENTRY_CONTENT_MAX / 2);
const title = 'A'.repeat(ENTRY_TITLE_MAX);
const details = 'A'.repeat(ENTRY_DETAILS_MAX);
const memory = () => ({ title, encryptedContent: large, details, sealId: aSealId() });
const small = { title: 'dA==', encryptedContent: 'dA==' };
const moment = () => ({ personName: title, eventType: 'moment', encryptedContent: large, details });
const myth = () => ({ title, storyType: 'biography', encryptedContent: large, details, sealId: aSealId() });

async function createAndDelete(person: Member, list: string, body: object): Promise<number> {
  const created = await person.request('POST', `/api/${list}`, { body });
  const { id = 0 } = created.ok ? ((await created.json()) as { id: number }) : {};
  await person.request('DELETE', `/api/${list}/${id}`);
  return id;
}

async function deleteAndRestore(person: Member, list: string, body: object): Promise<void> {
  await createAndDelete(person, list, body);
  const all = await person.request('GET', `/api/deleted-${list}`);
  const [deleted] = (await all.json()) as { id: number }[];
  if (deleted) await person.request('POST', `/api/deleted-${list}/${deleted.id}/restore`);
}

const firstOf = async (person: Member, path: string) =>
  ((await (await person.request('GET', path)).json()) as { id: number; version: number }[])[0];
const sender = (person: Member) => (method: string, path: string, body?: unknown) =>
  person.request(method, path, body === undefined ? {} : { body });
const fingerprintOf = async (person: Member) => {
  const kept = await (await person.request('GET', '/api/encryption-key')).json();
  return (kept as { clientKey: { fingerprint: string } }).clientKey.fingerprint;
};

const aRecipient = await identityToRecipient(await generateHybridIdentity());
const keysToSealTo = new Set<string>();
/** Stories as long as a source may be. */
const weave = async () => ({ title: 'A'.repeat(200), text: 'A'.repeat(60_000) });

/** The same row over and over, each time as large as it may be; half of the rows are there to be grown. */
const ATTACKS: Record<string, Attack> = {
  'memories.create': (person) => person.request('POST', '/api/memory-entries', { body: memory() }),
  'memories.update': async (person) => {
    const created = await person.request('POST', '/api/memory-entries', { body: small });
    const { id = 0, version = 1 } = created.ok
      ? ((await created.json()) as { id: number; version: number })
      : {};
    return person.request('PATCH', `/api/memory-entries/${id}`, { body: { ...memory(), version } });
  },
  'relationships.create': (person) => person.request('POST', '/api/relationship-entries', { body: moment() }),
  'relationships.update': async (person) => {
    const body = { ...moment(), personName: 'dA==', encryptedContent: 'dA==' };
    const created = await person.request('POST', '/api/relationship-entries', { body });
    const { id = 0, version = 1 } = created.ok
      ? ((await created.json()) as { id: number; version: number })
      : {};
    return person.request('PATCH', `/api/relationship-entries/${id}`, {
      body: { ...moment(), version, emotionalWeight: 3 },
    });
  },
  'myths.create': (person) => person.request('POST', '/api/myth-stories', { body: myth() }),
  // What is deleted counts until it is erased: nobody makes room by hiding rows.
  'memories.remove': (person) => createAndDelete(person, 'memory-entries', memory()),
  'relationships.remove': (person) => createAndDelete(person, 'relationship-entries', moment()),
  'myths.remove': (person) => createAndDelete(person, 'myth-stories', myth()),
  'deletedMemories.restore': (person) => deleteAndRestore(person, 'memory-entries', memory()),
  'deletedRelationships.restore': (person) => deleteAndRestore(person, 'relationship-entries', moment()),
  'deletedMyths.restore': (person) => deleteAndRestore(person, 'myth-stories', myth()),
  'myths.update': async (person) => {
    const body = { ...myth(), title: 'dA==', encryptedContent: 'dA==' };
    const created = await person.request('POST', '/api/myth-stories', { body });
    const { id = 0, version = 1 } = created.ok
      ? ((await created.json()) as { id: number; version: number })
      : {};
    return person.request('PATCH', `/api/myth-stories/${id}`, { body: { ...myth(), version } });
  },
  'files.reserve': async (person) => {
    for (const bytes of [large.length, 100 * KB]) await reserveFile(person, aFile(bytes));
  },
  'files.putPart': async (person) => {
    const file = aFile(100 * KB);
    await reserveFile(person, file);
    await sendPart(person, file, 0);
    await sendPart(person, { ...file, content: aFile(100 * KB).content }, 0);
  },
  'files.complete': async (person) => {
    await sendFile(person, aFile(100 * KB)).catch(() => null);
  },
  'importWebhooks.create': (person) =>
    person.request('POST', '/api/import-webhooks', { body: { name: title, sealId: aSealId() } }),
  'guardianKits.create': (person) =>
    person.request('POST', '/api/guardian-kits', {
      body: {
        ...{ details: title.slice(0, 16 * KB), needed: 2, count: 3, waitDays: 14, address: aSealId() },
        ...{ claimHash: 'A'.repeat(43), wrap: 'A'.repeat(1024), sealId: aSealId() },
      },
    }),
  'ghosts.create': (person, { clock }) =>
    person.request('POST', '/api/ghost-entries', {
      body: { encryptedContent: large, expiresAt: new Date(clock.now() + HOUR).toISOString() },
    }),
  'shareableKeys.create': async (person) => {
    const entry = await firstOf(person, '/api/memory-entries');
    return person.request('POST', '/api/shareable-keys', {
      body: { entryType: 'memory', entryId: entry?.id, expiresInHours: 720 },
    });
  },
  'shareableKeys.seal': async (person) => {
    const entry = await firstOf(person, '/api/memory-entries');
    const reserved = await reserve(person, { entryId: entry?.id ?? 0 }).catch(() => null);
    if (reserved) await putSeal(person, reserved.id, aLink({ words: large }).seal);
  },
  'finalBreath.create': (person) =>
    person.request('POST', '/api/final-breath', { body: { encryptedContent: large, sealId: aSealId() } }),
  'legacyScrolls.create': (person) =>
    person.request('POST', '/api/legacy-scrolls', { body: { ...plainScroll(), encryptedContent: large } }),
  'legacyScrolls.update': async (person) => {
    await person.request('POST', '/api/legacy-scrolls', { body: plainScroll() });
    const [scroll] = await scrollsOf(person);
    // Read to its end: what somebody leaves unread makes their next list wait.
    if (scroll) await (await patchScroll(person, scroll, { encryptedContent: large, title })).text();
  },
  'legacyScrolls.release': async (person) => {
    const watching = await aWatch(person).catch(() => null);
    if (watching) await person.request('POST', `/api/legacy-scrolls/${watching.id}/release`);
    if (watching) await person.request('DELETE', `/api/legacy-scrolls/${watching.id}`);
  },
  'warningAddress.put': (person) =>
    person.request('PUT', '/api/warning-address', { body: { address: `${aSealId()}@mail.example` } }),
  'passkeys.add': async (person) => {
    const options = await ceremonyOptions(await person.request('POST', '/api/passkeys/options'));
    await person.request('POST', '/api/passkeys', { body: { response: new Passkey().create(options) } });
  },
  'passphrase.set': async (person) =>
    person.request('PUT', '/api/passphrase', {
      body: {
        name: person.name,
        authKey: anAuthKey(),
        fingerprint: await fingerprintOf(person),
        wrap: aPassphraseWrap(),
      },
    }),
  'vaultKey.put': async (person) => {
    const clientKey = { ...anEnvelope().clientKey, wraps: [aPassphraseWrap()] };
    const previousFingerprint = await fingerprintOf(person);
    await person.request('POST', '/api/encryption-key', { body: { clientKey, previousFingerprint } });
  },
  'stories.generate': async (person) => {
    const previousFingerprint = await fingerprintOf(person);
    // Something has to be sealed to it.
    if (!keysToSealTo.has(previousFingerprint)) {
      const envelope = anEnvelope(aRecipient);
      keysToSealTo.add(envelope.clientKey.fingerprint);
      const clientKey = { ...envelope.clientKey, wraps: [aPassphraseWrap()] };
      await person.request('POST', '/api/encryption-key', { body: { clientKey, previousFingerprint } });
    }
    const body = { storyType: 'biography', sourceContent: 'My grandmother kept a well.' };
    await person.request('POST', '/api/myth-stories/generate', { body });
  },
  'vaultKey.addWrap': async (person) =>
    person.request('POST', '/api/encryption-key/wraps', {
      body: { fingerprint: await fingerprintOf(person), wrap: aPassphraseWrap() },
    }),
  'linkedWallet.link': (person) => linkWalletOf(person, aWallet()),
  'regeneration.stage': async (person) => {
    const entry = await firstOf(person, '/api/memory-entries');
    const id = await begin(sender(person), await fingerprintOf(person));
    const left = Array.from({ length: 500 }, (_, n) => ({ kind: 'memory', id: n + 1 }));
    await person.request('PUT', REGENERATION, { body: { id, entries: [], left } });
    const entries = [{ kind: 'memory', id: entry?.id, version: entry?.version, ...memory() }];
    await person.request('PUT', REGENERATION, { body: { id, entries, left: [] } });
  },
  'regeneration.finish': async (person) => {
    const previous = await fingerprintOf(person);
    const id = await begin(sender(person), previous);
    const list = (await (await person.request('GET', '/api/memory-entries')).json()) as { id: number }[];
    for (const entry of list) {
      const entries = [{ kind: 'memory', ...entry, ...memory() }];
      await person.request('PUT', REGENERATION, { body: { id, entries, left: [] } });
    }
    await person.request('POST', `${REGENERATION}/finish`, { body: aSuccessor(id, previous) });
  },
  'regeneration.reseal': async (person) => {
    const old = await firstOf(person, '/api/memory-entries');
    const entries = [{ kind: 'memory', id: old?.id, version: old?.version, ...memory() }];
    await person.request('POST', '/api/encryption-key/reseal', {
      body: { keyFingerprint: await fingerprintOf(person), entries },
    });
  },
};

/** Calls of the administrator, who may fill the disk of their own server, are not walked. */
const rows = contractRows().filter(({ row }) => row.method !== 'GET' && row.access === 'signed-in');

it('every call that writes is tried, or says what bounds it', () => {
  const known = [...Object.keys(ATTACKS), ...Object.keys(BOUNDED)];
  expect(rows.map(({ name }) => name).filter((name) => !known.includes(name))).toEqual([]);
});

describeOnEachEngine('one account that wants to fill the disk', (engine) => {
  it('cannot do it by asking for challenges', async () => {
    const instance = await openTestInstance({ engine });
    const person = await aMember(instance);
    const paths = ['/api/passkeys/options', '/api/proof/passkey/options', '/api/proof/words/nonce'];
    const statuses = new Set<number>();
    for (let n = 0; n < 45; n += 1) {
      for (const path of paths) statuses.add((await person.request('POST', path)).status);
    }
    expect([...statuses]).toContain(429);
    // Counted together, by the session.
    const body = { walletAddress: aWallet().address };
    const wallet = await person.request('POST', '/api/linked-wallet/challenge', { body });
    expect(wallet.status).toBe(429);
    const rows = await instance.deps.db.selectFrom('challenges').select('payload').execute();
    expect(rows.length).toBeLessThanOrEqual(120);
    for (const { payload } of rows) expect(payload.length).toBeLessThan(200);
    await instance.close();
  });

  it.each(Object.keys(ATTACKS))('cannot do it by %s', async (name) => {
    const instance = await openTestInstance({ engine, deps: { weave } });
    const person = await aMember(instance);
    const accountId = await accountIdOf(instance, person);
    const plant = await plantingFor(instance, person, person.envelope.clientKey.fingerprint);
    // Under another key, so that they may be sealed anew.
    for (let n = 0; n < 6; n += 1) {
      await plant.memory({ details: 'dA==', key_fingerprint: n % 2 ? null : '0'.repeat(16) });
    }
    await limit(instance, { bytes: ROOM, rows: ROWS }, accountId);
    // A regeneration seals every memory anew at each try.
    const tries = name === 'regeneration.finish' ? 6 : 16;
    for (let n = 0; n < tries; n += 1) await ATTACKS[name]?.(person, instance);
    const { bytes } = await everythingOf(instance, accountId);
    // What counts and a little more, its copies while a key is changed, the keys, and columns of fixed length.
    const most = 2 * (ROOM + SLACK_BYTES) + SLACK_BYTES + 512 * KB;
    if (tries > 6) expect(tries * large.length).toBeGreaterThan(most);
    expect(bytes).toBeLessThan(most);
    // Of what came twice only one is kept.
    expect(storedBy(instance).length).toBeLessThanOrEqual(ROOM / (100 * KB));
    const counted = await recount(instance, accountId);
    const messages = await instance.deps.db.selectFrom('messages').select('id').execute();
    expect(counted.row_count - counted.access_rows - messages.length).toBeLessThanOrEqual(ROWS);
    expect(counted.staged_rows).toBeLessThan(ROWS + SLACK_ROWS);
    await instance.close();
  });
});
