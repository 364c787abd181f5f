// The page's side of the Ark's worker.
import { arkSalt } from '../../../../ark/ark-salt.ts';
import { normalisePassphrase, PASSPHRASE_PARAMS } from '../../../../crypto/passphrase.ts';
import type { EntriesFile } from '../../../../vault/archive/entries-file.ts';
import { keyInHand } from '../../../../vault/keys/key-in-hand.ts';
import { stretchPassphrase } from '../../../vault/key/stretch-passphrase.ts';
import type { OpenVault } from '../../../vault/session/vault-context.ts';
import { inWorker } from '../../../workers.ts';
import { ArchiveFailed } from './archive-work.ts';
import type { ArkReply, ArkRequest } from './ark-job.ts';
import workerUrl from './ark-worker.ts?worker&url';
import { leftOutLines } from './readable-files.ts';

interface ArkOptions {
  passphrase: string;
  signal: AbortSignal;
  /** What was wrong with what the server shows, in a sentence; null for nothing. */
  finding: string | null;
}

/**
 * The page that opens with the vault's 24 words, which are its key, and with a passphrase where one is given.
 * @throws AnotherKey, ArchiveFailed, and the signal's reason
 */
export async function makeArk(
  entries: EntriesFile,
  vault: OpenVault,
  { passphrase, signal, finding }: ArkOptions,
): Promise<Blob> {
  const key = await keyInHand(vault);
  const { memory, iterations } = PASSPHRASE_PARAMS;
  const chosen =
    normalisePassphrase(passphrase) === ''
      ? null
      : {
          stretched: await stretchPassphrase(passphrase, await arkSalt(key), PASSPHRASE_PARAMS),
          params: { memory, iterations },
        };
  signal.throwIfAborted();
  const leftOut = [
    ...(finding === null
      ? []
      : [`Something was wrong when this was made: ${finding} This Ark has what was shown.`]),
    ...leftOutLines(entries.leftOut),
  ];
  const request = { entries, leftOut, key, passphrase: chosen };
  const reply = await inWorker<ArkRequest, ArkReply>(workerUrl, request, { signal }).catch(
    (): ArkReply => ({ ok: false }),
  );
  signal.throwIfAborted();
  if (!reply.ok) throw new ArchiveFailed('failed');
  return reply.page;
}
