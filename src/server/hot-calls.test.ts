// How many statements each hot call sends to the database, and in how many transactions: exactly, because each statement
// costs more than most of what it does, and on PostgreSQL a round trip. A transaction has two round trips of its own. What
// empties the embedded database's log after a burn is not counted.
import { expect, it } from 'vitest';
import { PART_DIGEST_HEADER } from '../shared/file-limits.ts';
import { CLAIM_HEADER } from '../shared/letter-claim.ts';
import type { Ghost } from '../shared/nouns/ghost.ts';
import { REDEMPTION_HEADER } from '../shared/share-lease.ts';
import { HOUR } from '../shared/time.ts';
import { anEntry, withEntry } from '../testing/book.ts';
import { describeOnEachEngine } from '../testing/engines.ts';
import { aFile, digestOf } from '../testing/files.ts';
import { openTestInstance, type TestInstance } from '../testing/instance.ts';
import { aMember } from '../testing/people.ts';
import { anOpeningScroll, firstOf, take as takeStep } from '../testing/scrolls.ts';
import { aLink, aMemory, aRedemptionId, type Share, someWords } from '../testing/shares.ts';

interface Count {
  statements: number;
  transactions: number;
}

/**
 * The session is one of them, and of a list a second time, when it has been read. Where PostgreSQL has another number, it holds rows that the embedded database's one writer has for itself.
 */
const HOT: Record<
  string,
  Record<'sqlite' | 'postgres', readonly [statements: number, transactions: number]>
> = {
  'who is signed in': { sqlite: [2, 0], postgres: [2, 0] },
  'create a memory': { sqlite: [2, 0], postgres: [2, 0] },
  'create a memory with its entry of the book': { sqlite: [3, 1], postgres: [4, 1] },
  'read a memory': { sqlite: [2, 0], postgres: [2, 0] },
  'list memories': { sqlite: [4, 0], postgres: [4, 0] },
  'read what the book has since an entry': { sqlite: [4, 0], postgres: [4, 0] },
  'ask what has changed, where nothing has': { sqlite: [5, 0], postgres: [5, 0] },
  'read a row that was changed, with the book': { sqlite: [10, 0], postgres: [10, 0] },
  'create a ghost': { sqlite: [3, 1], postgres: [4, 1] },
  'list ghosts': { sqlite: [3, 0], postgres: [3, 0] },
  'burn a ghost': { sqlite: [3, 1], postgres: [3, 1] },
  'reserve a link': { sqlite: [2, 0], postgres: [2, 0] },
  'seal a link': { sqlite: [2, 1], postgres: [3, 1] },
  'ask whether a link opens': { sqlite: [1, 0], postgres: [1, 0] },
  'redeem a link': { sqlite: [4, 1], postgres: [6, 1] },
  'acknowledge a link': { sqlite: [1, 0], postgres: [1, 0] },
  'reserve a file': { sqlite: [4, 1], postgres: [4, 1] },
  'send a part of a file': { sqlite: [7, 1], postgres: [7, 1] },
  'complete a file': { sqlite: [2, 1], postgres: [3, 1] },
  'read a range of a file': { sqlite: [3, 0], postgres: [3, 0] },
  'seal a link with a file': { sqlite: [4, 1], postgres: [5, 1] },
  'redeem a link with a file': { sqlite: [5, 1], postgres: [7, 1] },
  'read a range of a link’s file': { sqlite: [2, 0], postgres: [2, 0] },
  'read a range of a letter’s file': { sqlite: [3, 0], postgres: [3, 0] },
};

/** Counts from now on. */
function countOn(instance: TestInstance): () => Count {
  const count: Count = { statements: 0, transactions: 0 };
  const { deps } = instance;
  const db = deps.db.withPlugin({
    transformQuery({ node }) {
      count.statements += 1;
      return node;
    },
    transformResult: async ({ result }) => result,
  });
  const begin = db.transaction.bind(db);
  db.transaction = () => {
    count.transactions += 1;
    return begin();
  };
  Object.assign(deps, { db });
  return () => {
    const counted = { ...count };
    Object.assign(count, { statements: 0, transactions: 0 });
    return counted;
  };
}

