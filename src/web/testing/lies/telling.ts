// Every lie that can be told about the answers of a journey, made from what was answered and from the contract.
import * as z from 'zod/mini';
import { rowNamed, schemasIn } from './fields.ts';
import {
  type Json,
  type Lie,
  type LieKind,
  lieKinds,
  lieOf,
  type Others,
  pathsIn,
  withLie,
} from './kinds.ts';
import type { Journey, Recording, Tampering } from './machine.ts';
import type { Inhabitant } from './world.ts';

/** One lie, and where it is told. */
export interface Told {
  call: string;
  path: string;
  kind: LieKind;
  tampering: Tampering;
  /** Both, where two are told at once. */
  tamperings?: readonly Tampering[];
  /** What is put where; null where the whole answer is another one. */
  lie: Lie | null;
  /** Whether the contract would take the answer for a true one. */
  wellFormed: boolean;
}

const problem = (code: string, message: string): Json => ({ code, message });
const FAULT = { status: 500, body: problem('internal', 'Something went wrong here. Please try again.') };
/** Whole answers that say nothing which the contract knows, whatever the call. */
const OTHERS: readonly [LieKind, Tampering['change']][] = [
  ['no-json', () => ({ status: 200, text: '<!doctype html><title>Welcome</title><p>Please pay first.' })],
  ['empty', () => ({ status: 204, text: '' })],
  ['silence', () => 'silence'],
  ['signed-out', () => ({ status: 401, body: problem('not-signed-in', 'You are not signed in.') })],
  ['unproved', () => ({ status: 403, body: problem('proof-needed', 'Prove once more that it is you.') })],
];
const DENIAL = { status: 404, body: problem('not-found', 'There is nothing here.') };

/** What the same call, or the list of the same noun, answered earlier. */
function olderOf(call: string, truth: Json, { past }: Inhabitant): Json | undefined {
  const whole = past.get(call);
  if (whole !== undefined) return whole;
  const list = past.get(`${call.split('.')[0]}.list`);
  const id = typeof truth === 'object' && truth !== null && !Array.isArray(truth) ? truth.id : undefined;
  if (!Array.isArray(list) || id === undefined) return undefined;
  return list.find((row) => typeof row === 'object' && row !== null && !Array.isArray(row) && row.id === id);
}

const isTaken = (schema: z.core.$ZodType | undefined, body: Json): boolean =>
  schema === undefined || z.safeParse(schema, body).success;

const whole = (call: string, status: number, body: Json): Tampering => ({
  call,
  change: () => ({ status, body }),
});

/**
 * The lies about one call of a journey, path by path, and the worst kinds first.
 * @param others the same journey as the other vault has gone it, and what else was answered for the same call
 */
export function liesAbout(
  recording: Recording,
  call: string,
  of: Inhabitant,
  others: { sameJourney: Recording; answered: Json | undefined },
): Told[] {
  const truth = recording.truths.get(call);
  if (!truth) throw new Error(`${recording.journey.name} asks for no ${call}`);
  const { reply } = rowNamed(call);
  const { status, body } = truth;
  const told: Told[] = [
    {
      call,
      path: '',
      kind: 'fault',
      tampering: whole(call, FAULT.status, FAULT.body),
      lie: null,
      wellFormed: true,
    },
    {
      call,
      path: '',
      kind: 'denial',
      tampering: whole(call, DENIAL.status, DENIAL.body),
      lie: null,
      wellFormed: true,
    },
    ...OTHERS.map(
      ([kind, change]): Told => ({
        ...{ call, path: '', kind, tampering: { call, change }, lie: null, wellFormed: true },
      }),
    ),
  ];
  if (status >= 400) {
    const { answered } = others;
    if (answered !== undefined)
      told.push({
        call,
        path: '',
        kind: 'answer',
        tampering: whole(call, 200, answered),
        lie: null,
        wellFormed: isTaken(reply, answered),
      });
    return told;
  }
  const schemas = reply ? schemasIn(reply) : new Map<string, z.core.$ZodType>();
  const known: Others = {
    older: olderOf(call, body, of),
    anotherAccount: others.sameJourney.truths.get(call)?.body,
  };
  for (const path of pathsIn(body)) {
    const said: string[] = [];
    for (const kind of lieKinds) {
      const lie = lieOf(kind, body, path, known, schemas.get(path) ?? null);
      if (!lie) continue;
      const lied = withLie(body, lie);
      // Two kinds that come to the same are one lie.
      const text = JSON.stringify(lied);
      if (said.includes(text)) continue;
      said.push(text);
      told.push({
        call,
        path,
        kind,
        lie,
        tampering: { call, change: (answer, now) => ({ body: withLie(answer, lie), status: now }) },
        wellFormed: isTaken(reply, lied),
      });
    }
  }
  return told;
}

/** How many pairs of a journey are told. */
const PAIRS = 4;

/** A number between 0 and 1 that is always the same for a text (FNV-1a). */
export function chanceOf(text: string): number {
  let hash = 0x811c9dc5;
  for (let i = 0; i < text.length; i += 1) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193) >>> 0;
  return hash / 2 ** 32;
}

const placeOf = ({ call, path }: Told) => `${call} ${path}`;

/**
 * Pairs of lies, each of two places, drawn by their names: the same ones each time.
 * @param lies of one journey, none of which is believed alone
 */
export function pairsOf(journey: string, lies: readonly Told[]): Told[] {
  const drawn = lies
    .filter(({ wellFormed, kind }) => wellFormed && kind !== 'silence')
    .toSorted(
      (a, b) =>
        chanceOf(`${journey} ${placeOf(a)} ${a.kind}`) - chanceOf(`${journey} ${placeOf(b)} ${b.kind}`),
    );
  const pairs: Told[] = [];
  while (pairs.length < PAIRS) {
    const one = drawn.shift();
    if (!one) break;
    const at = drawn.findIndex((other) => !isWithin(other, one));
    const [other] = at < 0 ? [] : drawn.splice(at, 1);
    if (other) pairs.push(together(one, other));
  }
  return pairs;
}

/** Whether one place is the other, or holds it. */
const isWithin = (a: Told, b: Told) =>
  a.call === b.call && (a.path === b.path || a.path.startsWith(b.path) || b.path.startsWith(a.path));

/** Those of a journey that are always told at once. @throws where it has no such lie */
export const groupsOf = ({ name, together: groups = [] }: Journey, lies: readonly Told[]): Told[] =>
  groups.map((group) => {
    const found = group.map(([call, path, kind]) => {
      const lie = lies.find((one) => one.call === call && one.path === path && one.kind === kind);
      if (!lie) throw new Error(`${name} has no lie ${call} ${path} ${kind}`);
      return lie;
    });
    return together(...(found as [Told, ...Told[]]));
  });

/** Two lies as one, or more. */
export const together = (one: Told, ...others: readonly Told[]): Told => ({
  call: one.call,
  path: [
    `${one.path || 'all'} (${one.kind})`,
    ...others.map(({ call, path, kind }) => `and of ${call} ${path || 'all'} (${kind})`),
  ].join(', '),
  kind: 'two',
  tampering: one.tampering,
  tamperings: [one, ...others].map(({ tampering }) => tampering),
  lie: null,
  wellFormed: true,
});
