// The page's side of the Ark's worker.
import { arkSalt } from '../../../../ark/ark-salt.ts';
import { combineSheets } from '../../../../crypto/guardian-kit.ts';
import { sheetFromText } from '../../../../crypto/guardian-sheet.ts';
import { normalisePassphrase, PASSPHRASE_PARAMS } from '../../../../crypto/passphrase.ts';
import type { EntriesFile } from '../../../../vault/archive/entries-file.ts';
import { keyInHand } from '../../../../vault/keys/key-in-hand.ts';
import type { WholeKit } from '../../../../vault/outbox/kit-writer.ts';
import { stretchPassphrase } from '../../../vault/key/stretch-passphrase.ts';
import type { OpenVault } from '../../../vault/session/vault-context.ts';
import { inWorker } from '../../../workers.ts';
import { ArchiveFailed } from './archive-work.ts';
import type { ArkReply, ArkRequest } from './ark-job.ts';
import workerUrl from './ark-worker.ts?worker&url';
import { leftOutLines } from './readable-files.ts';

interface ArkOptions {
  passphrase: string;
  /** Whose sheets open it as well, each of these by itself. */
  kits: readonly WholeKit[];
  signal: AbortSignal;
  /** What was wrong with what the server shows, in a sentence; null for nothing. */
  finding: string | null;
}

/** What stands first of what is not in an Ark. @param finding a sentence */
export const findingLine = (finding: string): string =>
  `Something was wrong when this was made: ${finding} This Ark has what was shown.`;

/** What the sheets of a kit give: every one of those that its guardians have, and not what is noted beside them. @throws ArchiveFailed */
async function secretOfSheets({ details }: WholeKit): Promise<Uint8Array> {
  const { secret, wrong } = await combineSheets(details.guardians.map(({ sheet }) => sheetFromText(sheet)));
  if (secret === null || wrong.length > 0) throw new ArchiveFailed('failed');
  return secret;
}

/**
 * The page that opens with the vault's 24 words, which are its key, with a passphrase where one is given, and with the sheets of
 * guardians' kits.
 * @throws AnotherKey, ArchiveFailed, and the signal's reason
 */
export async function makeArk(
  entries: EntriesFile,
  vault: OpenVault,
  { passphrase, kits, signal, finding }: ArkOptions,
): Promise<Blob> {
  const key = await keyInHand(vault);
  const { memory, iterations } = PASSPHRASE_PARAMS;
  const chosen =
    normalisePassphrase(passphrase) === ''
      ? null
      : {
          stretched: await stretchPassphrase(passphrase, await arkSalt(key), PASSPHRASE_PARAMS, signal),
          params: { memory, iterations },
        };
  const kitSecrets = await Promise.all(kits.map(secretOfSheets));
  signal.throwIfAborted();
  const leftOut = [...(finding === null ? [] : [findingLine(finding)]), ...leftOutLines(entries.leftOut)];
  const request = { entries, leftOut, key, ways: { passphrase: chosen, kitSecrets } };
  const reply = await inWorker<ArkRequest, ArkReply>(workerUrl, request, { signal }).catch(
    (): ArkReply => ({ ok: false }),
  );
  signal.throwIfAborted();
  if (!reply.ok) throw new ArchiveFailed('failed');
  return reply.page;
}
