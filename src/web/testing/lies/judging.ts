// What a browser did with a lie, found out from two runs alone: one that heard the truth, and one that heard the lie. In
// doubt the lie was believed.

import type { Observation, Piece } from './observing.ts';
import { BOOK_FINDINGS, CHANGED_ENTRY, COMPANIONS, FILE_FINDING, FINDINGS, REFUSALS } from './said.ts';

/**
 * - `harmless`: nothing that a person sees, and nothing that the browser does, is different.
 * - `refused`: something is not shown or not done, an error says so, and nothing else is said or done instead.
 * - `noticed`: as `refused`, but a finding at the entry itself says so, and the rest goes on; or a finding of the book says
 *   so of the whole page.
 * - `believed`: everything else. Something that only the lie says is shown, or done, or something is gone and nothing
 *   says so.
 */
export type Verdict = 'harmless' | 'refused' | 'noticed' | 'believed';

/** The worst first. */
const SEVERITY: readonly Verdict[] = ['believed', 'noticed', 'refused', 'harmless'];

export const worst = (verdicts: readonly Verdict[]): Verdict =>
  SEVERITY.find((verdict) => verdicts.includes(verdict)) ?? 'harmless';

/** What the second list has more of than the first. */
function added<T>(before: readonly T[], after: readonly T[], keyOf: (one: T) => string): T[] {
  const left = new Map<string, number>();
  for (const one of before) left.set(keyOf(one), (left.get(keyOf(one)) ?? 0) + 1);
  return after.filter((one) => {
    const count = left.get(keyOf(one)) ?? 0;
    left.set(keyOf(one), count - 1);
    return count <= 0;
  });
}

const textOf = ({ says }: Piece) => says;
const isSaid = (list: readonly RegExp[], text: string) => list.some((phrase) => phrase.test(text));

/** Where a text stands once more than with the truth, the one in a row that is said to be wrong is the one too many. */
const excusedLast = (pieces: readonly Piece[]) => [
  ...pieces.filter(({ alert }) => alert === null),
  ...pieces.filter(({ alert }) => alert !== null),
];

/** Whether an error says it: within an alert all of whose words are those of a refusal. */
const refuses = ({ alert }: Piece) => alert !== null && isSaid(REFUSALS, alert);
const finds = ({ says, alert }: Piece) =>
  isSaid(FINDINGS, says) || (alert !== null && (isSaid(FINDINGS, alert) || CHANGED_ENTRY.test(alert)));
const findsInBook = ({ says }: Piece) => isSaid(BOOK_FINDINGS, says);
/** Words that claim nothing, such as those of a button that tries again. */
const isCompanion = ({ says }: Piece) => isSaid(COMPANIONS, says);

const sentencesOf = ({ says }: Piece) => says.split(/(?<=[.!?]) /);
/** Whether it says nothing that is not said with the truth: a paragraph that has lost a sentence. */
const repeatsInPart = (honestly: readonly Piece[], piece: Piece) => {
  const said = new Set(honestly.flatMap(sentencesOf));
  const has = new Set(honestly.map(textOf));
  return !has.has(piece.says) && sentencesOf(piece).every((sentence) => said.has(sentence));
};

/** Whether what both say exactly once stands in the same order in both. What is said twice could be either. */
function sameOrder(before: readonly Piece[], after: readonly Piece[]): boolean {
  const once = (pieces: readonly Piece[]) => {
    const counts = new Map<string, number>();
    for (const { says } of pieces) counts.set(says, (counts.get(says) ?? 0) + 1);
    return pieces.map(textOf).filter((says) => counts.get(says) === 1);
  };
  const [one, other] = [once(before), once(after)];
  const common = new Set(one.filter((says) => other.includes(says)));
  const order = (texts: readonly string[]) => texts.filter((says) => common.has(says)).join('\n');
  return order(one) === order(other);
}

/** Noting in the account what was found is nothing that a lie has a browser do. */
const isReport = (call: string) => call.startsWith('POST /api/book/findings ');

const isSlot = (kept: string) => /^latebra\.\S+ = /.test(kept);

