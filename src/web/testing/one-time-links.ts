// Words left under a one-time link without their owner's screens: sealed here, sent with the session of whoever calls.
// Browser tests leave them by the same steps (e2e/sharing.ts).
import { deriveShare, newShareSecret, proofHash, shareSalt, shareSecretToText } from '../../crypto/claim.ts';
import { PASSPHRASE_PARAMS } from '../../crypto/passphrase.ts';
import { newSealId, seal } from '../../crypto/seal.ts';
import { stretchHere } from './stretching.ts';

/** Makes a call with somebody's session and answers the parsed reply. @throws when it is refused */
export type Call = <Reply>(method: string, path: string, body?: unknown) => Promise<Reply>;

export const WORDS = {
  v: 1,
  entryType: 'memory',
  title: 'The bell under the lake',
  content: 'She told me about the flooded village.\n\nThe bell still rings.',
  createdAt: '2026-03-01T10:00:00.000Z',
};

export interface LeftWords {
  id: number;
  keyId: string;
  /** What stands after `#`. */
  secret: string;
  link: string;
  /** What proves that the link is whole. */
  door: string;
}

/** Leaves words under a one-time link, as the account that calls. */
export async function leaveWords(
  call: Call,
  { passphrase, entry = WORDS }: { passphrase?: string; entry?: object } = {},
): Promise<LeftWords> {
  const sealed = { title: 'dA==', encryptedContent: 'dA==' };
  const memory = await call<{ id: number }>('POST', '/api/memory-entries', sealed);
  const { id, keyId, shareUrl } = await call<{ id: number; keyId: string; shareUrl: string }>(
    'POST',
    '/api/shareable-keys',
    { entryType: 'memory', entryId: memory.id },
  );
  const secret = newShareSecret();
  const stretched =
    passphrase === undefined
      ? null
      : await stretchHere(passphrase, await shareSalt(secret), PASSPHRASE_PARAMS);
  const { door, claim, contentKey } = await deriveShare(secret, stretched);
  const context = { kind: 'share', field: 'encryptedContent', sealId: keyId };
  await call('PUT', `/api/shareable-keys/${id}/seal`, {
    encryptedContent: await seal(JSON.stringify(entry), contentKey, context),
    doorHash: await proofHash(door),
    claimHash: await proofHash(claim),
    stretching: stretched && PASSPHRASE_PARAMS,
    encryptedSecret: 'AAAA',
    sealId: newSealId(),
  });
  const text = shareSecretToText(secret);
  return { id, keyId, secret: text, link: `${shareUrl}#${text}`, door };
}
