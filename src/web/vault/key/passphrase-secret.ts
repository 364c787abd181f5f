// Stretching a passphrase, and splitting it into its two halves: what is sent to sign in, and what unwraps the key and
// is never sent.
import {
  assertParams,
  bindSalt,
  PASSPHRASE_PARAMS,
  type StretchParams,
  splitStretched,
} from '../../../crypto/passphrase.ts';
import { normaliseName } from '../../../shared/nouns/account.ts';
import { inWorker } from '../../workers.ts';
import type { StretchReply, StretchRequest } from './argon2-worker.ts';
import workerUrl from './argon2-worker.ts?worker&url';

export interface PassphraseSecret {
  /** Base64url, 32 bytes: goes to the server, which keeps a hash. */
  authKey: string;
  /** 32 bytes: unwraps the vault key; never leaves this browser. */
  wrapSecret: Uint8Array;
}

/**
 * Stretches a passphrase in a worker (about half a second): Argon2id, 32 bytes.
 * @throws RangeError when the parameters are weaker than this browser accepts
 */
export async function stretchPassphrase(
  passphrase: string,
  salt: Uint8Array,
  params: StretchParams,
): Promise<Uint8Array> {
  assertParams(params);
  const { memory, iterations, parallelism } = params;
  return askToStretch({ passphrase, salt, params: { memory, iterations, parallelism } });
}

/**
 * Stretches, in the same worker, a passphrase that opens what another program has sealed.
 * @param foreignLength bytes of the answer
 * @throws Error when it could not be stretched
 */
export const stretchForeignPassphrase = (
  passphrase: string,
  salt: Uint8Array,
  params: StretchParams,
  foreignLength: number,
): Promise<Uint8Array> => askToStretch({ passphrase, salt, params, foreignLength });

async function askToStretch(request: StretchRequest): Promise<Uint8Array> {
  const reply = await inWorker<StretchRequest, StretchReply>(workerUrl, request);
  if (!reply.ok) throw new Error('The passphrase could not be stretched');
  return reply.stretched;
}

/**
 * Stretches a sign-in passphrase as above and splits it. The salt binds this page's origin and the name.
 * @param name the sign-in name in any spelling
 * @param given the server's part of the salt (base64url) and the parameters, as the gate or a wrap names them
 * @param options.isNew the passphrase is set just now, and not only tried
 * @throws RangeError when the parameters are weaker than this browser accepts
 */
export async function derivePassphraseSecret(
  passphrase: string,
  name: string,
  { salt, ...params }: StretchParams & { salt: string },
  { isNew = false }: { isNew?: boolean } = {},
): Promise<PassphraseSecret> {
  if (isNew) assertParams(params, PASSPHRASE_PARAMS);
  const bound = await bindSalt(salt, { origin: window.location.origin, name: normaliseName(name) });
  return splitStretched(await stretchPassphrase(passphrase, bound, params));
}
