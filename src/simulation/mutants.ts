// Each rule of the switch, and its source with the rule taken away: the world in which that must show, and the promises
// of which it may break any.
import type { Invariant } from './invariants.ts';
import { crowd, type Scenario } from './scenario.ts';

export interface Mutant {
  rule: string;
  /** From src/ on. */
  file: string;
  find: string;
  replace: string;
  breaks: Invariant[];
  world?: Partial<Scenario>;
}

/** Nothing happens but what a mutant asks for. */
const calm: Partial<Scenario> = {
  epilogue: 2,
  outages: 0,
  kills: 0,
  jumps: 0,
  mailOutages: 0,
  restores: 0,
  copies: 0,
  lostJournals: 0,
  servers: 1,
};
const jumpy: Partial<Scenario> = { ...calm, jumps: 80, kills: 100, days: 400, scrolls: 200, silences: 0.05 };
const deadly: Partial<Scenario> = { ...calm, kills: 1500, servers: 2, days: 90, scrolls: 80 };
const copied: Partial<Scenario> = { ...calm, copies: 150 };
const restored: Partial<Scenario> = { ...calm, restores: 12, scrolls: 120, days: 240, authors: 20 };
const sleepy: Partial<Scenario> = { ...calm, outages: 40, scrolls: 120 };
const crowded: Partial<Scenario> = { ...calm, epilogue: 40, scrolls: 150, silences: 0.3, ...crowd };
const unheard: Partial<Scenario> = { ...calm, mailOutages: 20, scrolls: 100 };

