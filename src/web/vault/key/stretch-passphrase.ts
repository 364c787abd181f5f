// Stretching a passphrase in a worker: whatever is opened with one needs this, and only what signs in needs more.
import { assertParams, type StretchParams } from '../../../crypto/passphrase.ts';
import { inWorker } from '../../workers.ts';
import type { StretchReply, StretchRequest } from './argon2-worker.ts';
import workerUrl from './argon2-worker.ts?worker&url';

/**
 * Stretches a passphrase in a worker (about half a second): Argon2id, 32 bytes.
 * @param signal ends the worker
 * @throws RangeError when the parameters are weaker than this browser accepts; the signal's reason
 */
export async function stretchPassphrase(
  passphrase: string,
  salt: Uint8Array,
  params: StretchParams,
  signal?: AbortSignal,
): Promise<Uint8Array> {
  assertParams(params);
  const { memory, iterations, parallelism } = params;
  return askToStretch({ passphrase, salt, params: { memory, iterations, parallelism } }, signal);
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

async function askToStretch(request: StretchRequest, signal?: AbortSignal): Promise<Uint8Array> {
  const reply = await inWorker<StretchRequest, StretchReply>(
    workerUrl,
    request,
    signal ? { signal } : {},
  ).catch((error: unknown) => {
    signal?.throwIfAborted();
    throw error;
  });
  if (!reply.ok) throw new Error('The passphrase could not be stretched');
  return reply.stretched;
}
