// What people do in a simulated server, by the product's own functions. Only accounts and vaults are written here: the
// switch needs nothing of them but that they are there.
import { expressionBuilder } from 'kysely';
import { uidOf } from '../server/accounts/account-store.ts';
import type { Database } from '../server/db/open.ts';
import type { Schema } from '../server/db/schema.ts';
import { linkToken, type PressLink } from '../server/deadman/delivery/link-token.ts';
import * as confirmations from '../server/deadman/routes/last-activity/confirmation-store.ts';
import * as lastActivity from '../server/deadman/routes/last-activity/store.ts';
import { permitTexts } from '../server/deadman/routes/outbox/text-permission-store.ts';
import { openReleased } from '../server/deadman/routes/scrolls/opening-store.ts';
import { createScroll, updateScroll } from '../server/deadman/routes/scrolls/store.ts';
import * as watches from '../server/deadman/routes/scrolls/watch-store.ts';
import { pressPostponement } from '../server/deadman/routes/trusted-contact/postpone-store.ts';
import * as contacts from '../server/deadman/routes/trusted-contact/store.ts';
import type { SwitchStore } from '../server/deadman/watch/silence.ts';
import { AppError } from '../server/errors.ts';
import type { TriggerType } from '../shared/nouns/legacy.ts';
import type { RecipientType, ScrollRecipient } from '../shared/nouns/scroll-recipients.ts';
import type { WarningPlace } from '../shared/nouns/warning-addresses.ts';
import { DAY } from '../shared/time.ts';

export interface ScrollSpec {
  author: number;
  /** Milliseconds of silence, in whole days, or null. */
  period: number | null;
  /** When its day begins by the calendar, in UTC, or null. With neither, only a hand releases it. */
  dueAt: number | null;
  warning: 'mail' | 'dashboard';
  channel: RecipientType;
  address: string;
}

/** A scroll that has just begun to watch. */
export interface Watching {
  warning: ScrollSpec['warning'];
  /** Its author's scrolls that watch in the moment in which this activation has proved a life. */
  watching: number[];
}

/** @param vault the address of a vault, for somebody who has one */
export async function addAuthor(
  deps: Pick<SwitchStore, 'db' | 'now' | 'log'>,
  name: string,
  vault: string | null,
): Promise<number> {
  const { db, now } = deps;
  const { id } = await db
    .insertInto('accounts')
    .values({ uid: name, name, is_admin: 0, created_at: now() })
    .returning('id')
    .executeTakeFirstOrThrow();
  await permitTexts(deps, name, true);
  if (vault) {
    await db
      .insertInto('vault_keys')
      .values({
        account_id: id,
        generation: 1,
        fingerprint: name,
        recipient: name,
        verifying_key: name,
        verifying_key_hash: name,
        address: vault,
        signature: '',
        succession: null,
        key_check: '',
        ring_seal_id: null,
        ring_sealed: null,
        created_at: 0,
      })
      .execute();
  }
  return id;
}

/** Where the administrator reads mail: on the machine itself, so that it arrives although no other mail does. */
export const ADMIN_MAILBOX = 'administrator@localhost.example';

/** Somebody who can confirm a paused switch and has no scrolls. */
export async function addAdministrator(deps: Pick<SwitchStore, 'db' | 'now' | 'log'>): Promise<void> {
  const id = await addAuthor(deps, 'administrator', null);
  await deps.db.updateTable('accounts').set({ is_admin: 1 }).where('id', '=', id).execute();
  const proved = { account_id: id, address: ADMIN_MAILBOX, proved_at: deps.now() };
  const asked = { asked_address: null, asked_message: null };
  await deps.db
    .insertInto('warning_addresses')
    .values({ ...proved, ...asked })
    .execute();
}

/** Opens the letter of a recipient. False while it is not released to them. */
export async function openLetter(store: SwitchStore, publicId: string): Promise<boolean> {
  const eb = expressionBuilder<Schema, 'scroll_recipients'>();
  return (await openReleased(store, eb('scroll_recipients.public_id', '=', publicId), store.now())) !== null;
}