export const mutants: Mutant[] = [
  {
    rule: 'a heartbeat counts for two intervals at most',
    file: 'server/deadman/clock/monitor.ts',
    find: 'Math.min(lived, rules.beatCounts * rules.beat)',
    replace: 'lived * 1.5',
    breaks: ['never ahead'],
    world: calm,
  },
  {
    rule: 'house time is counted by the monotonic clock',
    file: 'server/deadman/clock/monitor.ts',
    find: 'const lived = since === null ? 0 : elapsed() - since;',
    replace: 'const lived = clock.beaten_at === 0 ? 0 : Math.max(0, calendar() - clock.beaten_at);',
    breaks: ['never ahead'],
    world: jumpy,
  },
  {
    rule: 'one server follows a heartbeat',
    file: 'server/deadman/clock/counted-time-store.ts',
    find: ".where('beat_number', '=', after)",
    replace: '',
    breaks: ['never ahead'],
    world: deadly,
  },
  {
    rule: 'after an outage silence releases nothing for a while',
    file: 'server/deadman/clock/monitor.ts',
    find: 'holdFor: outage ? rules.holdAfterOutage : 0',
    replace: 'holdFor: 0',
    breaks: ['held after an outage'],
    world: sleepy,
  },
  {
    rule: 'no hold lasts for ever',
    file: 'server/deadman/watch/silence-store.ts',
    find: ' || clock.house_time >= deadline + rules.holdAtMost',
    replace: '',
    breaks: ['never lost'],
    world: { ...calm, nights: true },
  },
  {
    rule: 'a day that begins in the dark waits',
    file: 'server/deadman/clock/monitor.ts',
    find: 'doubtFor: dark ? rules.holdAfterDarkDate : 0',
    replace: 'doubtFor: 0',
    breaks: ['never before its day'],
    world: jumpy,
  },
  {
    rule: 'a day that begins soon after the dark waits as well, and after a crash',
    file: 'server/deadman/watch/date-store.ts',
    find: 'Math.max(house_time, doubted_until)',
    replace: 'doubted_until - 24 * 3_600_000 === house_time ? doubted_until : house_time',
    breaks: ['never before its day'],
    world: jumpy,
  },
  {
    rule: 'a calendar that is set back takes its word back',
    file: 'server/deadman/watch/date-store.ts',
    find: "eb('due_at', '>', beaten_at)",
    replace: "eb('due_at', '<', 0)",
    breaks: ['never before its day', 'never lost'],
    world: jumpy,
  },
  {
    rule: 'a restored database pauses',
    file: 'server/deadman/clock/monitor.ts',
    find: 'return copied || isBehind(clock) || isAhead(clock) ?',
    replace: 'return copied || isAhead(clock) ?',
    breaks: ['never while paused'],
    world: restored,
  },
  {
    rule: 'after a restore every silence begins anew',
    file: 'server/deadman/clock/counted-time-store.ts',
    find: 'await beginSilencesAnew(tx);',
    replace: '',
    breaks: ['never early', 'never warned too soon', 'warned first'],
    world: restored,
  },
  {
    rule: 'a database that has lived elsewhere pauses',
    file: 'server/deadman/clock/monitor.ts',
    find: 'return copied || isBehind(clock) || isAhead(clock) ?',
    replace: 'return copied || isBehind(clock) ?',
    breaks: ['a copy is silent'],
    world: copied,
  },
  {
    rule: 'an empty database begins beyond the one that it takes the place of',
    file: 'server/deadman/clock/monitor.ts',
    find: 'kept?.instance === instance ? kept.epoch + 1 : 0',
    replace: '0',
    breaks: ['a copy is silent'],
    world: copied,
  },
  {
    rule: 'a scroll is looked at no later than its deadline',
    file: 'server/deadman/watch/silence-store.ts',
    find: 'return deadlineOf(scroll, life) - ahead;',
    replace: 'return deadlineOf(scroll, life) + rules.graceAfterWarning;',
    breaks: ['never lost'],
    world: calm,
  },
  {
    rule: 'a database of another key pauses',
    file: 'server/deadman/clock/monitor.ts',
    find: "if (clock.instance !== instance) return 'another-key';",
    replace: 'if (clock.instance !== instance) return null;',
    breaks: ['a copy is silent'],
    world: copied,
  },
  {
    rule: 'a database without its journal pauses',
    file: 'server/deadman/clock/monitor.ts',
    find: "if (kept === null || kept.instance !== instance) return 'journal-missing';",
    replace: 'if (kept === null || kept.instance !== instance) return null;',
    breaks: ['a copy is silent'],
    world: copied,
  },
  {
    rule: 'a journal knows its own file',
    file: 'server/deadman/clock/journal.ts',
    find: 'copied: isCopied(entry)',
    replace: 'copied: false',
    breaks: ['a copy is silent'],
    world: copied,
  },
  {
    rule: 'only a watching scroll is released',
    file: 'server/deadman/watch/release-store.ts',
    find: ".where('state', '=', 'watching')\n    .where(guard)",
    replace: '.where(guard)',
    breaks: ['never twice', 'nothing fails'],
    world: { ...calm, silences: 0.05, scrolls: 150 },
  },
  {
    rule: 'what was decided without the life is decided anew with it',
    file: 'server/deadman/watch/silence-store.ts',
    find: 'if (!isRipe(held.scroll, held.life, clock, deps.rules)) return false;',
    replace: '',
    breaks: ['life wins', 'never early'],
    world: { ...calm, authors: 40, scrolls: 300 },
  },
  {
    rule: 'a life is proved for all the time that the next heartbeat may count',
    file: 'server/deadman/watch/last-activity-store.ts',
    find: "q('house_time', '+', rules.beat * rules.beatCounts)",
    replace: "q('house_time', '+', 0)",
    breaks: ['never early', 'never warned too soon'],
    world: { ...calm, servers: 1 },
  },
  {
    rule: 'a sign of life ends the warnings of a silence',
    file: 'server/deadman/watch/last-activity-store.ts',
    find: '.set({ warned_rung: 0, warning_accepted: null })',
    replace: '.set({ warned_rung: 0 })',
    breaks: ['warned first'],
    world: { ...calm, scrolls: 150, days: 300 },
  },
  {
    rule: 'a sign of life begins the silence anew',
    file: 'server/deadman/watch/last-activity-store.ts',
    find: 'then lives.house_time else excluded.house_time end',
    replace: 'then lives.house_time else lives.house_time end',
    breaks: ['never early', 'never warned too soon', 'life wins'],
    world: calm,
  },
  {
    rule: 'an accepted warning gives a day',
    file: 'shared/nouns/switch.ts',
    find: 'Math.max(deadline, accepted + rules.graceAfterWarning)',
    replace: 'deadline',
    breaks: ['warned first'],
    world: unheard,
  },
  {
    rule: 'without an accepted warning a scroll is held',
    file: 'shared/nouns/switch.ts',
    find: 'deadline + rules.holdAtMost',
    replace: 'deadline',
    breaks: ['warned first'],
    world: unheard,
  },
  {
    rule: 'only what was accepted counts as a warning',
    file: 'server/deadman/delivery/deliver.ts',
    find: "if (outcome === 'accepted') return",
    replace: "if (outcome === 'accepted' || message.kind === 'warning') return",
    breaks: ['warned first'],
    world: unheard,
  },
  {
    rule: 'no warning before half of the period',
    file: 'shared/nouns/switch.ts',
    find: 'warnings.filter((before) => before <= period / 2)',
    replace: 'warnings.filter((before) => before < period)',
    breaks: ['never warned too soon'],
    world: calm,
  },
  {
    rule: 'a lease ends',
    file: 'server/jobs/queue-store.ts',
    find: "eb('due.lease_until', '<=', time)",
    replace: "eb('due.lease_until', '<', 0)",
    breaks: ['always told'],
    world: deadly,
  },
  {
    rule: 'a job is finished after its message was recorded',
    file: 'server/deadman/delivery/deliver.ts',
    find: "if (outcome === 'accepted') return",
    replace: "if (outcome === 'accepted') await ackJob(db, job);\n  if (outcome === 'accepted') return",
    breaks: ['always told'],
    world: deadly,
  },
  {
    rule: 'a job is taken by one server',
    file: 'server/jobs/queue-store.ts',
    find: 'lease_until: time + LEASE_LASTS',
    replace: 'lease_until: time',
    breaks: ['one repeat for one crash'],
    world: deadly,
  },
  {
    rule: 'a release has the same number in every history',
    file: 'server/deadman/watch/release-store.ts',
    find: "digests.keyed('release', publicId)",
    replace: "digests.keyed('release', publicId + Math.random())",
    breaks: ['one number'],
    world: restored,
  },
  {
    rule: 'nothing is delivered while the switch is paused',
    file: 'server/deadman/engine.ts',
    find: 'isMine && heart.trusts(clock) ?',
    replace: 'isMine ?',
    breaks: ['never while paused', 'a copy is silent'],
    world: copied,
  },
  {
    rule: 'a release and its message are one',
    file: 'server/deadman/delivery/message-store.ts',
    find: 'await enqueue(tx, DELIVER, publicId, houseTime);',
    replace: "if (message.kind === 'warning') await enqueue(tx, DELIVER, publicId, houseTime);",
    breaks: ['always told'],
    world: calm,
  },
  {
    rule: 'a mailbox gets so many releases in a day',
    file: 'server/deadman/delivery/slot-store.ts',
    find: '{taken(key, time)} < ',
    replace: '{asNumber(sql.val(0))} < ',
    breaks: ['never flooded'],
    world: crowded,
  },
  {
    rule: 'a slot is taken for a day',
    file: 'server/deadman/delivery/slot-store.ts',
    find: '{time - DAY}',
    replace: '{time - HOUR}',
    breaks: ['never flooded'],
    world: crowded,
  },
  {
    rule: 'a free slot wakes whose turn it is',
    file: 'server/deadman/delivery/admission-store.ts',
    find: 'await enqueue(tx, DELIVER, next.public_id, time);',
    replace: '',
    breaks: ['always told'],
    world: { ...crowded, epilogue: 20 },
  },
];
