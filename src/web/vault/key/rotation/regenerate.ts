// Regenerating the vault's key: everything is sealed anew and staged, then put in place at once together with the new
// key. Whatever fails before that has changed nothing.

import { OpenError } from '../../../../crypto/errors.ts';
import { sealKeyRing } from '../../../../crypto/key-ring.ts';
import { deriveContentKey, fingerprintOf, generateVaultKey } from '../../../../crypto/vault-key.ts';
import type { Wrap } from '../../../../crypto/wrap.ts';
import { book } from '../../../../shared/nouns/book.ts';
import { regeneration } from '../../../../shared/nouns/regeneration.ts';
import { KEY_RING_MAX, type KeyRingRecord, vaultKey } from '../../../../shared/nouns/vault-key.ts';
import type { WithheldCount } from '../../../../shared/sealed-kinds.ts';
import { refusedAs } from '../../../../vault/api/api-error.ts';
import { Overtaken } from '../../../../vault/book/written.ts';
import { AnotherKey, keyInHand } from '../../../../vault/keys/key-in-hand.ts';
import { keysOfTheRing } from '../../../../vault/keys/key-ring.ts';
import { readKit, wrapKitsFor } from '../../../../vault/outbox/kit-writer.ts';
import { type Gathered, gather } from '../../../../vault/rotation/gather.ts';
import { type Progress, type Staged, stage } from '../../../../vault/rotation/stage.ts';
import { setUser } from '../../../hooks/use-user.ts';
import { bookOfVault } from '../../book/book-of-vault.ts';
import { loadPin, savePin } from '../../device/key-pin.ts';
import { noteMethods, noteWrapped } from '../../device/methods-set-here.ts';
import type { OpenVault } from '../../session/vault-context.ts';
import { leaveRing, swapKey } from '../next-key.ts';
import { openVaultOf } from '../open-vault.ts';

/** A key that was made here and is not the vault's yet, as the vault it will open. */
export interface NextKey {
  key: Uint8Array;
  vault: OpenVault;
}

/** The proved recovery methods to a new key. */
export interface NewWays {
  wraps: Wrap[];
  wordsKept: boolean;
}

/** What was found before anything was changed. */
export interface Survey extends Gathered {
  id: string;
  /** How many rows the book has and the server does not show. */
  missing: number;
  /** What the guardians' kits are called whose sheets open the new key as well. */
  kits: string[];
  withheld: Record<WithheldCount | 'whispers', number>;
}

/** Others keep writing into the vault faster than it can be sealed anew. */
export class VaultTooBusy extends Error {}

/** The keys that came before cannot be opened, so they cannot be handed on. */
export class RingUnreadable extends Error {}

/** More of the vault cannot be fetched now than a ring has room to note. */
export class RingTooFull extends Error {}

const ATTEMPTS = 5;

/** Makes a new key; nobody knows of it yet. */
export async function makeNextKey(vault: OpenVault): Promise<NextKey> {
  const key = generateVaultKey();
  const [contentKey, fingerprint] = await Promise.all([deriveContentKey(key), fingerprintOf(key)]);
  return { key, vault: openVaultOf(vault, vault.user, { contentKey, fingerprint }) };
}

/** Begins, and finds out what can be sealed anew. @throws ApiError, TypeError */
export async function beginRegeneration(vault: OpenVault): Promise<Survey> {
  const { id, withheld } = await vault.api.send(regeneration.begin, {
    body: { fingerprint: vault.fingerprint },
  });
  const gathered = await gather(vault);
  const missing = bookOfVault(vault)
    .state()
    .rows.filter(({ what }) => what === 'missing').length;
  const kits = kitsAmong(gathered.opened).map(({ name }) => name);
  return { id, withheld, missing, kits, ...gathered };
}

/** Gives up, as far as the server can be told; what was staged counts for nothing in any case. */
export function abandonRegeneration({ api }: OpenVault): void {
  api.send(regeneration.abandon, {}).catch(() => {});
}

/**
 * Seals everything anew and puts the new key in place.
 * @returns how many entries do not open and were left as they are
 * @throws with nothing changed; AnswerLost when that is not certain
 */
export async function resealEverything(
  vault: OpenVault,
  next: NextKey,
  ways: NewWays,
  survey: Survey,
  progress: (progress: Progress) => void,
  signal: AbortSignal,
): Promise<number> {
  const { send } = vault.api;
  const envelope = await envelopeOf(vault, next, ways);
  const older = await olderKeysOf(vault);
  const bookSync = bookOfVault(vault);
  const staged: Staged = new Map();
  let gathered: Gathered = survey;
  for (let attempt = 1; ; attempt++) {
    const keyRing = await nextRing(older, gathered, next);
    await stage(survey.id, gathered, next.vault, staged, progress, signal);
    const { opened, left } = gathered;
    progress({ done: opened.length, all: opened.length, finishing: true });
    try {
      const draft = await bookSync.draftUnder(
        next.key,
        [...staged.values()].map(({ written }) => written),
      );
      const bookEntry = draft && { n: draft.n, sealed: draft.sealed };
      const kits = await wrapKitsFor(next.key, kitsAmong(opened));
      const about = { id: survey.id, previousFingerprint: vault.fingerprint, keyRing, bookEntry, kits };
      const body = { ...about, ...envelope };
      await swapKey(
        vault,
        next.key,
        () => send(regeneration.finish, { body }),
        () => {
          savePin(vault.user.id, body);
          if (draft) bookSync.adoptDraft(draft);
        },
        // An envelope that is still on its way finds no regeneration any more.
        () => send(regeneration.abandon, {}),
      );
      tellTheServer(vault, next, ways);
      return left.length;
    } catch (error) {
      if (!(error instanceof Overtaken) && !refusedAs(error, 'entries-changed', 'book-moved')) throw error;
      if (attempt === ATTEMPTS) throw error instanceof Overtaken ? error : new VaultTooBusy();
      // Something was written meanwhile: what is new is staged as well, and nothing else again.
      gathered = await gather(vault);
    }
  }
}

