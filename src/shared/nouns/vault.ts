// The vault as a whole: destroying it.
import * as z from 'zod/mini';
import { call } from '../http/call.ts';
import { clear } from '../http/field-classes.ts';

/** What has to be typed before a vault is destroyed. */
export const DESTROY_WORD = 'DESTROY';

export const vault = {
  destroy: call({
    method: 'POST',
    path: '/api/vault/destroy',
    access: 'signed-in',
    fresh: true,
    status: 204,
    body: z.object({
      /** What becomes of scrolls that watch; `disarm` unless told. Released ones go the same way. */
      scrolls: z.nullish(
        clear('what becomes of your letters when you destroy the vault', z.enum(['disarm', 'release'])),
      ),
      confirm: clear('the word that destroys a vault', z.literal(DESTROY_WORD, `Type ${DESTROY_WORD}.`)),
    }),
  }),
};