/**
 * Whether an act removes what the same journey goes on to make, where it is told the truth, or tries the same change once more
 * with another entry of the book.
 */
function withdraws(act: string, honestly: readonly string[]): boolean {
  const [, again] = /^sends (\S+ \S+ with entry )/.exec(act) ?? [];
  if (again !== undefined && honestly.some((call) => call.startsWith(again))) return true;
  if (honestly.includes(act.replace(/^sends /, ''))) return true;
  const [, path] = /^sends DELETE (\S+)( |$)/.exec(act) ?? [];
  return path !== undefined && honestly.some((call) => call.startsWith(`PUT ${path}/`));
}

export interface Judgement {
  verdict: Verdict;
  /** What decided it, for whoever reads the report. */
  because: string[];
}

export function judge(honest: Observation, lied: Observation): Judgement {
  // To read something more is no act: what it brings is seen on the page.
  const writes = ({ sent }: Observation) =>
    sent.filter((call) => !call.startsWith('GET ') && !isReport(call));
  const seen = (one: Observation) => JSON.stringify([one.stages, writes(one), one.kept]);
  if (seen(honest) === seen(lied)) return { verdict: 'harmless', because: [] };
  const same = (text: string) => text;
  // A file that says so itself of what it has claims nothing.
  const fileFinding = added(honest.kept, lied.kept, same).find((line) => FILE_FINDING.test(line));
  const isExcused = (line: string) => fileFinding !== undefined && !isSlot(line);
  const acts = [
    ...added(honest.sent, writes(lied), same).map((call) => `sends ${call}`),
    // A change that does not come about leaves what stood there before it.
    ...added([...honest.kept, ...honest.keptMeanwhile], lied.kept, same)
      .filter((line) => !isExcused(line))
      .map((slot) => `keeps ${slot}`),
  ];
  const stages = lied.stages.map((after, i) => {
    const [honestly, before] = [honest.stages[i] ?? [], lied.stages[i - 1] ?? []];
    const onlyLied = added(honestly, excusedLast(after), textOf);
    return {
      // What stood there before the step was judged then: a form that could not be sent stays open.
      news: added(before, onlyLied, textOf).filter((piece) => !repeatsInPart(honestly, piece)),
      // A page that did not go on is in the order that it had before.
      isMoved: !sameOrder(honestly, after) && (i === 0 || !sameOrder(honest.stages[i - 1] ?? [], after)),
      /** What it says of a list is said to be wrong as long as this stands there. */
      found: onlyLied.find(findsInBook),
    };
  });
  const open = stages.filter(({ found }) => !found);
  const news = stages.flatMap((stage) => stage.news);
  const shown = open
    .flatMap((stage) => stage.news)
    .filter((piece) => !refuses(piece) && !finds(piece) && !isCompanion(piece))
    .map(({ says }) => `shows ${says}`);
  const isMoved = open.some((stage) => stage.isMoved);
  const refusal = news.find(refuses);
  const finding = stages.find(({ found }) => found)?.found ?? news.find(finds);
  // What could not be finished is taken back or tried again, where the page says that it is not done, and nothing else is.
  const isWithdrawn = (act: string) =>
    (refusal !== undefined || finding !== undefined) && withdraws(act, honest.sent);
  const because = [
    ...acts.filter((act) => !isWithdrawn(act)),
    ...shown,
    ...(isMoved ? ['shows things in another order'] : []),
  ];
  if (because.length > 0) return { verdict: 'believed', because };
  if (refusal) return { verdict: 'refused', because: [refusal.alert ?? ''] };
  if (finding) return { verdict: 'noticed', because: [finding.says] };
  if (fileFinding) return { verdict: 'noticed', because: [fileFinding] };
  const isGone = honest.stages.flatMap((stage, i) => added(lied.stages[i] ?? [], stage, textOf));
  const unsent = added(lied.sent, writes(honest), same);
  return {
    verdict: 'believed',
    because: [
      ...isGone.map(({ says }) => `leaves out ${says}`),
      ...unsent.map((call) => `does not send ${call}`),
      ...added(lied.kept, honest.kept, same).map((slot) => `does not keep ${slot}`),
    ],
  };
}
