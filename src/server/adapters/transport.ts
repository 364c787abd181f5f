// What carries a message out of the server. Everything here may fail and says how; nothing here decides what that means.

/** One message, ready to leave. It carries no word of a scroll and no key. */
export interface Letter {
  /** The same for every try, and for the same release in a restored database: 22 characters of base64url. */
  id: string;
  to: string;
  subject: string;
  text: string;
  /** The same in HTML, for mail; empty for a text message. */
  html: string;
  /** Where a mail program ends the reminders (RFC 8058); null where there are none. */
  unsubscribe: string | null;
}

/**
 * `for-good`: this address itself will not take it, however often it is tried. `for-now`: anything else that went wrong;
 * with `alone` it says nothing of other messages, and the transport may well work.
 * `why` is a sentence for the author and the administrator; it repeats nothing that a server said word for word.
 */
export type Delivery = 'accepted' | Refusal;
export type Refusal =
  | { refused: 'for-good'; why: string }
  | { refused: 'for-now'; alone?: boolean; why: string };

export interface Transport {
  /** Hands a letter over. It never throws and never takes longer than a minute. */
  send(letter: Letter): Promise<Delivery>;
}

/** Null where the server was given none: letters then wait in the outbox for its administrator. */
export interface Transports {
  email: Transport | null;
  sms: Transport | null;
}

/** How long one letter may take, well within the minute. Tests end a hanging one themselves. */
export type Deadline = () => AbortSignal;
export const DEADLINE: Deadline = () => AbortSignal.timeout(50_000);