/** Some authors write to more than one: to a second person, and to one who is told only if nobody opens the letter. */
const othersOf = (author: number) =>
  author % 3 === 0
    ? [
        {
          recipientType: 'email',
          recipientAddress: `second-${author}@mail.example`,
          tell: 'at-release',
        } as const,
        {
          recipientType: 'email',
          recipientAddress: `last-${author}@mail.example`,
          tell: 'if-unopened',
        } as const,
      ]
    : [];

/** Whether the recipient at this place of a scroll is told only if nobody opens it. */
export const isToldLast = (position: number): boolean => position === 2;

/**
 * A form as the author's browser sends it.
 * @param kept the recipients that the scroll has, in their order
 */
function formOf(
  { author, period, dueAt, channel, address }: ScrollSpec,
  kept: readonly Pick<ScrollRecipient, 'id'>[] = [],
) {
  const trigger: [TriggerType, string] =
    period !== null
      ? ['inactivity', String(period / DAY)]
      : dueAt !== null
        ? ['date', new Date(dueAt).toISOString().slice(0, 10)]
        : ['manual', 'manual'];
  return {
    title: '',
    encryptedContent: '',
    triggerType: trigger[0],
    triggerValue: trigger[1],
    timeZone: 'UTC',
    recipients: [{ recipientType: channel, recipientAddress: address }, ...othersOf(author)].map(
      (recipient, i) => ({ id: kept[i]?.id ?? null, ...recipient }),
    ),
  };
}

/** What was refused with a sentence for its author, as null. */
async function unlessRefused<T>(asked: Promise<T>): Promise<T | null> {
  try {
    return await asked;
  } catch (error) {
    if (error instanceof AppError) return null;
    throw error;
  }
}

/**
 * Writes a scroll and lets it watch.
 * @param mailbox where its author reads mail; null for somebody who is warned by the dashboard alone
 * @returns null when the form was refused: by a calendar that is wrong, its day may have begun
 */
export async function writeScroll(
  store: SwitchStore,
  wish: ScrollSpec,
  mailbox: string | null,
): Promise<(Watching & { id: number; publicIds: string[] }) | null> {
  const scroll = await unlessRefused(createScroll(store, wish.author, formOf(wish)));
  if (scroll === null || typeof scroll === 'string') return null;
  const { id } = scroll;
  const publicIds = scroll.recipients.map(({ publicId }) => publicId);
  const watching = await activate(store, id, wish, mailbox);
  return watching && { id, publicIds, ...watching };
}

/** Lets a scroll watch; its author proves the mailbox where that is asked first. */
async function activate(
  store: SwitchStore,
  id: number,
  { author, warning }: ScrollSpec,
  mailbox: string | null,
): Promise<Watching | null> {
  const ask = (by: ScrollSpec['warning']) =>
    inItsMoment(store, author, (deps) => watches.activateScroll(deps, author, id, { warning: by }));
  let asked = await ask(warning);
  if (asked.result === 'warning-unproved' && mailbox !== null) {
    await proveAddress(store, author, mailbox);
    asked = await ask(warning);
  }
  if (asked.result === 'warning-unproved') asked = await ask('dashboard');
  const { result, watching } = asked;
  return typeof result === 'string' ? null : { warning: result.warning ?? 'dashboard', watching };
}

/**
 * The administrator has passed the mail on by hand that asks an author's address, and its link is pressed at once. Some
 * have a second address, and some of these are refused by now.
 */
async function proveAddress(store: SwitchStore, author: number, mailbox: string): Promise<void> {
  // Somebody who was vouched for: a new account may ask for one address a day.
  const asker = { accountId: author, isAdmin: true };
  await unlessRefused(lastActivity.askWarningAddress(store, asker, mailbox));
  await pressQuestion(store, author, 'first');
  if (author % 2 !== 0) return;
  const address = `${author % 4 === 0 ? 'gone' : 'second'}-${mailbox}`;
  await unlessRefused(lastActivity.askSecondWarning(store, asker, { channel: 'email', address }));
  await pressQuestion(store, author, 'second');
}

async function pressQuestion(store: SwitchStore, author: number, place: WarningPlace): Promise<void> {
  const asked = await store.db
    .selectFrom('warning_addresses')
    .select('asked_message')
    .where('account_id', '=', author)
    .where('place', '=', place)
    .executeTakeFirst();
  if (asked?.asked_message)
    await confirmations.press(store, await linkIn(store, author, asked.asked_message));
}

