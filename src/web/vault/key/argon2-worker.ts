// Stretches passphrases off the main thread. Its response alone may compile WebAssembly (the server names this file
// in its policy); it fetches nothing and keeps nothing.
import { stretch } from '../../../crypto/argon2.ts';
import type { StretchParams } from '../../../crypto/passphrase.ts';

export interface StretchRequest {
  passphrase: string;
  salt: Uint8Array;
  params: StretchParams;
}

export type StretchReply = { ok: true; stretched: Uint8Array } | { ok: false };

self.onmessage = async ({ data }: MessageEvent<StretchRequest>) => {
  let reply: StretchReply;
  try {
    reply = { ok: true, stretched: await stretch(data.passphrase, data.salt, data.params) };
  } catch {
    reply = { ok: false };
  }
  self.postMessage(reply);
};
