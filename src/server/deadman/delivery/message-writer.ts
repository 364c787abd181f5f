// What a message says, as of now: for whoever sends it, and for the administrator who passes it on by hand.

import { writeLetter } from '../../adapters/letters.ts';
import { openAtRest } from '../../adapters/sister-shares.ts';
import type { Letter } from '../../adapters/transport.ts';
import type { Deps } from '../../deps.ts';
import { atRest } from '../sisters/letter-store.ts';
import { lookedAtAddress } from '../watchdog/outside-look.ts';
import type { Message } from './delivery-store.ts';
import { accountToken, linkToken, type PressPurpose, pressToken } from './link-token.ts';

type Parts = Pick<Deps, 'digests' | 'rules'> & {
  config: Pick<Deps['config'], 'publicUrl' | 'outsideLook' | 'port' | 'switchResume'>;
};

/**
 * The returned function takes how many confirmations in a row the activity of the message's account rests on, and the counted time,
 * without which a warning tells the time that was left when it was written; and where links lead, when somebody has asked
 * who sees this server at another origin.
 */
export function letterWriter({ config, digests, rules }: Parts) {
  const ours = config.publicUrl?.origin ?? `http://localhost:${config.port}`;
  function tokenOf(message: Message, confirmations: number): string | null {
    const { public_id: publicId, account_uid: uid, contact_link: link, kind } = message;
    if (kind === 'sister-letter') return sisterTokenOf(message);
    if (kind === 'contact-warning') return link === null ? null : linkToken(digests, link, 'postpone');
    const proves = kind === 'warning' || kind === 'postponed' || kind === 'kit-asked';
    const takesConfirmation =
      kind === 'prove-address' || (proves && confirmations < rules.confirmationsInARow);
    if (!takesConfirmation || uid === null) return null;
    return pressToken(digests, { purpose: purposeOf(message), publicId, uid });
  }
  /** Null under another secret than that by which it was kept: then nothing that was kept here opens any more. */
  function sisterTokenOf({ sister_token: sealed, scroll_public_id: id }: Message): string | null {
    return sealed === null || id === null ? null : openAtRest(digests, atRest.token(id), sealed);
  }
  /** What ends such messages. */
  function stopOf({ kind, scroll_public_id, contact_decline, account_uid }: Message): { stopToken?: string } {
    if (scroll_public_id !== null && (kind === 'release' || kind === 'reminder'))
      return { stopToken: linkToken(digests, scroll_public_id, 'stop-reminders') };
    if (scroll_public_id !== null && kind === 'rehearsal')
      return { stopToken: linkToken(digests, scroll_public_id, 'stop-rehearsals') };
    if (account_uid !== null && kind === 'rehearsal-due')
      return { stopToken: accountToken(digests, account_uid, 'stop-yearly') };
    return kind === 'contact-warning' && contact_decline !== null
      ? { stopToken: linkToken(digests, contact_decline, 'decline-contact') }
      : {};
  }
  return (message: Message, confirmations: number, countedTime?: number, origin = ours): Letter => {
    return writeLetter(message, {
      origin,
      linkToken: tokenOf(message, confirmations),
      goesOnByItself: config.switchResume !== 'never' && lookedAtAddress(config) !== null,
      ...stopOf(message),
      ...(countedTime === undefined ? {} : { countedTime }),
    });
  };
}

const purposeOf = ({ kind }: Message): PressPurpose =>
  kind === 'prove-address' ? 'prove-address' : 'press-warning';