describeOnEachEngine('each hot call', (engine) => {
  it('sends no more statements than it needs', async () => {
    const instance = await openTestInstance({ engine });
    const owner = await aMember(instance);
    const { fingerprint: keyFingerprint } = owner.envelope.clientKey;
    const take = countOn(instance);
    const found: Record<string, readonly [number, number]> = {};
    const call = async (
      what: string,
      method: string,
      path: string,
      {
        by = owner,
        ...options
      }: { by?: Pick<typeof owner, 'request'>; body?: object; headers?: Record<string, string> } = {},
    ) => {
      take();
      const response = await by.request(method, path, options);
      expect(response.ok).toBe(true);
      // What comes piece by piece is asked for when it is read.
      if (what.startsWith('read a range')) await response.text();
      const { statements, transactions } = take();
      found[what] = [statements, transactions];
      return response;
    };
    const sealed = () => ({ sealId: aRedemptionId(), keyFingerprint });
    const memory = () => ({ title: 'dA==', encryptedContent: someWords(), ...sealed() });

    // Building a statement counts as well: the second round has them all.
    for (const round of [1, 2]) {
      await call('who is signed in', 'GET', '/api/auth/user');
      await call('create a memory', 'POST', '/api/memory-entries', { body: memory() });
      const entry = withEntry(anEntry(round));
      const recorded = { body: memory(), headers: entry };
      await call('create a memory with its entry of the book', 'POST', '/api/memory-entries', recorded);
      const entryId = await aMemory(owner);
      await call('read a memory', 'GET', `/api/memory-entries/${entryId}`);
      await call('list memories', 'GET', '/api/memory-entries');
      await call('read what the book has since an entry', 'GET', `/api/book?from=${round}`);

      const place = (await (await owner.request('GET', '/api/changes')).json()) as { next: string };
      await aMemory(owner);
      const since = `/api/changes?since=${place.next}&book=${round}`;
      const seen = await call('read a row that was changed, with the book', 'GET', since);
      const { next } = (await seen.json()) as { next: string };
      await call('ask what has changed, where nothing has', 'GET', `/api/changes?since=${next}`);

      const expiresAt = new Date(instance.clock.now() + HOUR).toISOString();
      const body = { encryptedContent: someWords(), maxReads: 1, expiresAt, ...sealed() };
      const ghost = (await (
        await call('create a ghost', 'POST', '/api/ghost-entries', { body })
      ).json()) as Ghost;
      await call('list ghosts', 'GET', '/api/ghost-entries');
      await call('burn a ghost', 'POST', `/api/ghost-entries/${ghost.id}/read`);

      const reservation = { body: { entryType: 'memory', entryId } };
      const reserved = await call('reserve a link', 'POST', '/api/shareable-keys', reservation);
      const { id, keyId } = (await reserved.json()) as Share['key'];
      const { door, claim, seal } = aLink();
      const sealing = { body: { ...seal, keyFingerprint } };
      await call('seal a link', 'PUT', `/api/shareable-keys/${id}/seal`, sealing);
      await call('ask whether a link opens', 'GET', `/api/shares/${keyId}`, { by: instance });
      const redemptionId = aRedemptionId();
      const proofs = { by: instance, body: { door, claim, redemptionId } };
      await call('redeem a link', 'POST', `/api/shares/${keyId}/redeem`, proofs);
      const opened = { by: instance, body: { door, redemptionId } };
      await call('acknowledge a link', 'POST', `/api/shares/${keyId}/acknowledge`, opened);

      const file = aFile(1000);
      const { fileId, halvings } = file;
      await call('reserve a file', 'POST', '/api/files', { body: { fileId, bytes: 1000, halvings } });
      const typed = {
        'content-type': 'application/octet-stream',
        [PART_DIGEST_HEADER]: digestOf(file.content),
      };
      const part = { body: file.content, headers: typed };
      await call('send a part of a file', 'PUT', `/api/files/${fileId}/parts/0`, part);
      const given = { body: { sealId: aRedemptionId() } };
      await call('complete a file', 'POST', `/api/files/${fileId}/complete`, given);
      const range = { headers: { range: 'bytes=5-9' } };
      await call('read a range of a file', 'GET', `/api/files/${fileId}/bytes`, range);

      const carrying = (await (
        await owner.request('POST', '/api/shareable-keys', reservation)
      ).json()) as Share['key'];
      const link = aLink();
      const withFile = { body: { ...link.seal, keyFingerprint, files: [fileId] } };
      await call('seal a link with a file', 'PUT', `/api/shareable-keys/${carrying.id}/seal`, withFile);
      const breaking = { by: instance, body: { door: link.door, claim: link.claim, redemptionId } };
      await call('redeem a link with a file', 'POST', `/api/shares/${carrying.keyId}/redeem`, breaking);
      const lent = { by: instance, headers: { ...range.headers, [REDEMPTION_HEADER]: redemptionId } };
      const path = `/api/shares/${carrying.keyId}/files/${fileId}`;
      await call('read a range of a link’s file', 'GET', path, lent);

      const letter = await anOpeningScroll(owner);
      await takeStep(owner, letter.scroll, 'activate', { handedOver: true });
      await takeStep(owner, letter.scroll, 'release');
      await owner.request('POST', `/api/files/${fileId}/complete`, {
        body: { sealId: letter.scroll.sealId },
      });
      const proved = { by: instance, headers: { ...range.headers, [CLAIM_HEADER]: letter.claim } };
      const at = `/api/legacy/${firstOf(letter.scroll).publicId}/files/${fileId}`;
      await call('read a range of a letter’s file', 'GET', at, proved);
    }
    expect(found).toEqual(Object.fromEntries(Object.entries(HOT).map(([what, by]) => [what, by[engine]])));
    await instance.close();
  });
});
