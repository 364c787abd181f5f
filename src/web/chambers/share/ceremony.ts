// The ceremony of a one-time link: ask whether it waits, break its seal when somebody presses, open the words here, and
// tell the server that they have arrived. Nothing is fetched that looking at the page would use up.
import { deriveShare, type Share, shareSecretFromText } from '../../../crypto/claim.ts';
import { OpenError } from '../../../crypto/errors.ts';
import type { ShareStretching } from '../../../shared/nouns/sacred-key.ts';
import { formatDuration, SECOND } from '../../../shared/time.ts';
import { ApiError, answerIsLost, refusedAs, sentenceOf } from '../../../vault/api/api-error.ts';
import { makeCall } from '../../../vault/api/plain-call.ts';
import { openShared, type SharedEntry } from '../../../vault/sharing/share.ts';
import { acknowledgeShare, redeemShare, shareState } from '../../api/share-calls.ts';
import { hideSecret } from '../../vault/sharing/address-bar.ts';
import { beginRedemption, endRedemption, findRedemption } from '../../vault/sharing/redemptions.ts';
import type { SecretLink } from '../../vault/sharing/secret-link.ts';

export type View =
  | { at: 'looking' }
  | { at: 'unreachable'; problem: string }
  | { at: 'not-whole' | 'unsealed' | 'used' | 'expired' | 'unknown' }
  /** @property begun this tab has broken the seal before, and the words did not arrive */
  | { at: 'waiting'; stretching: ShareStretching | null; begun: boolean }
  | { at: 'unreadable'; leaseUntil: string }
  | OpenedView;

export interface OpenedView {
  at: 'opened';
  entry: SharedEntry;
  /** By which the server knows this opening, and until when it would give the words out again. */
  redemptionId: string;
  leaseUntil: string;
}

export interface Problem {
  sentence: string;
  /** The passphrase is at fault, or is missing. */
  passphrase?: 'wrong' | 'missing';
}

/** How far it has come. */
export interface Standing {
  view: View;
  /** The seal is being broken. */
  busy: boolean;
  /** How the link stands is being asked for. */
  looking: boolean;
  problem: Problem | null;
}

interface Ceremony {
  fetch: typeof fetch;
  /** What a link with a passphrase proves and opens; rejects with a `NotLoaded` where that could not be fetched. */
  deriveLink: (secret: Uint8Array, passphrase: string, stretching: ShareStretching) => Promise<Share>;
  /** Is called whenever something has changed. */
  show: (standing: Standing) => void;
}

/** A part of the page could not be fetched. */
export class NotLoaded extends Error {}

/** Begins by asking how the link stands. */
export function beginCeremony({ name: keyId, secret }: SecretLink, { fetch, deriveLink, show }: Ceremony) {
  let standing: Standing = {
    view: { at: keyId === null ? 'not-whole' : 'looking' },
    busy: false,
    looking: false,
    problem: null,
  };
  /** Somebody has pressed before it was known how the link stands. */
  let isPressed = false;
  let isLost = false;

  function change(changes: Partial<Standing>): void {
    standing = { ...standing, ...changes };
    show(standing);
  }

  async function look(): Promise<void> {
    if (keyId === null || standing.looking) return;
    change({ looking: true, problem: null });
    const view = await makeCall(fetch, shareState, { params: { keyId } }).then(
      ({ state, stretching }) => viewOf(keyId, secret, state, stretching),
      (error): View => failed(error) ?? { at: 'unreachable', problem: sentenceOf(error) },
    );
    const goesOn = isPressed && view.at === 'waiting' && !view.begun;
    isPressed = false;
    change({ view, looking: false, busy: false });
    if (goesOn) await breakSeal('');
  }

  async function breakSeal(passphrase: string): Promise<void> {
    const { view, busy } = standing;
    if (busy || keyId === null) return;
    if (view.at === 'looking') {
      isPressed = true;
      return change({ busy: true });
    }
    if (view.at !== 'waiting' || secret === null) return;
    const { stretching } = view;
    if (stretching && passphrase.trim() === '') {
      return change({ problem: { sentence: 'These words ask for a passphrase.', passphrase: 'missing' } });
    }
    change({ busy: true, problem: null });
    try {
      const bytes = shareSecretFromText(secret);
      const share = await (stretching ? deriveLink(bytes, passphrase, stretching) : deriveShare(bytes, null));
      const begun = view.begun ? findRedemption(keyId) : beginRedemption(keyId, stretching);
      if (!begun) return change({ view: { at: 'used' } });
      const redemptionId = begun.id;
      const { encryptedContent, leaseUntil } = await makeCall(fetch, redeemShare, {
        params: { keyId },
        body: { door: share.door, claim: share.claim, redemptionId },
      });
      try {
        const entry = await openShared(encryptedContent, share.contentKey, keyId);
        // Not before: until the words are here, a reload must find the whole link.
        hideSecret(`/share/${keyId}`, null);
        change({ view: { at: 'opened', entry, redemptionId, leaseUntil } });
        void acknowledge(fetch, keyId, share.door, redemptionId);
      } catch (error) {
        if (!(error instanceof OpenError)) throw error;
        change({ view: { at: 'unreadable', leaseUntil } });
      }
    } catch (error) {
      const end = failed(error);
      if (answerIsLost(error)) isLost = true;
      if (end?.at === 'used' && stretching && (view.begun || isLost)) {
        // Whoever broke the seal and comes again with another passphrase is told what everybody is told.
        change({
          view: { ...view, begun: true },
          problem: {
            sentence: 'This is not the passphrase that opened the link, or the ten minutes are over.',
            passphrase: 'wrong',
          },
        });
      } else if (end) {
        endRedemption(keyId);
        change({ view: end });
      } else change({ problem: explain(error, stretching !== null) });
    } finally {
      change({ busy: false });
    }
  }

  show(standing);
  void look();
  return {
    breakSeal,
    /** Asks again whether the link waits. */
    lookAgain: look,
  };
}

