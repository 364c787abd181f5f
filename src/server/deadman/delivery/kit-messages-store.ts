// What an author is told of their guardians' kits: that one was made or removed, asked for, stopped, and opened. A
// mail says what stands in the kits' rows when it leaves, so that it names all that wait.
import { type Selectable, sql } from 'kysely';
import type { NamedKit } from '../../adapters/letter-parts.ts';
import type { Database } from '../../db/open.ts';
import type { MessagesTable } from '../../db/schema/messages.ts';
import type { Deps } from '../../deps.ts';
import { countedNow, countedTime } from '../clock/counted-time-store.ts';
import { cancelMessages, writeMessage } from './message-store.ts';
import { provedAddresses } from './proved-addresses-store.ts';

/** Messages with the kits that their accounts' guardians have asked for. Only warnings of kits name any. */
export async function withKits<M extends Pick<Selectable<MessagesTable>, 'id' | 'kind' | 'account_id'>>(
  db: Database,
  messages: readonly M[],
): Promise<(M & { kits: NamedKit[] })[]> {
  const accounts = messages.flatMap(({ kind, account_id }) =>
    kind === 'kit-asked' && account_id !== null ? [account_id] : [],
  );
  const rows =
    accounts.length === 0
      ? []
      : await db
          .selectFrom('guardian_kits')
          .select(['account_id', 'created_at', 'needed', 'count', 'asked_at', 'asked_again', 'ended_at'])
          .select('warning_accepted as accepted')
          .select(sql<number>`asked_counted + wait_days * 86400000`.as('deadline'))
          .where('account_id', 'in', accounts)
          .where('asked_counted', 'is not', null)
          .orderBy('asked_counted')
          .orderBy('id')
          .execute();
  return messages.map((message) => ({
    ...message,
    kits: rows.flatMap(({ account_id, asked_again, ended_at, deadline, ...kit }) =>
      message.kind === 'kit-asked' && account_id === message.account_id
        ? [{ ...kit, deadline: Number(deadline), isAskedAgain: asked_again === 1, isOver: ended_at !== null }]
        : [],
    ),
  }));
}

type Told = 'kit-asked' | 'kit-stopped' | 'kit-opened' | 'kit-made' | 'kit-removed';

/** Each time is told of: what takes the place of a mail that has not left says how many there were. */
const EACH: ReadonlySet<Told> = new Set(['kit-made', 'kit-removed']);

interface OfKits {
  kind: Told;
  accountId: number;
  /** Which warning this is; of what was made or removed, how many times. */
  step?: number;
  /** When the kit was asked for, made or removed, by the calendar; of several, the first. */
  deadline?: number | null;
}

/**
 * Tells an author, at each warning address that they have proved. What has not left of the same kind says less: this
 * message takes its place. Text messages are for what can still be stopped.
 * @param tx a transaction that holds the life of the author
 */
export async function tellOfKits(tx: Database, { accountId, ...told }: OfKits, time: number): Promise<void> {
  const { kind } = told;
  const untold = EACH.has(kind) ? await untoldOf(tx, accountId, kind) : null;
  await cancelMessages(tx, { accountId, kind });
  const now = { time, countedTime: await countedTime(tx) };
  for (const { channel, address } of await provedAddresses(tx, accountId)) {
    if (channel !== 'email' && kind !== 'kit-asked') continue;
    const before = untold?.get(address);
    await writeMessage(
      tx,
      {
        ...{ ...told, channel, address, account_id: accountId },
        ...{ scroll_id: null, scroll_public_id: null },
        ...(untold && { step: (before?.step ?? 0) + 1 }),
        ...(before && { deadline: before.deadline }),
      },
      now,
    );
  }
}

/** How often something has happened of which a mail has not left yet, and when first, by the mail's address. */
async function untoldOf(tx: Database, accountId: number, kind: Told) {
  const waiting = await tx
    .selectFrom('messages')
    .select(['address', 'step', 'deadline'])
    .where('account_id', '=', accountId)
    .where('kind', '=', kind)
    .where('state', '=', 'waiting')
    .execute();
  return new Map(waiting.map(({ address, ...said }) => [address, said]));
}

/**
 * A warning of kits was accepted: it counts from now on, for each that waits. One that was cancelled on its way counts for
 * none: another one has been asked for since, or all were stopped.
 * @param tx a transaction that holds the life of the author
 */
export async function countKitWarning(
  tx: Database,
  { id, account_id }: Pick<Selectable<MessagesTable>, 'id' | 'account_id'>,
  rules: Deps['rules'],
): Promise<void> {
  await tx
    .updateTable('guardian_kits')
    .set({ warning_accepted: countedNow(rules) })
    .where('account_id', '=', account_id)
    .where('asked_counted', 'is not', null)
    .where('warning_accepted', 'is', null)
    .where(({ exists, selectFrom }) =>
      exists(selectFrom('messages').select('id').where('id', '=', id).where('state', '=', 'waiting')),
    )
    .execute();
}

/** When a warning of an account's kits left last, in counted time; null for never. */
export async function warnedOfKitsAt(tx: Database, accountId: number): Promise<number | null> {
  const { last } = await tx
    .selectFrom('messages')
    .select((q) => q.fn.max('sent_counted').as('last'))
    .where('account_id', '=', accountId)
    .where('kind', '=', 'kit-asked')
    .where('state', '=', 'sent')
    .executeTakeFirstOrThrow();
  return last === null ? null : Number(last);
}
