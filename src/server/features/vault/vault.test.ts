import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { DAY, MINUTE } from '../../../shared/time.ts';
import { foundInFiles, openInstanceInFolder } from '../../../testing/data-folder.ts';
import { describeOnEachEngine } from '../../../testing/engines.ts';
import { sendFile } from '../../../testing/files.ts';
import { cookieOf, failure } from '../../../testing/instance.ts';
import {
  ageAccount,
  aMember,
  aName,
  enterByPassphrase,
  type Person,
  signUpByPassphrase,
} from '../../../testing/people.ts';
import { accountIdOf, plantingFor, plantMessage } from '../../../testing/planting.ts';
import { begin, stageMemories } from '../../../testing/regenerating.ts';
import {
  addressOf,
  anEnvelopeForAWhisper,
  anOpeningScroll,
  aScroll,
  aWatch,
  openByClaim,
  proveWarningAddress,
  scrollsOf,
  step,
  take,
} from '../../../testing/scrolls.ts';
import { aLink, putSeal, reserve, someWords } from '../../../testing/shares.ts';
import { aWallet, linkWalletOf, MINT } from '../../../testing/wallets.ts';
import { pressToken } from '../../deadman/delivery/link-token.ts';
import { newMessageId } from '../../deadman/delivery/message-store.ts';
import { deleteExpired } from '../../expiry.ts';
import { offerSetupToken } from '../../setup-token.ts';

const PATH = '/api/vault/destroy';

/** What ends a subscription, and is acknowledged when the payment provider was asked. */
const AT_THE_PROVIDER = ['end-subscription', 'check-customers'];
/**
 * What belongs to nobody, or is found by hashes alone: counts of attempts and of messages, counted time, transports, settings,
 * what the administrator tells everybody, invitations, tokens, who holds the token on a public chain, and this server’s own key.
 */
const OWNERLESS = [
  'attempts',
  // What the store has still to erase has no owner any more.
  'files_to_erase',
  'holder_lists',
  'instance_clock',
  'outside_looks',
  'uptime_marks',
  'invitations',
  'member_notice',
  'message_slots',
  'migrations',
  'quota',
  // Of letters that other instances have passed on: whose they are, nobody here knows.
  'sister_letters',
  'sister_shares',
  'sister_tokens',
  'server_settings',
  'setup_tokens',
  'signing_keys',
  'transports',
  'whisper_audio',
];

