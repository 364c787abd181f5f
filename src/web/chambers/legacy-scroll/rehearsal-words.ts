// What became of a rehearsal, in words, and what its author does about it. Pure: the present is handed in.
import type { Rehearsal, ScrollRecipient } from '../../../shared/nouns/scroll-recipients.ts';
import { switchRules } from '../../../shared/nouns/switch-rules.ts';
import { DAY } from '../../../shared/time.ts';
import type { OpenedScroll } from '../../../vault/legacy/scroll-list.ts';
import { formatDay } from '../../ui/moments.ts';

/** From so many wrong passphrases on it is taken for forgotten. */
const FORGOTTEN_AFTER = 3;
/** For so long a message that nobody has followed says nothing yet. */
const QUIET_FOR = 3 * DAY;

/** How a rehearsal stands: it has succeeded, it goes on, or something is to be done. */
export interface RehearsalState {
  outcome: 'opened' | 'waits' | 'failed';
  says: string;
  /** What to do about it; null for nothing. */
  todo: string | null;
}

type Rehearsed = Pick<
  ScrollRecipient,
  'recipientType' | 'access' | 'sheetsNeeded' | 'rehearsalsStoppedAt'
> & {
  rehearsal: Rehearsal;
};

/** That a recipient wants no more rehearsals; null unless they have said so. @param name as `rehearsalState` has it */
export const stoppedWords = (
  { rehearsalsStoppedAt: at }: Pick<ScrollRecipient, 'rehearsalsStoppedAt'>,
  name: string | undefined,
): string | null =>
  at === null
    ? null
    : `${name ?? 'They'} asked for no more rehearsals on ${formatDay(at)}. Nothing of one is sent to that address any more; the letter still will be.`;

const failed = (says: string, todo: string): RehearsalState => ({ outcome: 'failed', says, todo });
const waits = (says: string, todo: string | null = null): RehearsalState => ({
  outcome: 'waits',
  says,
  todo,
});

const NEW_KEY = {
  card: 'Make a new card, hand it over, and rehearse again.',
  passphrase: 'Agree on a new passphrase, enter it here as a new one, and rehearse again.',
  sheets: 'Make new sheets, hand them over, and rehearse again.',
};

const LOST = {
  card: 'that the key card cannot be found',
  passphrase: 'that the passphrase is not known',
  sheets: 'that not enough sheets can be found',
};

/**
 * The last rehearsal of one recipient.
 * @param name what their author calls them; “They” where they have no name
 */
export function rehearsalState(recipient: Rehearsed, name: string | undefined, now: number): RehearsalState {
  const { rehearsal, recipientType, access, sheetsNeeded } = recipient;
  const { askedAt, isOver, delivery, seenAt, keylessAt, wrongTries, openedAt } = rehearsal;
  const by = access === 'passphrase' ? 'passphrase' : sheetsNeeded === null ? 'card' : 'sheets';
  const [who, have] = name === undefined ? ['They', 'have'] : [name, 'has'];
  // Beside other recipients it would not be plain whose message it is, or whose page.
  const [message, there] =
    name === undefined ? ['The message', ''] : [`The message to ${name}`, ` on the page for ${name}`];
  if (openedAt) {
    return { outcome: 'opened', says: `${who} opened it on ${formatDay(openedAt)}.`, todo: null };
  }
  if (keylessAt) {
    return failed(`${who} ${have} said on ${formatDay(keylessAt)} ${LOST[by]}.`, NEW_KEY[by]);
  }
  if (wrongTries > 0 && by === 'card') {
    return failed(
      `A card that does not open it was tried${there}: an older one, perhaps.`,
      'Show them the present card again, or make a new one and hand it over.',
    );
  }
  if (wrongTries > 0 && by === 'sheets') {
    return failed(`Sheets that do not open it were tried${there}: older ones, perhaps.`, NEW_KEY.sheets);
  }
  if (wrongTries >= FORGOTTEN_AFTER) {
    return failed(
      `A wrong passphrase was tried ${wrongTries} times${there}, and none that opens it.`,
      NEW_KEY[by],
    );
  }
  if (delivery?.state === 'failed') {
    return failed(
      `${message} could not be delivered.${delivery.why ? ` ${delivery.why}` : ''}`,
      'Correct the address, and rehearse again.',
    );
  }
  if (seenAt) {
    const tried = wrongTries > 0 ? `, and tried a wrong passphrase ${times(wrongTries)}` : '';
    const says = `${who} opened the page on ${formatDay(seenAt)}${tried}, but not the rehearsal.`;
    return isOver ? failed(`${says} It is over.`, ASK[by]) : waits(says, ASK[by]);
  }
  const isSentNothing = recipient.rehearsalsStoppedAt !== null && delivery?.state !== 'sent';
  if (recipientType === 'card' || recipientType === 'whisper' || isSentNothing) {
    const how = isSentNothing
      ? 'by another way'
      : by === 'sheets'
        ? 'to try the sheets'
        : 'to follow the card';
    const says = `Nothing is sent: ${name ?? 'they'} must be asked ${how}.`;
    const unseen = `${who} ${have} not opened the page, and it is over.`;
    return isOver ? failed(unseen, ASK[by]) : waits(says, null);
  }
  if (delivery?.state === 'waiting') {
    return waits(`${message} waits to be sent.${delivery.why ? ` ${delivery.why}` : ''}`);
  }
  const asked = formatDay(delivery?.at ?? askedAt);
  if (isOver || now - Date.parse(askedAt) >= QUIET_FOR) {
    return failed(
      `${message} was handed over for delivery on ${asked}, and nobody has opened its page${isOver ? '. It is over' : ''}.`,
      'It may lie among unwanted mail, or at an address that nobody reads. Ask them by another way.',
    );
  }
  return waits(`${message} was handed over for delivery on ${asked}. Nobody has opened its page yet.`);
}

const times = (count: number) => (count === 1 ? 'once' : `${count} times`);

const ASK = {
  card: 'Ask whether they have their card.',
  passphrase: 'Ask whether they know the passphrase.',
  sheets: 'Ask whether they know who has the sheets.',
};

/** Whether a letter that watches was rehearsed by nobody for a year. */
export function isRehearsalDue(
  { recipients, activatedAt }: Pick<OpenedScroll, 'recipients' | 'activatedAt'>,
  now: number,
): boolean {
  const asked = recipients.flatMap(({ rehearsal }) => (rehearsal ? [rehearsal.askedAt] : []));
  const last = [...asked, ...(activatedAt ? [activatedAt] : [])].sort().at(-1);
  return last !== undefined && now - Date.parse(last) >= switchRules.rehearseEvery;
}
