// Stretching a passphrase, and splitting it into its two halves: what is sent to sign in, and what unwraps the key and
// is never sent.
import { fromBase64Url } from '../../crypto/base64.ts';
import { assertParams, type StretchParams, splitStretched } from '../../crypto/passphrase.ts';
import type { StretchReply, StretchRequest } from './argon2-worker.ts';
import workerUrl from './argon2-worker.ts?worker&url';

interface ScriptPolicy {
  createScriptURL(url: string): string;
}

let policy: ScriptPolicy | null | undefined;

/** The page's one Trusted Types policy: it lets our own worker through and nothing else. */
function trusted(url: string): string {
  const factory = (
    window as { trustedTypes?: { createPolicy(name: string, rules: ScriptPolicy): ScriptPolicy } }
  ).trustedTypes;
  policy ??=
    factory?.createPolicy('latebra', {
      createScriptURL: (wanted) => {
        if (wanted !== workerUrl) throw new TypeError('not a script of this house');
        return wanted;
      },
    }) ?? null;
  return policy?.createScriptURL(url) ?? url;
}

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
  const worker = new Worker(trusted(workerUrl), { type: 'module' });
  try {
    const reply = await new Promise<StretchReply>((resolve, reject) => {
      worker.onmessage = ({ data }: MessageEvent<StretchReply>) => resolve(data);
      worker.onerror = () => reject(new Error('The passphrase could not be stretched'));
      const request: StretchRequest = {
        passphrase,
        salt,
        params: { memory: params.memory, iterations: params.iterations, parallelism: params.parallelism },
      };
      worker.postMessage(request);
    });
    if (!reply.ok) throw new Error('The passphrase could not be stretched');
    return reply.stretched;
  } finally {
    worker.terminate();
  }
}

/**
 * Stretches a passphrase as above and splits it.
 * @param salt base64url, as the server or a wrap names it
 * @throws RangeError when the parameters are weaker than this browser accepts
 */
export async function derivePassphraseSecret(
  passphrase: string,
  salt: string,
  params: StretchParams,
): Promise<PassphraseSecret> {
  return splitStretched(await stretchPassphrase(passphrase, fromBase64Url(salt), params));
}
