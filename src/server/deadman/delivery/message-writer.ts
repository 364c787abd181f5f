// What a message says, as of now: for whoever sends it, and for the administrator who passes it on by hand.

import { writeLetter } from '../../adapters/letters.ts';
import type { Letter } from '../../adapters/transport.ts';
import type { Deps } from '../../deps.ts';
import type { Message } from './delivery-store.ts';
import { linkToken } from './link-token.ts';

type Parts = Pick<Deps, 'digests' | 'rules'> & {
  config: Pick<Deps['config'], 'publicUrl' | 'port' | 'switchResume'>;
};

/**
 * The returned function takes how many confirmations in a row the activity of the message's account rests on, and the counted time,
 * without which a warning tells the time that was left when it was written; and where links lead, when somebody has asked
 * who sees this server at another origin.
 */
export function letterWriter({ config, digests, rules }: Parts) {
  const ours = config.publicUrl?.origin ?? `http://localhost:${config.port}`;
  return (message: Message, confirmations: number, countedTime?: number, origin = ours): Letter => {
    const takesConfirmation =
      message.kind === 'prove-address' ||
      (message.kind === 'warning' && confirmations < rules.confirmationsInARow);
    return writeLetter(message, {
      origin,
      linkToken: takesConfirmation ? linkToken(digests, message.public_id) : null,
      goesOnByItself: config.switchResume !== 'never',
      ...(countedTime === undefined ? {} : { countedTime }),
    });
  };
}
