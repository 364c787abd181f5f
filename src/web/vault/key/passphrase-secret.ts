// Stretching a sign-in passphrase, and splitting it into its two halves: what is sent to sign in, and what unwraps the key
// and is never sent.
import {
  assertParams,
  bindSalt,
  PASSPHRASE_PARAMS,
  type StretchParams,
  splitStretched,
} from '../../../crypto/passphrase.ts';
import { normaliseName } from '../../../shared/nouns/account.ts';
import { answerRefused } from '../../../vault/api/api-error.ts';
import { stretchPassphrase } from './stretch-passphrase.ts';

export interface PassphraseSecret {
  /** Base64url, 32 bytes: goes to the server, which keeps a hash. */
  authKey: string;
  /** 32 bytes: unwraps the vault key; never leaves this browser. */
  wrapSecret: Uint8Array;
}

/**
 * Stretches a sign-in passphrase as above and splits it. The salt binds this page's origin and the name.
 * @param name the sign-in name in any spelling
 * @param given the server's part of the salt (base64url) and the parameters, as the gate or a wrap names them
 * @param options.isNew the passphrase is set just now, and not only tried
 * @throws RangeError when the parameters are weaker than this browser accepts; ApiError when they are stronger than those of
 * new passphrases: the gate would ask for others at the next visit, and the passphrase would never enter again
 */
export async function derivePassphraseSecret(
  passphrase: string,
  name: string,
  { salt, ...params }: StretchParams & { salt: string },
  { isNew = false }: { isNew?: boolean } = {},
): Promise<PassphraseSecret> {
  if (isNew) {
    assertParams(params, PASSPHRASE_PARAMS);
    const { memory, iterations, parallelism } = PASSPHRASE_PARAMS;
    if (params.memory !== memory || params.iterations !== iterations || params.parallelism !== parallelism)
      throw answerRefused(
        'The server asks for another protection of the passphrase than new ones have. Nothing was set. Reload the page, and try again.',
      );
  }
  const bound = await bindSalt(salt, { origin: window.location.origin, name: normaliseName(name) });
  return splitStretched(await stretchPassphrase(passphrase, bound, params));
}
