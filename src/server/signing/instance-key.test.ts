// The key of the instance: one for all servers, locked in the database, and each secret has its own.
import { expect, it } from 'vitest';
import { describeOnEachEngine } from '../../testing/engines.ts';
import { openTestInstance } from '../../testing/instance.ts';
import { createDigests } from '../digests.ts';
import { createInstanceKey } from './instance-key.ts';

describeOnEachEngine('the key that an instance signs with', (engine) => {
  it('is one for all servers, however many need it first at once', async () => {
    const instance = await openTestInstance({ engine });
    const servers = [instance, instance.sibling(), instance.sibling()];
    const keys = await Promise.all(
      servers.map(async ({ request }) => (await request('GET', '/api/public-key')).text()),
    );
    expect(new Set(keys).size).toBe(1);
    expect(keys[0]).toMatch(/^-----BEGIN PGP PUBLIC KEY BLOCK-----/);
    // Also to sign with.
    const unlocked = await Promise.all(servers.map(({ deps }) => createInstanceKey(deps).unlocked()));
    expect(new Set(unlocked.map((key) => key.toPublic().armor())).size).toBe(1);
    expect(unlocked[0]?.toPublic().armor()).toBe(keys[0]);
    await instance.close();
  });

  it('is stored locked, and nothing in the database unlocks it', async () => {
    const instance = await openTestInstance({ engine });
    const key = createInstanceKey(instance.deps);
    expect((await key.unlocked()).isDecrypted()).toBe(true);
    const row = await instance.deps.db.selectFrom('signing_keys').selectAll().executeTakeFirstOrThrow();
    const { unlockKey } = await import('../adapters/openpgp.ts');
    for (const guess of [row.secret_id, '', 'passphrase']) {
      await expect(unlockKey(row.private_key, guess)).rejects.toThrow();
    }
    await instance.close();
  });

  it('is another one under another instance secret, and comes back with the first', async () => {
    const instance = await openTestInstance({ engine });
    const first = await createInstanceKey(instance.deps).publicKey();
    const digests = createDigests(Buffer.alloc(32, 7));
    const other = createInstanceKey({ ...instance.deps, digests });
    expect(await other.publicKey()).not.toBe(first);
    expect((await other.unlocked()).isDecrypted()).toBe(true);
    expect(await createInstanceKey(instance.deps).publicKey()).toBe(first);
    await instance.close();
  });

  it('is asked for again after the database was away', async () => {
    const instance = await openTestInstance({ engine });
    let away = true;
    const { db } = instance.deps;
    const key = createInstanceKey({
      ...instance.deps,
      get db() {
        if (away) throw new Error('away');
        return db;
      },
    });
    await expect(key.publicKey()).rejects.toThrow('away');
    away = false;
    expect(await key.publicKey()).toContain('PUBLIC KEY');
    await instance.close();
  });

  it.each(['vault.example.org', '[::1]', '127.0.0.1'])('can be made at %s', async (host) => {
    const instance = await openTestInstance({ engine, env: { PUBLIC_URL: `http://${host}:3000` } });
    expect(await createInstanceKey(instance.deps).publicKey()).toContain('PUBLIC KEY');
    await instance.close();
  });
});
