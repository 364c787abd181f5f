// What recipients are told after a release: each once, with reminders until the letter was opened, and who comes last
// only when nobody has opened it.
import type { Database } from '../server/db/open.ts';
import type { SwitchRules } from '../shared/nouns/switch-rules.ts';
import { DAY } from '../shared/time.ts';
import { broken } from './invariants.ts';
import { hasRefused, isLastForgotten, type NewMessage, recipientsTold } from './ledger-store.ts';
import { isToldLast } from './people-store.ts';
import type { Told, Truth } from './truth.ts';

/** How late a reminder may be: servers die at it, and their jobs come again. */
const LATE = 3 * DAY;

export class FollowUpOracle {
  readonly #rules: Pick<SwitchRules, 'reminders' | 'unopenedAfter'>;
  readonly #count: (what: string) => void;
  readonly #byPublicId = new Map<string, Truth>();
  /** Messages that were accepted before anybody has looked at them: those to whoever comes last leave at once. */
  readonly #early = new Map<string, number>();

  constructor(rules: SwitchRules, count: (what: string) => void) {
    this.#rules = rules;
    this.#count = count;
  }

  wrote(truth: Truth): void {
    for (const publicId of truth.publicIds) this.#byPublicId.set(publicId, truth);
  }

  truthOf(publicId: string): Truth | undefined {
    return this.#byPublicId.get(publicId);
  }

  #toldOf(publicId: string): Told | undefined {
    return this.#byPublicId.get(publicId)?.told.get(publicId);
  }

  /** Each recipient is told once in a history, and under the same number in each. */
  async lookAtTelling(db: Database, truth: Truth, message: NewMessage): Promise<void> {
    const { scroll_public_id, public_id, created_counted } = message;
    const recipient = scroll_public_id ?? '';
    const before = truth.told.get(recipient);
    if (before && before.last !== null) broken('never twice', `scroll ${truth.id} to ${recipient}`);
    if (before) {
      this.#count('released once more after a restore');
      if (before.messageId !== public_id) broken('one number', `scroll ${truth.id}`);
    }
    if (truth.released) this.#count('told beside or after the first recipient');
    const position = truth.publicIds.indexOf(recipient);
    if (isToldLast(position)) await this.#lookAtLast(db, truth, position, created_counted);
    truth.told.set(recipient, {
      messageId: public_id,
      last: created_counted,
      releasedAt: created_counted,
      acceptedAt: this.#early.get(recipient) ?? null,
      reminders: 0,
      opened: false,
    });
    this.#early.delete(recipient);
  }

  async #lookAtLast(db: Database, truth: Truth, position: number, now: number): Promise<void> {
    this.#count('told since nobody had opened the letter');
    for (const publicId of truth.publicIds.slice(0, position)) {
      const told = truth.told.get(publicId);
      const detail = `scroll ${truth.id}, though ${publicId}`;
      if (!told) broken('told last', `${detail} was not told`);
      if (told.opened) broken('told last', `${detail} has opened it`);
      const isOver = now - told.releasedAt >= this.#rules.unopenedAfter;
      if (!isOver && !(await hasRefused(db, publicId))) broken('told last', `${detail} may yet open it`);
    }
  }

  lookAtReminder({ scroll_id, scroll_public_id, step, created_counted }: NewMessage): void {
    const { reminders } = this.#rules;
    this.#count('reminders written');
    const detail = `scroll ${scroll_id}, reminder ${step}`;
    const truth = this.#byPublicId.get(scroll_public_id ?? '');
    const told = truth?.told.get(scroll_public_id ?? '');
    if (!truth?.released || told?.last == null) broken('reminded in time', `${detail}, unreleased`);
    if (told.opened) broken('reminded in time', `${detail}, opened`);
    if (step !== told.reminders + 1 || step > reminders.length) broken('reminded in time', detail);
    const tooSoon =
      told.acceptedAt === null ||
      created_counted - told.acceptedAt < (reminders[step - 1] ?? 0) ||
      created_counted - told.last < (reminders[0] ?? 0);
    if (tooSoon) broken('reminded in time', `${detail}, too soon`);
    told.last = created_counted;
    told.reminders = step;
  }

  /** A transport has accepted the message of a release or a reminder. @param now counted time */
  accepted(publicId: string, isReminder: boolean, now: number): void {
    const told = this.#toldOf(publicId);
    if (isReminder) {
      if (told?.opened) broken('reminded in time', `${publicId} has opened it`);
    } else if (told && told.last !== null) told.acceptedAt ??= now;
    else this.#early.set(publicId, now);
  }

  opened(publicId: string): void {
    const told = this.#toldOf(publicId);
    if (!told || told.opened) return;
    told.opened = true;
    this.#count('opened');
    if (told.reminders > 0) this.#count('opened after a reminder');
  }

  /** Looks for reminders that were forgotten. @param now counted time */
  async audit(db: Database, now: number): Promise<void> {
    const { reminders, unopenedAfter } = this.#rules;
    for (const row of await recipientsTold(db, true)) {
      const told = this.#toldOf(row.public_id);
      if (!told || row.newest !== 'sent') continue;
      const detail = `${row.public_id} after ${row.reminders} reminders`;
      if (told.opened) broken('reminded in time', `${detail}: its opening was forgotten`);
      const steps = row.recipient_type === 'email' || row.recipient_type === 'sms' ? reminders : [];
      const due = (row.accepted ?? row.released_counted ?? 0) + (steps[row.reminders] ?? unopenedAfter);
      // Nothing follows while a message waits, perhaps for weeks.
      const since = Math.max(due, Math.max(told.last ?? 0, row.lastAccepted ?? 0) + (reminders[0] ?? 0));
      if (now > since + LATE) {
        broken('reminded in time', `${detail}: nothing follows`);
      }
    }
    for (const row of await recipientsTold(db)) {
      const isOver = row.opened_at !== null || row.unopened_since === null;
      const isReminded = row.recipient_type === 'email' || row.recipient_type === 'sms';
      if (isOver || !isReminded || row.newest !== 'sent' || row.reminders === reminders.length) continue;
      broken('reminded in time', `${row.public_id}: given up after ${row.reminders} reminders`);
    }
    if (await isLastForgotten(db)) broken('told last', 'nobody has opened a letter, and nobody else is told');
  }

  /** The database is another one from now on, and knows no more than it says. */
  async restored(db: Database): Promise<void> {
    this.#early.clear();
    for (const truth of new Set(this.#byPublicId.values())) {
      for (const told of truth.told.values()) told.last = null;
    }
    for (const row of await recipientsTold(db)) {
      const told = this.#toldOf(row.public_id);
      if (!told || row.newest === null) continue;
      Object.assign(told, {
        last: row.last,
        releasedAt: row.released_counted ?? 0,
        acceptedAt: row.accepted,
        reminders: row.reminders,
        opened: row.opened_at !== null,
      });
    }
  }
}