/**
 * Disarms a scroll and lets it watch anew, perhaps for something else.
 * @returns null when it was released before, or does not watch any more since its new form was refused
 */
export async function changeScroll(
  store: SwitchStore,
  id: number,
  wish: ScrollSpec,
  mailbox: string | null,
): Promise<Watching | null> {
  const { author } = wish;
  const disarmed = await watches.disarmScroll(store, author, id);
  if (typeof disarmed === 'string') return null;
  const { version, recipients } = disarmed;
  const written = await unlessRefused(
    updateScroll(store, author, { id, fresh: true }, { version, ...formOf(wish, recipients) }),
  );
  if (written === null || typeof written === 'string') return null;
  return activate(store, id, wish, mailbox);
}

/** Disarms a scroll for good. False when it was released before. */
export async function disarmScroll(store: SwitchStore, id: number, author: number): Promise<boolean> {
  return typeof (await watches.disarmScroll(store, author, id)) !== 'string';
}

/** False when it was released before, or does not watch. */
export async function releaseByHand(store: SwitchStore, id: number, author: number): Promise<boolean> {
  const released = await unlessRefused(watches.releaseByHand(store, author, id));
  return released !== null && typeof released !== 'string';
}

export async function deleteScroll(store: SwitchStore, id: number, author: number): Promise<boolean> {
  return (await watches.deleteScroll(store, author, { id, fresh: true })) === null;
}

/**
 * Signs in, or moves a hand.
 * @returns the author's scrolls that watch in the very moment in which this life is proved
 */
export async function live(store: SwitchStore, author: number): Promise<number[]> {
  return (await inItsMoment(store, author, (deps) => lastActivity.giveProofOfLife(deps, author))).watching;
}

/** Takes the warning address away. @returns as `live` */
export async function forgetAddress(store: SwitchStore, author: number): Promise<number[]> {
  const act = (deps: SwitchStore) => lastActivity.removeWarningAddress(deps, author);
  return (await inItsMoment(store, author, act)).watching;
}

/** What the link in a message to an author names. */
async function linkIn({ db }: Pick<SwitchStore, 'db'>, author: number, publicId: string): Promise<PressLink> {
  return { purpose: 'press-warning', publicId, uid: (await uidOf({ db }, author)) ?? '' };
}

/** Presses the link of a warning. Null when it counts for nothing. */
export async function press(store: SwitchStore, author: number, message: string): Promise<number[] | null> {
  const { result, watching } = await inItsMoment(store, author, async (deps) =>
    confirmations.press(deps, await linkIn(deps, author, message)),
  );
  return typeof result !== 'string' && result.kind === 'warning' ? watching : null;
}

/** Does something, and reads in the same transaction which of the author's scrolls watch then. */
async function inItsMoment<T>(
  store: SwitchStore,
  author: number,
  act: (store: SwitchStore) => Promise<T>,
): Promise<{ result: T; watching: number[] }> {
  let watching: number[] = [];
  const db = withLastLook(store.db, async (tx) => {
    const rows = await tx
      .selectFrom('legacy_scrolls')
      .select(['id', 'state'])
      .where('account_id', '=', author)
      .execute();
    watching = rows.flatMap(({ id, state }) => (state === 'watching' ? [id] : []));
  });
  return { result: await act({ ...store, db }), watching };
}

/** The same database; whatever a transaction has done in it is looked at before it ends. */
function withLastLook(db: Database, look: (tx: Database) => Promise<void>): Database {
  const transaction = () => ({
    execute: <T>(work: (tx: Database) => Promise<T>) =>
      db.transaction().execute(async (tx) => {
        const result = await work(tx);
        await look(tx);
        return result;
      }),
  });
  return new Proxy(db, {
    get(target, property) {
      if (property === 'transaction') return transaction;
      const value = Reflect.get(target, property, target);
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
}

/** Names somebody who is told before a release by silence. */
export const nameContact = (store: SwitchStore, author: number, address: string) =>
  contacts.nameContact(store, author, { name: 'Somebody', address, authorName: null });

/** A contact presses the link of a mail. @returns whether it has postponed */
export const postpone = (store: SwitchStore, link: string): Promise<boolean> =>
  pressPostponement(store, linkToken(store.digests, link, 'postpone'));
