// Somebody who does anything at all with a vault, in any order: every operation that stores, changes or erases
// something, by the calls that browsers make. Refusals are part of it.
import { deleteExpired } from '../server/expiry.ts';
import { DAY, HOUR, MINUTE } from '../shared/time.ts';
import type { TestInstance } from './instance.ts';
import { addPasskey, type aMember, anAuthKey } from './people.ts';
import { aSealId, ciphertext, plantMessage } from './planting.ts';
import { aSuccessor, begin, fetchMemories, resealedMemory, stage } from './regenerating.ts';
import {
  cardFor,
  lastMessage,
  passphraseFor,
  patchScroll,
  plainScroll,
  press,
  scrollsOf,
} from './scrolls.ts';
import { aLink, aProof, aRedemptionId } from './shares.ts';
import { aPassphraseWrap } from './vault-keys.ts';

type Member = Awaited<ReturnType<typeof aMember>>;
type Row = { id: number; version: number };

/** One thing to do; `pick` chooses a row and a length. */
export type Step = (pick: number) => Promise<unknown>;

const words = (pick: number) => ciphertext(1 + (pick % 997));
const chosen = <T>(list: readonly T[], pick: number): T | undefined => list[pick % Math.max(1, list.length)];

/** Everything that `person` can do, by name. */
export function anything(instance: TestInstance, person: Member): Record<string, Step> {
  const { clock, deps } = instance;
  const call = (method: string, path: string, body?: unknown) =>
    person.request(method, path, body === undefined ? {} : { body });
  const list = async <T = Row>(path: string): Promise<T[]> => (await (await call('GET', path)).json()) as T[];
  const fingerprint = async () =>
    (
      (await (await call('GET', '/api/encryption-key')).json()) as {
        clientKey: { fingerprint: string };
      }
    ).clientKey.fingerprint;
  const onOne =
    <T extends { id: number | string } = Row>(
      path: string,
      act: (row: T, pick: number) => Promise<unknown>,
    ): Step =>
    async (pick) => {
      const row = chosen(await list<T>(path), pick);
      if (row) await act(row, pick);
    };
  const removal = (path: string): Step => onOne(path, ({ id }) => call('DELETE', `${path}/${id}`));
  let lastShare: { keyId: string; door: string; claim: string } | null = null;
  let lastRedemption = aRedemptionId();
  let lastBody: unknown;

  return {
    writeMemory: (pick) => {
      lastBody = { title: words(pick), encryptedContent: words(pick * 7), sealId: aSealId() };
      return call('POST', '/api/memory-entries', lastBody);
    },
    writeTheSameMemory: () => call('POST', '/api/memory-entries', lastBody ?? {}),
    lockMemory: (pick) =>
      call('POST', '/api/memory-entries', {
        title: words(pick),
        encryptedContent: words(pick),
        timeLockUntil: new Date(clock.now() + DAY).toISOString(),
      }),
    editMemory: onOne('/api/memory-entries', ({ id, version }, pick) =>
      call('PATCH', `/api/memory-entries/${id}`, {
        version,
        title: words(pick),
        encryptedContent: words(pick * 3),
      }),
    ),
    deleteMemory: removal('/api/memory-entries'),
    writeMoment: (pick) =>
      call('POST', '/api/relationship-entries', {
        personName: words(pick),
        eventType: 'moment',
        encryptedContent: words(pick * 5),
      }),
    editMoment: onOne('/api/relationship-entries', ({ id, version }, pick) =>
      call('PATCH', `/api/relationship-entries/${id}`, {
        version,
        personName: words(pick),
        eventType: 'moment',
        emotionalWeight: 3,
        encryptedContent: words(pick * 3),
      }),
    ),
    deleteMoment: removal('/api/relationship-entries'),
    writeGhost: (pick) =>
      call('POST', '/api/ghost-entries', {
        encryptedContent: words(pick),
        maxReads: 1 + (pick % 2),
        expiresAt: new Date(clock.now() + HOUR).toISOString(),
        sealId: aSealId(),
      }),
    readGhost: onOne('/api/ghost-entries', ({ id }) => call('POST', `/api/ghost-entries/${id}/read`)),
    deleteGhost: removal('/api/ghost-entries'),
    reserveLink: onOne('/api/memory-entries', ({ id }) =>
      call('POST', '/api/shareable-keys', { entryType: 'memory', entryId: id, expiresInHours: 2 }),
    ),
    sealLink: onOne<{ id: number; keyId: string }>('/api/shareable-keys', async ({ id, keyId }, pick) => {
      const link = aLink({ words: words(pick), passphrase: pick % 2 === 0 });
      const sealed = await call('PUT', `/api/shareable-keys/${id}/seal`, link.seal);
      if (sealed.ok) lastShare = { keyId, door: link.door, claim: link.claim };
    }),
    openLink: async () => {
      lastRedemption = aRedemptionId();
      const { keyId = 'none', door = '', claim = '' } = lastShare ?? {};
      return call('POST', `/api/shares/${keyId}/redeem`, { door, claim, redemptionId: lastRedemption });
    },
    acknowledgeLink: async () => {
      const { keyId = 'none', door = '' } = lastShare ?? {};
      return call('POST', `/api/shares/${keyId}/acknowledge`, { door, redemptionId: lastRedemption });
    },
    revokeLink: removal('/api/shareable-keys'),
    sealBreath: (pick) =>
      call('POST', '/api/final-breath', { encryptedContent: words(pick), sealId: aSealId() }),
    releaseBreath: (pick) =>
      call('POST', '/api/final-breath/read', pick % 2 ? {} : { redemptionId: lastRedemption }),
    acknowledgeBreath: () => call('POST', '/api/final-breath/acknowledge', { redemptionId: lastRedemption }),
    burnBreath: () => call('DELETE', '/api/final-breath'),
    writeScroll: (pick) =>
      call('POST', '/api/legacy-scrolls', {
        ...plainScroll(),
        encryptedContent: words(pick),
        ...(pick % 3 === 0 ? {} : { encryptedScrollKey: words(pick % 90) }),
        ...(pick % 3 === 1 ? { access: cardFor(aProof()) } : {}),
        ...(pick % 3 === 2 ? { access: passphraseFor(aProof()) } : {}),
      }),
    editScroll: async (pick) => {
      const scroll = chosen(await scrollsOf(person), pick);
      if (scroll)
        await patchScroll(person, scroll, { title: words(pick), encryptedContent: words(pick * 2) });
    },
    watchScroll: onOne('/api/legacy-scrolls', ({ id }) =>
      call('POST', `/api/legacy-scrolls/${id}/activate`, { handedOver: true }),
    ),
    disarmScroll: onOne('/api/legacy-scrolls', ({ id }) => call('POST', `/api/legacy-scrolls/${id}/disarm`)),
    releaseScroll: onOne('/api/legacy-scrolls', ({ id }) =>
      call('POST', `/api/legacy-scrolls/${id}/release`),
    ),
    deleteScroll: removal('/api/legacy-scrolls'),
    askWarningAddress: (pick) =>
      call('PUT', '/api/warning-address', { address: `a${'b'.repeat(pick % 40)}@mail.example` }),
    proveWarningAddress: async () =>
      press(instance, await lastMessage(instance, 'prove-address').catch(() => aSealId())),
    removeWarningAddress: () => call('DELETE', '/api/warning-address'),
    beWarned: async () => {
      const { id } = await deps.db
        .selectFrom('accounts')
        .select('id')
        .where('uid', '=', person.user.id)
        .executeTakeFirstOrThrow();
      await plantMessage(instance, { account_id: id });
    },
    addPasskey: () => addPasskey(person).catch(() => null),
    removePasskey: removal('/api/passkeys'),
    setPassphrase: async () =>
      call('PUT', '/api/passphrase', {
        name: person.name,
        authKey: anAuthKey(),
        fingerprint: await fingerprint(),
        wrap: aPassphraseWrap(),
      }),
    stage: async () => {
      const id = await begin(call, await fingerprint());
      await stage(
        call,
        id,
        (await fetchMemories(call)).filter((one) => one.encryptedContent).map(resealedMemory),
      );
    },
    abandon: () => call('DELETE', '/api/encryption-key/regeneration'),
    regenerate: async () => {
      const previous = await fingerprint();
      const id = await begin(call, previous);
      await stage(
        call,
        id,
        (await fetchMemories(call)).filter((one) => one.encryptedContent).map(resealedMemory),
      );
      await call('POST', '/api/encryption-key/regeneration/finish', aSuccessor(id, previous));
    },
    reseal: async (pick) => {
      const memory = chosen(await fetchMemories(call), pick);
      if (!memory) return;
      const entries = [{ ...resealedMemory(memory), title: words(pick), encryptedContent: words(pick) }];
      await call('POST', '/api/encryption-key/reseal', { keyFingerprint: await fingerprint(), entries });
    },
    waitAMinute: async () => clock.advance(MINUTE),
    waitForTheLease: async () => {
      clock.advance(11 * MINUTE);
      await deleteExpired(deps);
    },
    waitADay: async () => {
      clock.advance(DAY);
      await deleteExpired(deps);
    },
  };
}
