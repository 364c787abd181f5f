// A new key is in place with everything sealed under it, or neither is: the server is killed in the middle of
// finishing a regeneration, again and again, each time a little later.

import { join } from 'node:path';
import { afterEach, describe, expect, inject, it } from 'vitest';
import type { Memory } from '../shared/nouns/memory.ts';
import type { VaultKeyRecord } from '../shared/nouns/vault-key.ts';
import { MINUTE } from '../shared/time.ts';
import { createPostgres, describeOnPostgres } from '../testing/engines.ts';
import { aName, anAuthKey } from '../testing/people.ts';
import { ciphertext } from '../testing/planting.ts';
import {
  aSuccessor,
  begin,
  fetchMemories,
  NEW,
  REGENERATION,
  type Sender,
  stageMemories,
} from '../testing/regenerating.ts';
import { aDataDir, type ServerProcess, startServer } from '../testing/server-program.ts';
import { anEnvelope } from '../testing/vault-keys.ts';
import { SqliteConnection } from './db/sqlite-driver.ts';

const main = inject('serverProgram');
const MEMORIES = 300;
const ROUNDS = 9;

const cleanups: (() => unknown)[] = [];
afterEach(async () => {
  for (const clean of cleanups.splice(0).reverse()) await clean();
});

function senderTo(url: string, cookie: string): Sender {
  return (method, path, body) =>
    fetch(url + path, {
      method,
      headers: { cookie, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
}

/** Somebody with a key and memories under it. */
async function aVault(url: string): Promise<string> {
  const signedUp = await senderTo(url, '')('POST', '/api/gate/passphrase/begin', {
    name: aName(),
    authKey: anAuthKey(),
  });
  const cookie = signedUp.headers.getSetCookie()[0]?.split(';')[0] ?? '';
  const send = senderTo(url, cookie);
  const { clientKey } = anEnvelope();
  expect((await send('POST', '/api/encryption-key', { clientKey })).status).toBe(201);
  for (let n = 0; n < MEMORIES; n += 1) {
    const written = await send('POST', '/api/memory-entries', {
      title: ciphertext(),
      encryptedContent: ciphertext(900),
      keyFingerprint: clientKey.fingerprint,
    });
    expect(written.status).toBe(201);
  }
  return cookie;
}

/** The key that stands there, and that every memory was sealed anew as often as it was: never one without the other. */
async function theOneKey(send: Sender, times: number): Promise<VaultKeyRecord> {
  const key = (await (await send('GET', '/api/encryption-key')).json()) as VaultKeyRecord;
  const memories = await fetchMemories(send);
  expect(memories).toHaveLength(MEMORIES);
  const resealed = ({ title }: Memory) => (title.length - ciphertext().length) / NEW.length;
  const found = new Set(memories.map((one) => `${one.keyFingerprint} ${resealed(one)}`));
  expect([...found]).toEqual([`${key.clientKey.fingerprint} ${times}`]);
  return key;
}

/** Counts how often the new key was in place after a kill, and how often the old one. */
async function killAgainAndAgain(start: () => Promise<ServerProcess>, afterKill: () => void = () => {}) {
  let server = await start();
  const cookie = await aVault(server.url);
  const outcomes = { old: 0, new: 0 };
  let times = 0;
  let takes = 0;
  for (let round = 0; round <= ROUNDS; round += 1) {
    const send = senderTo(server.url, cookie);
    const before = await theOneKey(send, times);
    const id = await begin(send, before.clientKey.fingerprint);
    await stageMemories(send, id);
    const successor = aSuccessor(id, before.clientKey.fingerprint);
    // Loads what a new process loads with the first finish, so that the next one is little else than its transaction.
    const nothing = aSuccessor('A'.repeat(22), before.clientKey.fingerprint);
    expect((await send('POST', `${REGENERATION}/finish`, nothing)).status).toBe(409);
    const from = performance.now();
    const answer = send('POST', `${REGENERATION}/finish`, successor).then(
      ({ status }) => status,
      () => null,
    );
    if (round === 0) {
      // The first one is let through, and says how long it takes.
      expect(await answer).toBe(201);
      takes = performance.now() - from;
      times += 1;
      continue;
    }
    // From at once until about the end.
    const moment = new Promise((resolve) => setTimeout(resolve, (takes * (round - 1)) / ROUNDS));
    await Promise.race([moment, answer]);
    await server.end('SIGKILL');
    const acknowledged = await answer;
    afterKill();
    server = await start();
    const again = senderTo(server.url, cookie);
    const { clientKey, keyRing } = (await (
      await again('GET', '/api/encryption-key')
    ).json()) as VaultKeyRecord;
    if (clientKey.fingerprint === successor.clientKey.fingerprint) {
      outcomes.new += 1;
      times += 1;
      expect({ clientKey, keyRing }).toEqual({ clientKey: successor.clientKey, keyRing: successor.keyRing });
    } else {
      outcomes.old += 1;
      expect(acknowledged).toBeNull();
      expect({ clientKey, keyRing }).toEqual({ clientKey: before.clientKey, keyRing: before.keyRing });
    }
    await theOneKey(again, times);
    // Sent again, it is finished either way: its answer was lost, or what it staged is still there.
    if (round % 3 === 0) {
      expect((await again('POST', `${REGENERATION}/finish`, successor)).status).toBe(201);
      if (clientKey.fingerprint !== successor.clientKey.fingerprint) times += 1;
      await theOneKey(again, times);
    }
  }
  expect(await server.end()).toBe(0);
  expect(outcomes.old + outcomes.new).toBe(ROUNDS);
  expect(outcomes.old).toBeGreaterThan(0);
}

describe('a server that is killed while a key is regenerated (embedded database)', () => {
  it(`has the old key or the new one, ${ROUNDS} times`, { timeout: 3 * MINUTE }, async () => {
    const { dataDir, remove } = aDataDir();
    cleanups.push(remove);
    await killAgainAndAgain(
      () => startServer(main, { DATA_DIR: dataDir }),
      () => {
        const database = new SqliteConnection(join(dataDir, 'latebra.db'));
        expect(database.rows('pragma integrity_check')).toEqual([{ integrity_check: 'ok' }]);
        database.close();
      },
    );
  });
});

describeOnPostgres('a server that is killed while a key is regenerated', () => {
  it(`has the old key or the new one, ${ROUNDS} times`, { timeout: 3 * MINUTE }, async () => {
    const { dataDir, remove } = aDataDir();
    const { url, drop } = await createPostgres();
    cleanups.push(remove, drop);
    await killAgainAndAgain(() => startServer(main, { DATA_DIR: dataDir, DATABASE_URL: url }));
  });
});
