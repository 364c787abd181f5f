import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { deleteExpired } from '../../jobs/sweep-store.ts';
import { offerSetupToken } from '../../setup-token.ts';
import { MINUTE } from '../../testing/clock.ts';
import { foundInFiles } from '../../testing/data-folder.ts';
import { describeOnEachEngine } from '../../testing/engines.ts';
import { cookieOf, failure, openTestHouse, type TestHouse } from '../../testing/house.ts';
import {
  aName,
  aResident,
  enterByPassphrase,
  type Person,
  signUpByPassphrase,
} from '../../testing/people.ts';
import { plantingFor } from '../../testing/planting.ts';
import { begin, stageMemories } from '../../testing/regenerating.ts';

const PATH = '/api/vault/destroy';

/** What belongs to nobody, or is found by hashes alone: counts of attempts, and the set-up token. */
const OWNERLESS = ['attempts', 'setup_tokens', 'kysely_migration', 'kysely_migration_lock'];

describeOnEachEngine('destroying a vault', (engine) => {
  let house: TestHouse;
  let dataDir: string;
  beforeEach(async () => {
    dataDir = mkdtempSync(join(tmpdir(), 'latebra-data-'));
    house = await openTestHouse({ engine, env: { DATA_DIR: dataDir } });
  });
  afterEach(async () => {
    await house.close();
    rmSync(dataDir, { recursive: true });
  });

  const destroy = (person: Person, confirm: unknown = 'DESTROY') =>
    person.request('POST', PATH, { body: { confirm } });

  /** Somebody with rows in every table that can have any. */
  async function aFullVault(name?: string) {
    const person = await aResident(house, name);
    const { fingerprint } = person.envelope.clientKey;
    const plant = await plantingFor(house, person, fingerprint);
    const planted = {
      memory: await plant.memory(),
      relationship: await plant.relationship(),
      ghost: await plant.ghost(),
      share: await plant.sacredKey(),
      breath: await plant.breath(),
    };
    await plant.passkey();
    await person.request('POST', '/api/passkeys/options');
    const send = (method: string, path: string, body?: unknown) =>
      person.request(method, path, body === undefined ? {} : { body });
    await stageMemories(send, await begin(send, fingerprint));
    return { person, planted };
  }

  /** Every row of every table that can belong to somebody. */
  async function allRows(): Promise<Map<string, unknown[]>> {
    const { db } = house.deps;
    const tables = (await db.introspection.getTables())
      .map(({ name }) => name)
      .filter((name) => !OWNERLESS.includes(name) && !name.startsWith('sqlite_'));
    const rows = new Map<string, unknown[]>();
    for (const table of tables.sort()) {
      rows.set(
        table,
        await db
          .selectFrom(table as 'accounts')
          .selectAll()
          .execute(),
      );
    }
    return rows;
  }

  it('erases every row of every table that was its own, and none of anybody else’s', async () => {
    await aFullVault();
    const before = await allRows();
    const { person } = await aFullVault();
    for (const [table, rows] of await allRows()) {
      expect(rows.length, `nothing was planted in ${table}`).toBeGreaterThan(before.get(table)?.length ?? 0);
    }
    const response = await destroy(person);
    expect(response.status).toBe(204);
    expect(await allRows()).toEqual(before);
  });

  it('ends every session and forgets the cookie', async () => {
    const person = await signUpByPassphrase(house);
    const other = await enterByPassphrase(house, person);
    const response = await destroy(person);
    expect(cookieOf(response)).toBe('latebra-session=');
    expect(response.headers.get('set-cookie')).toContain('Max-Age=0');
    for (const who of [person, other]) {
      expect((await who.request('GET', '/api/auth/user')).status).toBe(401);
      expect((await destroy(who)).status).toBe(401);
    }
  });

  it.each(['', 'destroy', 'DESTROY ', null, true])('wants its word, and %j is not it', async (word) => {
    const { person } = await aFullVault();
    const before = await allRows();
    expect(await failure(await destroy(person, word))).toEqual({ status: 422, code: 'invalid-input' });
    expect(await allRows()).toEqual(before);
  });

  it('wants a fresh proof', async () => {
    const person = await signUpByPassphrase(house);
    house.clock.advance(10 * MINUTE);
    expect(await failure(await destroy(person))).toEqual({ status: 403, code: 'proof-needed' });
    expect((await person.request('GET', '/api/auth/user')).status).toBe(200);
  });

  // Only the embedded database has files of its own.
  if (engine === 'sqlite') {
    it('leaves nothing in any file of the data folder', async () => {
      // Vaults before and beside it, so that pages are shared, filled and emptied.
      const name = `somebody ${crypto.randomUUID()}`;
      const neighbours = [];
      for (let i = 0; i < 6; i += 1) neighbours.push(await aFullVault());
      const { person, planted } = await aFullVault(name);
      for (let i = 0; i < 6; i += 1) neighbours.push(await aFullVault());
      const { clientKey } = person.envelope;
      const { memory, relationship, ghost, share, breath } = planted;
      const traces = [
        name,
        person.user.id,
        clientKey.fingerprint,
        clientKey.keyCheck,
        clientKey.wraps[0]?.sealed ?? '',
        clientKey.verifyingKey.slice(0, 200),
        clientKey.signature.slice(0, 200),
        memory.title,
        memory.encrypted_content,
        memory.seal_id ?? '',
        relationship.person_name,
        relationship.encrypted_content,
        ghost.words ?? '',
        share.encrypted_content ?? '',
        share.encrypted_secret ?? '',
        share.key_id,
        breath.encrypted_content,
      ];
      expect(foundInFiles(house, traces)).toEqual(traces);
      expect((await destroy(person)).status).toBe(204);
      expect(foundInFiles(house, traces)).toEqual([]);
      const theirs = neighbours.map((neighbour) => neighbour.planted.memory.encrypted_content);
      expect(foundInFiles(house, theirs)).toEqual(theirs);
    });

    it('rewrites the file for the first of several at once, and for the others when the sweep may', async () => {
      const vaults = [];
      for (let i = 0; i < 3; i += 1) vaults.push(await aFullVault());
      const wanted = async () => {
        const { rows } = await sql<{ user_version: number }>`pragma user_version`.execute(house.deps.db);
        return rows[0]?.user_version === 1;
      };
      const traces = vaults.map(({ person }) => person.user.id);
      for (const [i, { person }] of vaults.entries()) {
        expect((await destroy(person)).status).toBe(204);
        expect(await wanted()).toBe(i > 0);
      }
      house.clock.advance(10 * MINUTE);
      await deleteExpired(house.deps);
      expect(await wanted()).toBe(false);
      expect(foundInFiles(house, traces)).toEqual([]);
    });
  }

  it('sets its name free: whoever takes it begins with nothing', async () => {
    const name = aName();
    const first = await signUpByPassphrase(house, name);
    await destroy(first);
    const entered = await house.request('POST', '/api/gate/passphrase/enter', {
      body: { name, authKey: first.authKey },
    });
    expect(await failure(entered)).toEqual({ status: 401, code: 'wrong-passphrase' });
    const second = await signUpByPassphrase(house, name);
    expect(second.user.id).not.toBe(first.user.id);
    expect(second.user).toMatchObject({ onboardingComplete: false, keyFingerprint: null, isAdmin: false });
  });

  it('is done once, and leaves nothing behind, while other tabs go on writing', async () => {
    const { person } = await aFullVault();
    const write = () =>
      person.request('POST', '/api/memory-entries', { body: { title: 'dA==', encryptedContent: 'dA==' } });
    const before = (await allRows()).get('accounts')?.length ?? 0;
    const destroyed = [destroy(person), destroy(person)];
    const written = await Promise.all(Array.from({ length: 20 }, write));
    for (const { status } of written) expect([201, 401]).toContain(status);
    await Promise.all(destroyed);
    const statuses = (await Promise.all(destroyed)).map(({ status }) => status);
    expect(statuses).toContain(204);
    for (const status of statuses) expect([204, 401]).toContain(status);
    const after = await allRows();
    expect(after.get('accounts')).toHaveLength(before - 1);
    expect(after.get('memory_entries')).toEqual([]);
    expect(after.get('sessions')).toEqual([]);
  });

  it('may be done by the last keeper; at its next start the house offers a new set-up token', async () => {
    const token = await offerSetupToken(house.deps);
    const keeper = await signUpByPassphrase(house);
    await keeper.request('POST', '/api/admin/claim', { body: { token } });
    // As the running server does it.
    rmSync(join(dataDir, 'setup-token'));
    expect(await offerSetupToken(house.deps)).toBeNull();
    expect((await destroy(keeper)).status).toBe(204);
    const next = await offerSetupToken(house.deps);
    expect(next).toMatch(/^[\w-]{24}$/);
    expect(next).not.toBe(token);
    const second = await signUpByPassphrase(house);
    const old = await second.request('POST', '/api/admin/claim', { body: { token } });
    expect(await failure(old)).toEqual({ status: 403, code: 'wrong-token' });
    const claimed = await second.request('POST', '/api/admin/claim', { body: { token: next } });
    expect(await claimed.json()).toMatchObject({ isAdmin: true });
  });
});
