// What a release does for each recipient: it is theirs from then on, a message tells them, and a job sees to reminders.
import type { Selectable } from 'kysely';
import type { Tell } from '../../../shared/nouns/scroll-recipients.ts';
import { DAY } from '../../../shared/time.ts';
import type { Database } from '../../db/open.ts';
import type { ScrollRecipientsTable } from '../../db/schema/deadman.ts';
import type { Deps } from '../../deps.ts';
import type { Digests } from '../../digests.ts';
import { enqueue } from '../../jobs/queue-store.ts';
import { countedTime } from '../clock/counted-time-store.ts';
import { FOLLOW_UP, type NewMessage, writeMessage } from './message-store.ts';
import { placeWhisper } from './whisper-room-store.ts';

const BYTES = 16;
/** When the job of a recipient first looks, in counted time: nothing is due of them before. */
const FIRST_LOOK = DAY;

/** As far as its messages are numbered by it. */
type Numbered = Pick<Selectable<ScrollRecipientsTable>, 'id' | 'public_id'>;

/**
 * The number of a message to a recipient, which is also its Message-ID: the same in a database that was restored and
 * writes it once more. No message is written twice, since numbers are unique. A letter that is written anew after one was deleted
 * may have the same address, and is another one: its messages have numbers of their own.
 * @param reminder how many reminders there are with this one; 0 for the release itself
 */
export function recipientMessageId(digests: Digests, { id, public_id }: Numbered, reminder = 0): string {
  const whom = `${id} ${public_id}`;
  const of =
    reminder === 0 ? digests.keyed('release', whom) : digests.keyed('reminder', `${reminder} ${whom}`);
  return Buffer.from(of, 'hex').subarray(0, BYTES).toString('base64url');
}

export interface Releasing {
  /** Who is told now. */
  tell: Tell;
  scrollId: number;
  /** Null for a scroll that a destroyed vault has left. */
  accountId: number | null;
  /** Its author, as a keyed hash. */
  author: string;
  authorName: string | null;
  /** Counted time from which places in a line count; null for now. */
  inLineSince: number | null;
  /** Whether a destroyed vault was permitted to send text messages. */
  textsPermitted?: 0 | 1;
}

/**
 * Releases a scroll to its recipients of one kind, as far as it was not before.
 * @param tx a transaction that holds the scroll and the row of the counted time
 */
export async function releaseToRecipients(
  { digests, now }: Pick<Deps, 'digests' | 'now'>,
  tx: Database,
  releasing: Releasing,
): Promise<void> {
  const [time, counted] = [now(), await countedTime(tx)];
  const recipients = await tx
    .updateTable('scroll_recipients')
    .set({ released_at: time, released_counted: counted })
    .where('scroll_id', '=', releasing.scrollId)
    .where('tell', '=', releasing.tell)
    .where('released_at', 'is', null)
    .returning(['id', 'position', 'public_id', 'recipient_type', 'recipient_address', 'recipient_account_id'])
    .execute();
  for (const recipient of recipients.sort((a, b) => a.position - b.position)) {
    const { id, public_id, recipient_type: channel, recipient_address: address } = recipient;
    await enqueue(tx, FOLLOW_UP, public_id, counted + FIRST_LOOK);
    // Whoever looks for themselves is told by nobody.
    if (channel === 'card') continue;
    const message = recipientMessageId(digests, recipient);
    let place: Partial<NewMessage> = {};
    if (channel === 'whisper') {
      const recipientId = recipient.recipient_account_id ?? (await findRecipient(tx, id, address));
      place = await placeWhisper(tx, { digests }, { message, author: releasing.author, recipientId });
    }
    const { accountId, author, authorName, inLineSince, scrollId, textsPermitted } = releasing;
    await writeMessage(
      tx,
      {
        ...(accountId === null ? { author_hash: author } : {}),
        ...place,
        public_id: message,
        kind: 'release',
        ...{ channel, address },
        account_id: accountId,
        scroll_id: scrollId,
        recipient_id: id,
        scroll_public_id: public_id,
        author_name: authorName,
        texts_permitted: textsPermitted ?? 0,
        in_line_since: inLineSince ?? counted,
      },
      { time, countedTime: counted },
    );
  }
}

/** The vault of an address that nobody here had when the scroll was written may have come since. */
async function findRecipient(tx: Database, id: number, address: string): Promise<number | null> {
  const { recipient_account_id } = await tx
    .updateTable('scroll_recipients')
    .set((eb) => ({
      recipient_account_id: eb
        .selectFrom('vault_keys')
        .select('vault_keys.account_id')
        .where('vault_keys.address', '=', address)
        .limit(1),
    }))
    .where('id', '=', id)
    .returning('recipient_account_id')
    .executeTakeFirstOrThrow();
  return recipient_account_id;
}
