// Legacy scrolls without their author's screens: sealed here, sent with the session of whoever calls. Browser tests leave
// them by the same steps (e2e/scrolls.ts).
import { toBase64Url } from '../../crypto/base64.ts';
import { proofHash } from '../../crypto/claim.ts';
import { PASSPHRASE_PARAMS } from '../../crypto/passphrase.ts';
import {
  deriveCard,
  deriveCardKey,
  deriveContentKey,
  deriveLetterKey,
  deriveScrollPassphrase,
  newCardNumber,
  newScrollKey,
  scrollKeyToText,
  wrapLetterKey,
} from '../../crypto/scroll.ts';
import { newSealId, seal } from '../../crypto/seal.ts';
import type { Scroll } from '../../shared/nouns/legacy.ts';
import type { AccessInput } from '../../shared/nouns/scroll-recipients.ts';
import type { Call } from './one-time-links.ts';
import { stretchHere } from './stretching.ts';

export const LETTER = {
  v: 1,
  title: 'For Agnes, when I am gone',
  content: 'The bell under the lake still rings.\n\nThe key to the orchard hangs behind the clock.',
  createdAt: '2026-03-01T10:00:00.000Z',
  authorName: null,
};

export interface SealedScroll {
  sealId: string;
  /** What stands behind `#` on a key card. */
  secret: string;
  claim: string;
  encryptedContent: string;
  access: AccessInput;
}

/** Seals a letter for a card, or for whoever knows the passphrase. */
export async function sealScroll({ passphrase }: { passphrase?: string } = {}): Promise<SealedScroll> {
  const [scrollKey, sealId, cardNumber] = [newScrollKey(), newSealId(), newCardNumber()];
  const letterKey = await deriveLetterKey(scrollKey);
  const context = { kind: 'legacy-scroll', field: 'encryptedContent', sealId };
  const encryptedContent = await seal(JSON.stringify(LETTER), await deriveContentKey(letterKey), context);
  const cardKey = await deriveCardKey(scrollKey, cardNumber);
  const secret = scrollKeyToText(cardKey);
  if (passphrase === undefined) {
    const { claim, wrapKey } = await deriveCard(cardKey);
    const access = {
      kind: 'card',
      cardNumber,
      claimHash: await proofHash(claim),
      wrappedKey: await wrapLetterKey(letterKey, wrapKey, sealId),
    } as const;
    return { sealId, secret, claim, encryptedContent, access };
  }
  const salt = crypto.getRandomValues(new Uint8Array(16));
  const stretched = await deriveScrollPassphrase(await stretchHere(passphrase, salt, PASSPHRASE_PARAMS));
  const access = {
    kind: 'passphrase',
    claimHash: await proofHash(stretched.claim),
    stretching: { salt: toBase64Url(salt), ...PASSPHRASE_PARAMS },
    wrappedKey: await wrapLetterKey(letterKey, stretched.wrapKey, sealId),
  } as const;
  return { sealId, secret, claim: stretched.claim, encryptedContent, access };
}

export interface LeftScroll extends SealedScroll {
  id: number;
  publicId: string;
  /** The path where its recipient finds it; a card's link has the secret behind it. */
  path: string;
  release(): Promise<void>;
}

interface Watch {
  /** After so many days without activity it is sent; without it, by hand alone. */
  days?: number;
  warning?: 'mail' | 'dashboard';
  recipient?: { recipientType: 'email' | 'sms'; recipientAddress: string };
}

const AGNES = { recipientType: 'email', recipientAddress: 'agnes@example.org' } as const;

/** Leaves a scroll that watches, as the account that calls. */
export async function leaveScroll(
  call: Call,
  sealed: SealedScroll,
  { days, warning = 'dashboard', recipient = AGNES }: Watch = {},
): Promise<LeftScroll> {
  const { id, recipients } = await call<Scroll>('POST', '/api/legacy-scrolls', {
    title: 'dA==',
    encryptedContent: sealed.encryptedContent,
    triggerType: days === undefined ? 'manual' : 'inactivity',
    triggerValue: days === undefined ? 'manual' : String(days),
    ...recipient,
    access: sealed.access,
    sealId: sealed.sealId,
  });
  const publicId = recipients[0]?.publicId ?? '';
  await call('POST', `/api/legacy-scrolls/${id}/activate`, { handedOver: true, warning });
  return {
    ...sealed,
    id,
    publicId,
    path: `/legacy/${publicId}`,
    release: () => call('POST', `/api/legacy-scrolls/${id}/release`, {}),
  };
}
