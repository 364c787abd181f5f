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
import type { Recording, Tampering } from './machine.ts';
import type { Inhabitant } from './world.ts';

/** One lie, and where it is told. */
export interface Told {
  call: string;
  path: string;
  kind: LieKind;
  tampering: Tampering;
  /** What is put where; null where the whole answer is another one. */
  lie: Lie | null;
  /** Whether the contract would take the answer for a true one. */
  wellFormed: boolean;
}

const problem = (code: string, message: string): Json => ({ code, message });
const FAULT = { status: 500, body: problem('internal', 'Something went wrong here. Please try again.') };
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
