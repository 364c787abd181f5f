// What people do in a simulated house, as its features write it: short, and without what the switch never looks at.

import type { Database } from '../server/db/open.ts';
import { transact } from '../server/db/transact.ts';
import { houseTime } from '../server/deadman/clock/counted-time-store.ts';
import { cancelMessages } from '../server/deadman/delivery/message-store.ts';
import { holdLife, proveLife } from '../server/deadman/watch/last-activity-store.ts';
import { releaseScroll } from '../server/deadman/watch/release-store.ts';
import type { SwitchStore } from '../server/deadman/watch/silence-store.ts';
import type { RecipientType } from '../shared/nouns/legacy.ts';

export interface Wish {
  author: number;
  publicId: string;
  /** Milliseconds of silence, or null. */
  period: number | null;
  /** When its day begins by the calendar, or null. With neither, only a hand releases it. */
  dueAt: number | null;
  warning: 'mail' | 'dashboard';
  channel: RecipientType;
  address: string;
}

export async function addAuthor(db: Database, name: string, warned: string | null, vault: string | null) {
  const { id } = await db
    .insertInto('accounts')
    .values({ uid: name, name, is_admin: 0, texts_permitted: 1, created_at: 0 })
    .returning('id')
    .executeTakeFirstOrThrow();
  if (warned) {
    await db
      .insertInto('warning_addresses')
      .values({ account_id: id, address: warned, proved_at: 1, asked_address: null, asked_message: null })
      .execute();
  }
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

const triggerOf = ({ period, dueAt }: Pick<Wish, 'period' | 'dueAt'>) =>
  period !== null ? 'inactivity' : dueAt !== null ? 'date' : 'manual';

/** Writes a scroll and lets it watch. Returns its row's number. */
export function writeScroll(deps: SwitchStore, wish: Wish): Promise<number> {
  return transact(deps.db, async (tx) => {
    const { id } = await tx
      .insertInto('legacy_scrolls')
      .values({
        account_id: wish.author,
        public_id: wish.publicId,
        title: '',
        encrypted_content: '',
        encrypted_scroll_key: null,
        access: 'card',
        claim_hash: null,
        stretching: null,
        wrapped_key: null,
        envelope: null,
        trigger_type: triggerOf(wish),
        trigger_value: '',
        time_zone: 'UTC',
        recipient_type: wish.channel,
        recipient_address: wish.address,
        recipient_account_id: null,
        handed_over_at: null,
        released_at: null,
        opened_at: null,
        kept_until: null,
        seal_id: null,
        key_fingerprint: null,
        created_at: deps.now(),
        updated_at: deps.now(),
      })
      .returning('id')
      .executeTakeFirstOrThrow();
    await watch(deps, tx, id, wish);
    return id;
  });
}

async function watch(deps: SwitchStore, tx: Database, id: number, wish: Wish): Promise<void> {
  await proveLife(deps, tx, wish.author, 'person');
  await tx
    .updateTable('legacy_scrolls')
    .set({
      state: 'watching',
      trigger_type: triggerOf(wish),
      period: wish.period,
      due_at: wish.dueAt,
      watching_since: (await houseTime(tx)) + deps.rules.beat,
      warning: wish.warning,
      warned_rung: 0,
      warning_accepted: null,
      look_at: 0,
      date_ripe: null,
    })
    .where('id', '=', id)
    .where('state', '=', 'dormant')
    .execute();
}

/** Disarms a scroll and lets it watch anew, perhaps for something else. False when it was released before. */
export function changeScroll(deps: SwitchStore, id: number, wish: Wish): Promise<boolean> {
  return transact(deps.db, async (tx) => {
    await holdLife(tx, wish.author);
    const dormant = await tx
      .updateTable('legacy_scrolls')
      .set({ state: 'dormant', date_ripe: null })
      .where('id', '=', id)
      .where('state', '=', 'watching')
      .returning('id')
      .executeTakeFirst();
    if (!dormant) return false;
    await cancelMessages(tx, { scrollId: id, kind: 'warning' });
    await watch(deps, tx, id, wish);
    return true;
  });
}

/** Disarms a scroll for good. False when it was released before. */
export function disarmScroll(deps: SwitchStore, id: number, author: number): Promise<boolean> {
  return transact(deps.db, async (tx) => {
    await holdLife(tx, author);
    const dormant = await tx
      .updateTable('legacy_scrolls')
      .set({ state: 'dormant' })
      .where('id', '=', id)
      .where('state', '=', 'watching')
      .returning('id')
      .executeTakeFirst();
    if (dormant) await cancelMessages(tx, { scrollId: id, kind: 'warning' });
    return dormant !== undefined;
  });
}

export function releaseByHand(deps: SwitchStore, id: number, author: number): Promise<boolean> {
  return transact(deps.db, async (tx) => {
    await holdLife(tx, author);
    return releaseScroll(deps, tx, id);
  });
}

/**
 * Signs in, or moves a hand.
 * @returns the author's scrolls that watch for silence in the very moment in which this life is proved
 */
export function live(deps: SwitchStore, author: number): Promise<number[]> {
  return transact(deps.db, async (tx) => {
    await proveLife(deps, tx, author, 'person');
    return watchedSilences(tx, author);
  });
}

/** Presses the link of a warning. Null when it counts for nothing. */
export function press(deps: SwitchStore, author: number, message: string): Promise<number[] | null> {
  return transact(deps.db, async (tx) => {
    await holdLife(tx, author);
    const pressed = await tx
      .updateTable('messages')
      .set({ pressed_at: deps.now() })
      .where('public_id', '=', message)
      .where('kind', '=', 'warning')
      .where('pressed_at', 'is', null)
      .returning('id')
      .executeTakeFirst();
    if (!pressed || (await proveLife(deps, tx, author, 'press')) === null) return null;
    return watchedSilences(tx, author);
  });
}

async function watchedSilences(tx: Database, author: number): Promise<number[]> {
  const rows = await tx
    .selectFrom('legacy_scrolls')
    .select('id')
    .where('account_id', '=', author)
    .where('state', '=', 'watching')
    .execute();
  return rows.map(({ id }) => id);
}
