// What a message says, as of now: for whoever sends it, and for the keeper who passes it on by hand.
import type { Letter } from '../../adapters/transport.ts';
import { writeLetter } from '../../adapters/letters.ts';
import type { Deps } from '../../deps.ts';
import type { Message } from './delivery-store.ts';
import { pressToken } from './link-token.ts';

type Parts = Pick<Deps, 'digests' | 'rules'> & { config: Pick<Deps['config'], 'publicUrl' | 'port'> };

/**
 * The returned function takes how many presses in a row the life of the message's account rests on, and the house time,
 * without which a warning tells the time that was left when it was written; and where links lead, when somebody has asked
 * who sees this house at another origin.
 */
export function letterWriter({ config, digests, rules }: Parts) {
  const ours = config.publicUrl?.origin ?? `http://localhost:${config.port}`;
  return (message: Message, presses: number, houseTime?: number, origin = ours): Letter => {
    const takesPress =
      message.kind === 'prove-address' || (message.kind === 'warning' && presses < rules.pressesInARow);
    return writeLetter(message, {
      origin,
      pressToken: takesPress ? pressToken(digests, message.public_id) : null,
      ...(houseTime === undefined ? {} : { houseTime }),
    });
  };
}
