// Why somebody is asked to prove that it is them: the one thing that they are about to do.
import type { CallShape } from '../../shared/http/call.ts';

/** A call that wants a proof. */
export type Asked = Pick<CallShape, 'method' | 'path'>;

const LETTER = '/api/legacy-scrolls/{id}';

/** By the beginning of method and path; the first that fits. */
const reasons: readonly (readonly [string, string])[] = [
  [`POST ${LETTER}/activate`, 'You are about to activate the watch of a letter.'],
  [`POST ${LETTER}/disarm`, 'You are about to end the watch of a letter.'],
  [`POST ${LETTER}/release`, 'You are about to send a letter.'],
  [`PATCH ${LETTER}`, 'You are about to change a letter that watches.'],
  [`DELETE ${LETTER}`, 'You are about to delete a letter that watches or was sent.'],
  ['PUT /api/warning-address', 'You are about to choose where warnings of your letters go.'],
  ['DELETE /api/warning-address', 'You are about to end warnings of your letters by mail.'],
  ['PUT /api/second-warning', 'You are about to choose where warnings of your letters go as well.'],
  ['DELETE /api/second-warning', 'You are about to take away the second place of your warnings.'],
  ['PUT /api/trusted-contact', 'You are about to name somebody who may postpone your letters.'],
  ['DELETE /api/trusted-contact', 'You are about to take a trusted contact away.'],
  ['DELETE /api/sessions', 'You are about to sign another device out.'],
  ['POST /api/passkeys', 'You are about to add a way into your vault.'],
  ['DELETE /api/passkeys', 'You are about to take a way into your vault away.'],
  ['PUT /api/passphrase', 'You are about to change the passphrase that opens your vault.'],
  ['DELETE /api/passphrase', 'You are about to take a way into your vault away.'],
  ['POST /api/encryption-key/regeneration', 'You are about to give your vault another key.'],
  ['POST /api/vault/destroy', 'You are about to destroy your vault.'],
  ['POST /api/guardian-kits', 'You are about to let people whom you choose open your vault together.'],
  ['DELETE /api/guardian-kits', 'You are about to take a way into your vault away.'],
  ['POST /api/import-webhooks', 'You are about to change what may write into your vault.'],
  ['DELETE /api/import-webhooks', 'You are about to change what may write into your vault.'],
];

const OTHERWISE =
  'You are about to change what opens your vault, what leaves it or arrives in it, or how this server is run.';

/** The reason of a call, as a sentence. */
export function proofReason({ method, path }: Asked): string {
  const call = `${method} ${path}`;
  return reasons.find(([begins]) => call.startsWith(begins))?.[1] ?? OTHERWISE;
}