/** The kits that are sealed anew, as they were opened for it: another answer of the server is not asked for their secrets. */
const kitsAmong = (opened: Gathered['opened']) =>
  opened.flatMap(({ entry: { id }, texts }) => {
    const kit = texts && readKit(texts);
    return kit && id !== null ? [{ id, name: kit.name, secret: kit.secret }] : [];
  });

/** Puts the new key in place and lets everything under the old ones burn. @throws as `resealEverything` */
export async function letBurn(vault: OpenVault, next: NextKey, ways: NewWays): Promise<void> {
  const { send } = vault.api;
  const { clientKey } = await envelopeOf(vault, next, ways);
  const bookSync = bookOfVault(vault);
  const draft = await bookSync.draftUnder(next.key, []);
  await leaveRing(vault);
  await swapKey(
    vault,
    next.key,
    () => send(vaultKey.put, { body: { clientKey, previousFingerprint: vault.fingerprint } }),
    () => savePin(vault.user.id, { clientKey, keyRing: null }),
  );
  if (draft) {
    const { n, sealed } = draft;
    // Nobody can open what stands before this any more. If it fails, the book is begun again where it is missed.
    const body = { n, sealed, isCheckpoint: true, keyFingerprint: next.vault.fingerprint };
    await send(book.append, { body }).then(
      () => bookSync.adoptDraft(draft),
      () => {},
    );
  }
  if (ways.wordsKept) {
    // If this fails the words are asked for once more, on the dashboard; they open the vault either way.
    await send(vaultKey.keepWords, { body: { fingerprint: next.vault.fingerprint } }).catch(() => {});
  }
  tellTheServer(vault, next, ways);
}

/** The next key's envelope: the present one vouches for it. @throws AnotherKey */
async function envelopeOf(vault: OpenVault, { key }: NextKey, { wraps, wordsKept }: NewWays) {
  const { createClientKey } = await import('../../../../crypto/client-key.ts');
  const before = await keyInHand(vault);
  const pin = loadPin(vault.user.id);
  if (pin?.fingerprint !== vault.fingerprint) throw new AnotherKey();
  const clientKey = await createClientKey(key, { generation: pin.generation + 1, before });
  return { clientKey: { ...clientKey, wraps }, wordsKept };
}

/** The keys of the ring and the present one, the oldest first, by their fingerprints. @throws RingUnreadable, AnotherKey */
async function olderKeysOf(vault: OpenVault): Promise<Map<string, Uint8Array>> {
  try {
    const keys = [...(await keysOfTheRing(vault)).map(({ key }) => key), await keyInHand(vault)];
    return new Map(await Promise.all(keys.map(async (key) => [await fingerprintOf(key), key] as const)));
  } catch (error) {
    if (error instanceof OpenError) throw new RingUnreadable();
    throw error;
  }
}

/**
 * The older keys, sealed under the next, each with the numbers of what stays under it. What was noted before and has been
 * sealed anew since is noted no longer.
 * @throws RingTooFull
 */
export async function nextRing(
  older: ReadonlyMap<string, Uint8Array>,
  { stays }: Pick<Gathered, 'stays'>,
  next: NextKey,
): Promise<KeyRingRecord> {
  const present = [...older.keys()].at(-1);
  const noted = new Map([...older.keys()].map((fingerprint) => [fingerprint, new Set<string>()]));
  for (const { keyFingerprint, sealId } of stays) noted.get(keyFingerprint ?? present ?? '')?.add(sealId);
  const keys = [...older].map(([fingerprint, key]) => ({ key, stayed: noted.get(fingerprint) ?? [] }));
  const ring = await sealKeyRing(keys, next.vault.contentKey);
  if (ring.sealed.length > KEY_RING_MAX) throw new RingTooFull();
  return ring;
}

/** Shows the vault under its new key at once. Asking the server instead could fail just now. */
function tellTheServer(vault: OpenVault, next: NextKey, { wraps, wordsKept }: NewWays): void {
  const { fingerprint } = next.vault;
  for (const way of wraps) noteWrapped(vault.user.id, fingerprint, way);
  if (wordsKept) noteMethods(vault.user.id, fingerprint, { words: true });
  const passkeys = wraps.filter(({ method }) => method === 'passkey').length;
  setUser(vault, {
    ...vault.user,
    keyFingerprint: fingerprint,
    wordsKeptAt: wordsKept ? new Date().toISOString() : null,
    recoveryPasskeys: passkeys,
    recoveryPassphrase: wraps.length > passkeys,
  });
}
