// Steps around legacy scrolls: writing one without its author's screens, having it watch, and releasing it.
import type { Page } from '@playwright/test';
import { stretch } from '../src/crypto/argon2.ts';
import { toBase64Url } from '../src/crypto/base64.ts';
import { proofHash } from '../src/crypto/claim.ts';
import { PASSPHRASE_PARAMS } from '../src/crypto/passphrase.ts';
import {
  deriveScroll,
  deriveScrollPassphrase,
  newScrollKey,
  scrollKeyToText,
  wrapScrollKey,
} from '../src/crypto/scroll.ts';
import { newSealId, seal } from '../src/crypto/seal.ts';
import type { AccessInput } from '../src/shared/nouns/legacy.ts';
import { expect, type TestHouse } from './house.ts';

export const LETTER = {
  v: 1,
  title: 'For Agnes, when I am gone',
  content: 'The bell under the lake still rings.\n\nThe key to the orchard hangs behind the clock.',
  createdAt: '2026-03-01T10:00:00.000Z',
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
  const [scrollKey, sealId] = [newScrollKey(), newSealId()];
  const { claim, contentKey } = await deriveScroll(scrollKey);
  const context = { kind: 'legacy-scroll', field: 'encryptedContent', sealId };
  const encryptedContent = await seal(JSON.stringify(LETTER), contentKey, context);
  const secret = scrollKeyToText(scrollKey);
  if (passphrase === undefined) {
    const access = { kind: 'card', claimHash: await proofHash(claim) } as const;
    return { sealId, secret, claim, encryptedContent, access };
  }
  const salt = crypto.getRandomValues(new Uint8Array(16));
  const stretched = await deriveScrollPassphrase(await stretch(passphrase, salt, PASSPHRASE_PARAMS));
  const access = {
    kind: 'passphrase',
    claimHash: await proofHash(stretched.claim),
    stretching: { salt: toBase64Url(salt), ...PASSPHRASE_PARAMS },
    wrappedKey: await wrapScrollKey(scrollKey, stretched.wrapKey, sealId),
  } as const;
  return { sealId, secret, claim: stretched.claim, encryptedContent, access };
}

export interface LeftScroll extends SealedScroll {
  id: number;
  publicId: string;
  /** Where its recipient finds it; a card's link has the secret behind it. */
  address: string;
  release(): Promise<void>;
}

interface Watch {
  /** After so many days of silence it is released; without it, by hand alone. */
  days?: number;
  warning?: 'mail' | 'dashboard';
}

/** Leaves a scroll that watches, as the account that a page is signed in to. */
export async function leaveScroll(
  owner: Page,
  house: Pick<TestHouse, 'url'>,
  sealed: SealedScroll,
  { days, warning = 'dashboard' }: Watch = {},
): Promise<LeftScroll> {
  async function post(path: string, data: object = {}) {
    const answer = await owner.request.post(`${house.url}${path}`, { data });
    expect(answer.ok(), `${path} ${await answer.text()}`).toBe(true);
    return answer.json();
  }
  const { id, publicId } = await post('/api/legacy-scrolls', {
    title: 'dA==',
    encryptedContent: sealed.encryptedContent,
    triggerType: days === undefined ? 'manual' : 'inactivity',
    triggerValue: days === undefined ? 'manual' : String(days),
    recipientType: 'email',
    recipientAddress: 'agnes@example.org',
    access: sealed.access,
    sealId: sealed.sealId,
  });
  await post(`/api/legacy-scrolls/${id}/activate`, { handedOver: true, warning });
  return {
    ...sealed,
    id,
    publicId,
    address: `${house.url}/legacy/${publicId}`,
    release: async () => {
      await post(`/api/legacy-scrolls/${id}/release`);
    },
  };
}
