// What a simulation is made of. Each number of times is an average for each year.

import { type Config, readConfig } from '../server/config.ts';
import type { MessageLimits } from '../server/deadman/delivery/send-limits.ts';
import { type SwitchRules, switchRules } from '../shared/nouns/switch-rules.ts';
import { HOUR } from '../shared/time.ts';

export interface Scenario {
  seed: number;
  authors: number;
  scrolls: number;
  days: number;
  /** Days after them in which nothing happens, so that everything comes to an end. */
  epilogue: number;
  /** The share of scrolls that wait for silence; half of the others and more wait for a day. */
  silences: number;
  /** One keeps an embedded database; more share a database, and each has a journal of its own. */
  servers: number;
  /** How often in a year the whole server sleeps, from an hour to 60 days. */
  outages: number;
  /** Whether the server sleeps every night. */
  nights: boolean;
  /** How often one server is killed. */
  kills: number;
  /** The share of the machine's starts at which its calendar is wrong for a while. */
  wrongBoots: number;
  /** How often the calendar is set, forth or back. */
  jumps: number;
  /** Whether the calendar is set by minutes at every step beside that. */
  jitters: boolean;
  /** How often transports refuse everything for some weeks. */
  mailOutages: number;
  /** How often the backup of last month is put back. */
  restores: number;
  /** How often somebody starts a copy elsewhere. */
  copies: number;
  /** The share of pauses that their administrator never confirms. */
  unanswered: number;
  /** Whether a pause that nobody answers may end by itself. */
  resume: Config['switchResume'];
  /** The share of mails that their relay accepts and drops. */
  droppedMails: number;
  /** The share of letters that arrive and are opened by their recipients. */
  openings: number;
  /** How often PUBLIC_URL stops to answer, to everybody or to one server, for an hour to 150 days; 0: no server looks. */
  unreachable: number;
  /** How often a server loses the disk with its journal. */
  lostJournals: number;
  /** How many messages may leave in a day. */
  limits: MessageLimits;
  /** How many mailboxes and telephones all recipients share; 0 gives each scroll its own. */
  mailboxes: number;
}

export const usual: Scenario = {
  seed: 1,
  authors: 12,
  scrolls: 60,
  days: 200,
  epilogue: 40,
  silences: 0.65,
  servers: 2,
  outages: 8,
  nights: false,
  kills: 150,
  wrongBoots: 0.4,
  jumps: 24,
  jitters: false,
  mailOutages: 6,
  restores: 1.5,
  copies: 8,
  unanswered: 0.3,
  resume: 'after-long',
  droppedMails: 0.15,
  openings: 0.3,
  unreachable: 4,
  lostJournals: 2,
  limits: readConfig({}).messageLimits,
  mailboxes: 0,
};

/** More is written to fewer people than the limits let through at once. */
export const crowd: Partial<Scenario> = {
  limits: { perAddress: 1, proofsPerAddress: 1, perAccount: 3, mails: 4, texts: 2 },
  mailboxes: 1,
};

/** A machine that is often off, and begins with a wrong calendar each time. */
export const withoutBattery: Partial<Scenario> = { wrongBoots: 1, outages: 60, scrolls: 80 };

export const scenario = (wanted: Partial<Scenario>): Scenario => ({ ...usual, ...wanted });

/** The real rules, with a tick of an hour: two years of minutes would take an hour to live through. */
export const slowRules: SwitchRules = { ...switchRules, tick: HOUR, dark: 2.5 * HOUR, provedAfter: 2 * HOUR };
