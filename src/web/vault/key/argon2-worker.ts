// Stretches passphrases off the main thread. Its response alone may compile WebAssembly (the server names this file
// in its policy); it fetches nothing and keeps nothing.
import { stretch, stretchAsTyped } from '../../../crypto/argon2.ts';
import type { StretchParams } from '../../../crypto/passphrase.ts';

export interface StretchRequest {
  passphrase: string;
  salt: Uint8Array;
  params: StretchParams;
  /** Bytes, for what another program has sealed: it takes the passphrase as it was typed. */
  foreignLength?: number;
}

export type StretchReply = { ok: true; stretched: Uint8Array } | { ok: false };

self.onmessage = async ({ data }: MessageEvent<StretchRequest>) => {
  let reply: StretchReply;
  try {
    reply = { ok: true, stretched: await stretched(data) };
  } catch {
    reply = { ok: false };
  }
  self.postMessage(reply);
};

const stretched = ({ passphrase, salt, params, foreignLength }: StretchRequest) =>
  foreignLength === undefined
    ? stretch(passphrase, salt, params)
    : stretchAsTyped(passphrase, salt, params, foreignLength);