/** What the server says of a link, beside what this tab has begun and what the address carries. */
function viewOf(
  keyId: string,
  secret: string | null,
  state: 'unsealed' | 'waiting' | 'used' | 'expired',
  stretching: ShareStretching | null,
): View {
  if (state === 'expired' || state === 'unsealed') return { at: state };
  const redemption = secret === null ? null : findRedemption(keyId);
  if (state === 'used') {
    return redemption ? { at: 'waiting', stretching: redemption.stretching, begun: true } : { at: 'used' };
  }
  return secret === null ? { at: 'not-whole' } : { at: 'waiting', stretching, begun: false };
}

/** Where an answer ends the ceremony; null where trying again can help. */
function failed(error: unknown): View | null {
  if (refusedAs(error, 'share-used')) return { at: 'used' };
  if (refusedAs(error, 'share-expired')) return { at: 'expired' };
  if (refusedAs(error, 'share-unsealed')) return { at: 'unsealed' };
  if (refusedAs(error, 'wrong-link')) return { at: 'not-whole' };
  return refusedAs(error, 'not-found') ? { at: 'unknown' } : null;
}

function explain(error: unknown, withPassphrase: boolean): Problem {
  if (error instanceof NotLoaded) {
    return {
      sentence:
        'A part of this page could not be fetched. Nothing was sent and nothing was opened. Check your connection and try again.',
    };
  }
  if (error instanceof RangeError) {
    return {
      sentence:
        'The server asks for a weaker protection of the passphrase than this browser accepts. Nothing was sent and nothing was opened.',
    };
  }
  if (error instanceof ApiError && error.code === 'too-many' && error.retryAfter) {
    return {
      sentence: `Too many attempts from your network. Nothing was lost. Try again in ${formatDuration(error.retryAfter * SECOND, 'second')}.`,
    };
  }
  const isWrong = error instanceof ApiError && error.code === 'wrong-claim' && withPassphrase;
  const lost = answerIsLost(error)
    ? ' If the link was opened meanwhile, this tab can still fetch the words for ten minutes.'
    : '';
  return { sentence: `${sentenceOf(error)}${lost}`, ...(isWrong && { passphrase: 'wrong' }) };
}

const PAUSES = [0, 2_000, 5_000, 15_000, 60_000, 120_000];

/** Tells the server that the words are here, so that it forgets them now and not at the end of the lease. */
async function acknowledge(
  fetch: Ceremony['fetch'],
  keyId: string,
  door: string,
  redemptionId: string,
): Promise<void> {
  for (const pause of PAUSES) {
    if (pause > 0) await new Promise((resolve) => setTimeout(resolve, pause));
    try {
      await makeCall(fetch, acknowledgeShare, { params: { keyId }, body: { door, redemptionId } });
      return endRedemption(keyId);
    } catch (error) {
      // Whatever the server will not hear now, the lease's end does.
      if (!answerIsLost(error) && !refusedAs(error, 'too-many')) return endRedemption(keyId);
    }
  }
}
