// Which recovery methods this browser itself has set up for a vault's present key, or has seen open it. A server that lists one
// of the first no longer is noticed before it is needed, and one that lists methods which nobody here has ever used is not
// believed when the key is to leave (ways-back.ts). It holds no secret, and what else other browsers set up is not known here.

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

/** `opened`: those by which the key was brought back here, wherever they were set up. */
interface Kept extends Methods {
  opened: Methods;
}

function load(uid: string, fingerprint: string): Kept {
  const nothing = { ...NONE, opened: NONE };
  try {
    const kept = JSON.parse(readSlot(SLOT, uid) ?? 'null') as (Kept & { fingerprint: string }) | null;
    return kept?.fingerprint === fingerprint && Array.isArray(kept.passkeys)
      ? { ...nothing, ...kept }
      : nothing;
  } catch {
    return nothing;
  }
}

const save = (uid: string, fingerprint: string, { passkeys, passphrase, words, opened }: Kept): void =>
  writeSlot(SLOT, uid, JSON.stringify({ fingerprint, passkeys, passphrase, words, opened }));

const together = (some: Methods, others: Partial<Methods>): Methods => ({
  passkeys: [...new Set([...some.passkeys, ...(others.passkeys ?? [])])],
  passphrase: some.passphrase || others.passphrase === true,
  words: some.words || others.words === true,
});

const without = ({ passkeys, passphrase, words }: Methods, gone: Partial<Methods>): Methods => ({
  passkeys: passkeys.filter((id) => !gone.passkeys?.includes(id)),
  passphrase: passphrase && !gone.passphrase,
  words: words && !gone.words,
});

/** What was set up here for the key with this fingerprint: that of another key opens nothing any more. */
export function methodsSetHere(uid: string, fingerprint: string): Methods {
  const { passkeys, passphrase, words } = load(uid, fingerprint);
  return { passkeys, passphrase, words };
}

/** What is known here to open the key with this fingerprint: set up here, or used here. */
export function methodsProvedHere(uid: string, fingerprint: string): Methods {
  const { opened, ...set } = load(uid, fingerprint);
  return together(set, opened);
}

/** Notes what was just set up here, beside what was before. */
export function noteMethods(uid: string, fingerprint: string, set: Partial<Methods>): void {
  const before = load(uid, fingerprint);
  save(uid, fingerprint, { ...together(before, set), opened: before.opened });
}

/** Notes by what the key was just brought back here. */
export function noteOpened(uid: string, fingerprint: string, by: Partial<Methods>): void {
  const before = load(uid, fingerprint);
  save(uid, fingerprint, { ...before, opened: together(before.opened, by) });
}

const asMethods = (way: WrapMethod): Partial<Methods> =>
  way.method === 'passkey' ? { passkeys: [way.params.credentialId] } : { passphrase: true };

/** As `noteMethods`, for what a wrap of the key is made under. */
export const noteWrapped = (uid: string, fingerprint: string, way: WrapMethod): void =>
  noteMethods(uid, fingerprint, asMethods(way));

/** As `noteOpened`, for a wrap that was opened. */
export const noteUnwrapped = (uid: string, fingerprint: string, way: WrapMethod): void =>
  noteOpened(uid, fingerprint, asMethods(way));

/** Forgets what its owner has taken away. */
export function forgetMethods(uid: string, fingerprint: string, gone: Partial<Methods>): void {
  const before = load(uid, fingerprint);
  save(uid, fingerprint, { ...without(before, gone), opened: without(before.opened, gone) });
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
