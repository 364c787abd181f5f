// Finds the places where a schema takes more than its own description says: any and unknown, loose objects, records,
// text and lists without an end. For tests; the parser itself never asks.
import type * as z from 'zod/mini';

/**
 * - `incoming`: what anybody may send. Every string has a greatest length, and so has every list.
 * - `outgoing`: what the server itself answers. Its sizes follow from rows that were bounded when they came in, so only
 *   its shape has to be closed.
 */
export type Direction = 'incoming' | 'outgoing';

interface Def {
  type: string;
  checks?: { _zod: { def: { check: string; maximum?: number } } }[];
  catchall?: z.core.$ZodType;
  shape?: Record<string, z.core.$ZodType>;
  element?: z.core.$ZodType;
  innerType?: z.core.$ZodType;
  options?: readonly z.core.$ZodType[];
  in?: z.core.$ZodType;
  out?: z.core.$ZodType;
}

/** They can hold nothing but what their own definition names. Numbers are as long as their digits. */
const CLOSED = new Set(['boolean', 'enum', 'literal', 'never', 'null', 'number', 'undefined']);
const WRAPPERS = new Set(['default', 'nullable', 'optional', 'readonly']);

/** @returns one sentence for each open place, with its dotted path; none for a closed schema */
export function openPlaces(schema: z.core.$ZodType, direction: Direction, path = ''): string[] {
  const def = schema._zod.def as Def;
  const at = path || '(the whole)';
  const below = (child: z.core.$ZodType, name: string) => openPlaces(child, direction, path + name);
  const isBounded = direction === 'outgoing' || hasMaximum(def);

  if (CLOSED.has(def.type)) return [];
  if (WRAPPERS.has(def.type) && def.innerType) return below(def.innerType, '');
  switch (def.type) {
    case 'string':
      return isBounded ? [] : [`${at}: a string without a greatest length`];
    case 'array':
      return [
        ...(isBounded ? [] : [`${at}: a list without a greatest length`]),
        ...(def.element ? below(def.element, '[]') : []),
      ];
    case 'object': {
      // A catchall of `never` is a strict object; any other takes fields that nobody described.
      const catchall = def.catchall?._zod.def as Def | undefined;
      return [
        ...(catchall && catchall.type !== 'never' ? [`${at}: an object that keeps unknown fields`] : []),
        ...Object.entries(def.shape ?? {}).flatMap(([name, child]) => below(child, path ? `.${name}` : name)),
      ];
    }
    case 'union':
      return (def.options ?? []).flatMap((option) => below(option, ''));
    case 'pipe':
      return [...(def.in ? below(def.in, '') : []), ...(def.out ? belowTransform(def.out) : [])];
    default:
      return [`${at}: a schema of the kind ${def.type}`];
  }

  /** What follows a closed schema may change its value; on its own it would take anything. */
  function belowTransform(out: z.core.$ZodType): string[] {
    const next = out._zod.def as Def;
    if (next.type === 'transform') return [];
    if (next.type === 'pipe' && next.in && next.out) {
      return [...belowTransform(next.in), ...belowTransform(next.out)];
    }
    return below(out, '');
  }
}

function hasMaximum({ checks = [] }: Def): boolean {
  return checks.some(({ _zod: { def } }) => def.check === 'max_length' || def.check === 'length_equals');
}
