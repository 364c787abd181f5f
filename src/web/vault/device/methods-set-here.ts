// Which recovery methods this browser itself has set up for a vault's present key: a server that lists one of them no longer
// is noticed before it is needed. It holds no secret, and what other browsers set up is not known here.

import type { WrapMethod } from '../../../crypto/wrap.ts';
import type { ClientKeyRecord } from '../../../shared/nouns/vault-key.ts';
import { readSlot, writeSlot } from './account-slot.ts';

/** The credential ids of passkeys, and whether the others were set up. */
export interface Methods {
  passkeys: readonly string[];
  passphrase: boolean;
  words: boolean;
}

const SLOT = 'latebra.methods';

const NONE: Methods = { passkeys: [], passphrase: false, words: false };

/** What was set up here for the key with this fingerprint: that of another key opens nothing any more. */
export function methodsSetHere(uid: string, fingerprint: string): Methods {
  try {
    const kept = JSON.parse(readSlot(SLOT, uid) ?? 'null') as (Methods & { fingerprint: string }) | null;
    return kept?.fingerprint === fingerprint && Array.isArray(kept.passkeys) ? { ...NONE, ...kept } : NONE;
  } catch {
    return NONE;
  }
}

/** Notes what was just set up here, beside what was before. */
export function noteMethods(uid: string, fingerprint: string, set: Partial<Methods>): void {
  const before = methodsSetHere(uid, fingerprint);
  const passkeys = [...new Set([...before.passkeys, ...(set.passkeys ?? [])])];
  const { passphrase = before.passphrase, words = before.words } = set;
  writeSlot(SLOT, uid, JSON.stringify({ fingerprint, passkeys, passphrase, words }));
}

/** As `noteMethods`, for what a wrap of the key is made under. */
export const noteWrapped = (uid: string, fingerprint: string, way: WrapMethod): void =>
  noteMethods(
    uid,
    fingerprint,
    way.method === 'passkey' ? { passkeys: [way.params.credentialId] } : { passphrase: true },
  );

/** Forgets what its owner has taken away. */
export function forgetMethods(uid: string, fingerprint: string, gone: Partial<Methods>): void {
  const { passkeys, passphrase, words } = methodsSetHere(uid, fingerprint);
  const left: Methods = {
    passkeys: passkeys.filter((id) => !gone.passkeys?.includes(id)),
    passphrase: passphrase && !gone.passphrase,
    words: words && !gone.words,
  };
  writeSlot(SLOT, uid, JSON.stringify({ fingerprint, ...left }));
}

/** What a server lists. `passkeys`: their ids, or how many where it says no more. */
export interface ListedMethods {
  passkeys: readonly string[] | number;
  passphrase: boolean;
  words: boolean;
}

/** What an envelope opens by. @param words whether the server says that the words are kept */
export const listedIn = ({ wraps }: Pick<ClientKeyRecord, 'wraps'>, words: boolean): ListedMethods => ({
  passkeys: wraps.flatMap((wrap) => (wrap.method === 'passkey' ? [wrap.params.credentialId] : [])),
  passphrase: wraps.some(({ method }) => method === 'passphrase'),
  words,
});

/** What was set up here and is not listed. Of passkeys that are only counted, as many as are too few. */
export function missingMethods(set: Methods, listed: ListedMethods): Methods {
  const { passkeys } = listed;
  const gone =
    typeof passkeys === 'number'
      ? set.passkeys.slice(Math.min(passkeys, set.passkeys.length))
      : set.passkeys.filter((id) => !passkeys.includes(id));
  return {
    passkeys: gone,
    passphrase: set.passphrase && !listed.passphrase,
    words: set.words && !listed.words,
  };
}

/** Such as "a passkey and your passphrase"; null for nothing. */
export function methodWords({ passkeys, passphrase, words }: Methods): string | null {
  const all = [
    ...(passkeys.length === 0 ? [] : [passkeys.length === 1 ? 'a passkey' : `${passkeys.length} passkeys`]),
    ...(passphrase ? ['your passphrase'] : []),
    ...(words ? ['that you keep the twenty-four words'] : []),
  ];
  return all.length === 0 ? null : all.join(' and ');
}
