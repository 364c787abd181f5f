// What the switch promises, whatever happens to its server. docs/legacy.md has the same list; the simulation looks at all
// of them after every step.

export const invariants = {
  'never early':
    'A scroll that waits for silence is released only after its author has, in truth, given no sign of life for its whole period, less 26 hours for each start with a calendar that was wrong, and each time that it was set forward, if it was left so for an hour.',
  'never before its day':
    'A scroll that waits for a day is not released before it has, in truth, begun: not by a calendar that is wrong for less than a day, or that was set forward by more than a day since the machine was started.',
  'life wins': 'A sign of life that is written down before a release prevents it.',
  'never while paused':
    'While the switch is paused, and from a restore to the administrator’s word, nothing is warned of, released or delivered.',
  'a pause ends':
    'A pause that nobody answers ends by itself when 90 days of it were counted since a mail server accepted the first notice to an author, or 180 days where none was accepted: not sooner, and never with SWITCH_RESUME=never.',
  'told of a pause':
    'Each author whose scrolls watch, and each administrator, is told of each pause once, at each address that they have proved, and not when it is over.',
  'anew after a pause':
    'After a pause every silence begins anew, and neither silence nor a day releases anything for 72 hours of counted time, or for 30 days where it has ended by itself.',
  'out of reach is absent':
    'While PUBLIC_URL does not answer any more nothing is counted, warned of, released or delivered. One that has never answered, one that answers again or answers another server, and one that has been silent for 90 days stop nothing.',
  'a copy is silent':
    'A copied database releases, warns of and delivers nothing: with another key, without a journal, or with a copied one.',
  'never twice':
    'A scroll is released at most once in the history of one database, and each recipient is told of it once.',
  'one number':
    'The message of a scroll’s release to a recipient has the same number every time, in a restored database too.',
  'reminded in time':
    'A recipient who has not opened the letter is reminded 3, 14 and 45 days after the message of the release was accepted: three times at most, never sooner, never within three days of another reminder, never after the opening, and of nothing that was not released.',
  'told last':
    'Recipients who are told only if nobody opens the letter are told then alone: sixty days after the others were told, or once these cannot be told.',
  'one repeat for one crash':
    'A message is handed over once, and once more for each crash between a transport’s word and its record, and for each restore that has forgotten it.',
  'never lost':
    'A scroll whose time has come, and which nothing holds that is named here, is released at the next tick; none is held longer than 14 days of counted time, 30 more after an absence of over 90 days, and a day for a late warning.',
  'always told':
    'Each message to a recipient stands in the queue until it was accepted, or until it is shown as undeliverable with the reason: its address was refused, or for two years nothing was accepted.',
  'warned first':
    'With warnings by mail, a release comes 24 hours after an accepted one at the earliest, or 14 days after the deadline.',
  'never warned too soon':
    'No warning is written before half of the period, and none where the dashboard is enough.',
  'one warning a day':
    'An author gets one warning in 24 hours of counted time, which names all scrolls whose warnings are due; a switch of less than four days may need another.',
  'warned at each address':
    'A warning goes to each address that its author has proved, and counts as accepted once one of them has accepted it.',
  'told after a release':
    'An author is told of each release in one mail to each address that they had proved, and gets one such mail in 24 hours of counted time.',
  'contact told first':
    'No letter leaves by silence before the trusted contact of its author was written to about it, in this silence.',
  'postponed once':
    'A trusted contact postpones once in a silence, and then nothing of that author leaves by silence for 30 days of counted time, unless the author is active; a pause does not end them. No hold is added to these 30 days.',
  'held after an outage':
    'After an absence of over a day silence releases nothing for 72 hours of counted time, and nothing before its length is known, but for what has waited for 14 days, and for what was warned of since where nobody can know that length.',
  'a day for an absence': 'Each absence counts for 26 hours at most, however long it was.',
  'never ahead':
    'Counted time never runs back and never ahead of the time that has truly passed, but for 26 hours at each start with a calendar that was wrong, and each time that it was set forward, if it was left so for an hour, and by the minutes by which one is set again and again.',
  'keeps up':
    'Counted time keeps up with the time in which a server runs, but for two ticks at each change of server.',
  'never flooded':
    'A mailbox or telephone is sent no more releases in 24 hours of counted time than its limit allows, whoever wrote them.',
  'nothing fails': 'No statement fails, but where a server was killed.',
} as const;

export type Invariant = keyof typeof invariants;

/** Says that a promise was broken. @throws Breach */
export function broken(invariant: Invariant, detail: string): never {
  throw new Breach(invariant, detail);
}

/** A promise that was broken. */
export class Breach extends Error {
  readonly invariant: Invariant;
  constructor(invariant: Invariant, detail: string) {
    super(`${invariant}: ${detail}`);
    this.invariant = invariant;
  }
}