describeOnEachEngine('destroying a vault', (engine) => {
  let instance: Awaited<ReturnType<typeof openInstanceInFolder>>;
  beforeEach(async () => {
    instance = await openInstanceInFolder({ engine });
  });
  afterEach(() => instance.close());

  const destroy = (person: Person, confirm: unknown = 'DESTROY', scrolls?: unknown) =>
    person.request('POST', PATH, { body: { confirm, scrolls } });

  async function uidOf(person: Person): Promise<string> {
    const { uid } = await instance.deps.db
      .selectFrom('accounts')
      .select('uid')
      .where('id', '=', await accountIdOf(instance, person))
      .executeTakeFirstOrThrow();
    return uid;
  }

  /** Somebody with rows in every table that can have any. */
  async function aFullVault(name?: string) {
    const person = await aMember(instance, name);
    await ageAccount(instance, person);
    const { fingerprint } = person.envelope.clientKey;
    const plant = await plantingFor(instance, person, fingerprint);
    const planted = {
      memory: await plant.memory(),
      relationship: await plant.relationship(),
      myth: await plant.myth(),
      webhook: await plant.webhook(),
      kit: await plant.guardianKit(),
      delivery: await plant.delivery(),
      revoked: await plant.revoked(),
      bookEntry: await plant.bookEntry(),
      ghost: await plant.ghost(),
      share: await plant.sacredKey(),
      breath: await plant.breath(),
      scroll: await plant.legacyScroll({
        public_id: `scroll-${fingerprint}`,
        recipient_address: `3${fingerprint}@mail.example`,
      }),
    };
    await plantMessage(instance, { account_id: plant.accountId, scroll_id: planted.scroll.id });
    await plant.rehearsal(planted.scroll.id);
    const { fileId } = await sendFile(person);
    const link = await reserve(person, { entryId: planted.memory.id });
    expect((await putSeal(person, link.id, { ...aLink().seal, files: [fileId] })).status).toBe(200);
    await plant.subscription();
    await plant.passkey();
    await plant.retiredKey();
    await proveWarningAddress(instance, person, `${fingerprint}@mail.example`);
    const contact = { name: 'Somebody', address: `4${fingerprint}@mail.example` };
    expect((await person.request('PUT', '/api/trusted-contact', { body: contact })).status).toBe(200);
    await aWatch(person);
    await take(person, await aWatch(person), 'release');
    await person.request('PUT', '/api/warning-address', {
      body: { address: `2${fingerprint}@mail.example` },
    });
    await person.request('POST', '/api/confirmations', {
      body: {
        token: pressToken(instance.deps.digests, {
          purpose: 'press-warning',
          publicId: newMessageId(),
          uid: await uidOf(person),
        }),
      },
    });
    await person.request('POST', '/api/passkeys/options');
    expect((await linkWalletOf(person, aWallet())).status).toBe(200);
    await person.request('POST', '/api/linked-wallet/challenge', { body: { walletAddress: MINT } });
    const send = (method: string, path: string, body?: unknown) =>
      person.request(method, path, body === undefined ? {} : { body });
    await stageMemories(send, await begin(send, fingerprint));
    return { person, planted };
  }

  /** Every row of every table that can belong to somebody. */
  async function allRows(): Promise<Map<string, unknown[]>> {
    const { db } = instance.deps;
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
    // What ends a subscription at the provider outlives the vault, with its number, until it has.
    const jobs = rows.get('jobs') as { kind: string }[];
    rows.set(
      'jobs',
      jobs.filter(({ kind }) => !AT_THE_PROVIDER.includes(kind)),
    );
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
    const person = await signUpByPassphrase(instance);
    const other = await enterByPassphrase(instance, person);
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
    const person = await signUpByPassphrase(instance);
    instance.clock.advance(10 * MINUTE);
    expect(await failure(await destroy(person))).toEqual({ status: 403, code: 'proof-needed' });
    expect((await person.request('GET', '/api/auth/user')).status).toBe(200);
  });

  // Only the embedded database has files of its own.
  if (engine === 'sqlite') {
    it('leaves nothing in any file of the data folder once the night is over', async () => {
      // Vaults before and beside it, so that pages are shared, filled and emptied.
      const name = `somebody ${crypto.randomUUID()}`;
      const neighbours = [];
      for (let i = 0; i < 6; i += 1) neighbours.push(await aFullVault());
      const { person, planted } = await aFullVault(name);
      for (let i = 0; i < 6; i += 1) neighbours.push(await aFullVault());
      const { clientKey } = person.envelope;
      const { memory, relationship, myth, webhook, kit, delivery, ghost, share, breath, scroll } = planted;
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
        myth.title,
        myth.encrypted_content,
        webhook.name,
        webhook.token_hash,
        webhook.secret_salt,
        ...[kit.details, kit.wrap, kit.address, kit.claim_hash],
        delivery.delivery_hash,
        ghost.words ?? '',
        share.encrypted_content ?? '',
        share.encrypted_secret ?? '',
        share.key_id,
        breath.encrypted_content,
        scroll.title,
        scroll.encrypted_content,
        `scroll-${clientKey.fingerprint}`,
        `3${clientKey.fingerprint}@mail.example`,
        `2${clientKey.fingerprint}@mail.example`,
      ];
      expect(foundInFiles(instance, traces)).toEqual(traces);
      expect((await destroy(person)).status).toBe(204);
      // The provider was asked: these acknowledge themselves.
      await instance.deps.db.deleteFrom('jobs').where('kind', 'in', AT_THE_PROVIDER).execute();
      // A row in a thousand has left a piece of itself where another one was moved to.
      instance.clock.advance(DAY);
      await deleteExpired(instance.deps);
      expect(foundInFiles(instance, traces)).toEqual([]);
      const theirs = neighbours.map((neighbour) => neighbour.planted.memory.encrypted_content);
      expect(foundInFiles(instance, theirs)).toEqual(theirs);
    });
  }

  it('sets its name free: whoever takes it begins with nothing', async () => {
    const name = aName();
    const first = await signUpByPassphrase(instance, name);
    await destroy(first);
    const entered = await instance.request('POST', '/api/gate/passphrase/enter', {
      body: { name, authKey: first.authKey },
    });
    expect(await failure(entered)).toEqual({ status: 401, code: 'wrong-passphrase' });
    const second = await signUpByPassphrase(instance, name);
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

  describe('with scrolls', () => {
    const messages = () => instance.deps.db.selectFrom('messages').selectAll().orderBy('id').execute();
    const rows = () => instance.deps.db.selectFrom('legacy_scrolls').selectAll().orderBy('id').execute();

    it.each([undefined, null, 'disarm'])('takes them all with it where %j is wished', async (scrolls) => {
      const person = await signUpByPassphrase(instance);
      const { scroll, claim } = await anOpeningScroll(person);
      await take(person, scroll, 'activate', { handedOver: true });
      await take(person, scroll, 'release');
      await aWatch(person);
      await aScroll(person);
      expect((await destroy(person, 'DESTROY', scrolls)).status).toBe(204);
      expect(await rows()).toEqual([]);
      expect(await messages()).toEqual([]);
      expect(await instance.deps.db.selectFrom('jobs').selectAll().execute()).toEqual([]);
      expect((await openByClaim(instance, scroll, claim)).status).toBe(404);
    });

    it('refuses another wish', async () => {
      const person = await signUpByPassphrase(instance);
      expect((await destroy(person, 'DESTROY', 'burn')).status).toBe(422);
    });

    it('releases what watches, and leaves it to its recipients for a year, without its author', async () => {
      const person = await signUpByPassphrase(instance);
      await proveWarningAddress(instance, person);
      const { scroll, claim } = await anOpeningScroll(person);
      await take(person, scroll, 'activate', { warning: 'mail', handedOver: true });
      const earlier = await anOpeningScroll(person, 'passphrase');
      await take(person, earlier.scroll, 'activate', { handedOver: true });
      await take(person, earlier.scroll, 'release');
      await aScroll(person);
      const countedTime = 5 * DAY;
      const setCountedTime = (counted_time: number) =>
        instance.deps.db.updateTable('instance_clock').set({ counted_time }).execute();
      await setCountedTime(countedTime);
      expect((await destroy(person, 'DESTROY', 'release')).status).toBe(204);
      const left = {
        account_id: null,
        title: '',
        encrypted_scroll_key: null,
        key_fingerprint: null,
        state: 'released',
        kept_until: countedTime + 365 * DAY,
      };
      expect(await rows()).toMatchObject([
        { id: scroll.id, ...left },
        { id: earlier.scroll.id, ...left },
      ]);
      const waits = { kind: 'release', account_id: null, state: 'waiting' };
      expect(await messages()).toMatchObject([
        { scroll_id: earlier.scroll.id, ...waits },
        { scroll_id: scroll.id, ...waits },
      ]);
      // Each has a message to deliver, and reminders to see to.
      expect(await instance.deps.db.selectFrom('jobs').selectAll().execute()).toHaveLength(4);
      instance.clock.advance(400 * DAY);
      await setCountedTime(countedTime + 365 * DAY - 1);
      for (const one of [{ scroll, claim }, earlier]) {
        const opened = await openByClaim(instance, one.scroll, one.claim);
        const { encryptedContent, sealId } = one.scroll;
        expect(await opened.json()).toMatchObject({ encryptedContent, sealId, openedBefore: null });
      }
      await instance.deps.db.updateTable('messages').set({ state: 'sent' }).execute();
      await setCountedTime(countedTime + 365 * DAY);
      expect((await openByClaim(instance, scroll, claim)).status).toBe(404);
      await deleteExpired(instance.deps);
      expect(await rows()).toEqual([]);
      expect(await messages()).toEqual([]);
    });

    it('releases each once, whoever presses at the same moment', async () => {
      for (let i = 0; i < 3; i += 1) {
        const person = await signUpByPassphrase(instance);
        const scroll = await aWatch(person);
        const [gone, released] = await Promise.all([
          destroy(person, 'DESTROY', 'release'),
          step(person, scroll, 'release'),
        ]);
        expect(gone.status).toBe(204);
        expect([200, 401, 404]).toContain(released.status);
        expect(await messages()).toHaveLength(i + 1);
      }
    });

    it('is done while somebody signs in, activates and lives, and leaves nothing of it', async () => {
      for (let i = 0; i < 5; i += 1) {
        const person = await signUpByPassphrase(instance);
        const scroll = await aScroll(person);
        const entering = instance.request('POST', '/api/gate/passphrase/enter', {
          body: { name: person.name, authKey: person.authKey },
        });
        const answers = await Promise.all([
          step(person, scroll, 'activate'),
          person.request('POST', '/api/proof-of-life'),
          destroy(person),
          entering,
          step(person, scroll, 'disarm'),
          person.request('DELETE', '/api/warning-address'),
        ]);
        for (const { status } of answers) expect([200, 204, 401, 404]).toContain(status);
        expect((await allRows()).get('accounts')).toEqual([]);
        expect((await allRows()).get('last_activity')).toEqual([]);
      }
    });

    it('leaves to its author what was whispered to it, for nobody any more', async () => {
      const [writer, reader] = [await signUpByPassphrase(instance), await aMember(instance)];
      const whisper = await aWatch(writer, {
        recipientType: 'whisper',
        recipientAddress: addressOf(reader.envelope.clientKey),
        access: { kind: 'vault', envelope: anEnvelopeForAWhisper() },
        encryptedScrollKey: someWords(60),
      });
      expect((await destroy(reader)).status).toBe(204);
      expect(await rows()).toMatchObject([{ id: whisper.id, state: 'watching' }]);
      const { db } = instance.deps;
      expect(await db.selectFrom('scroll_recipients').select('recipient_account_id').execute()).toEqual([
        { recipient_account_id: null },
      ]);
      expect(await scrollsOf(writer)).toEqual([whisper]);
    });
  });

  it('may be done by the last administrator; at its next start the server offers a new set-up token', async () => {
    const token = await offerSetupToken(instance.deps);
    const administrator = await signUpByPassphrase(instance);
    await administrator.request('POST', '/api/admin/claim', { body: { token } });
    // As the running server does it.
    rmSync(join(instance.dataDir, 'setup-token'));
    expect(await offerSetupToken(instance.deps)).toBeNull();
    expect((await destroy(administrator)).status).toBe(204);
    const next = await offerSetupToken(instance.deps);
    expect(next).toMatch(/^[\w-]{24}$/);
    expect(next).not.toBe(token);
    const second = await signUpByPassphrase(instance);
    const old = await second.request('POST', '/api/admin/claim', { body: { token } });
    expect(await failure(old)).toEqual({ status: 403, code: 'wrong-token' });
    const claimed = await second.request('POST', '/api/admin/claim', { body: { token: next } });
    expect(await claimed.json()).toMatchObject({ isAdmin: true });
  });
});
