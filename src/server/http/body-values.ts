// How many values a JSON body may hold. Text costs little to parse, values cost a lot: eight megabytes of `[0,0,…]` took
// three seconds and 900 MB, before any schema was asked. They are counted in the text, before it is parsed.
import type * as z from 'zod/mini';

interface Def {
  type: string;
  checks?: { _zod: { def: { check: string; maximum?: number } } }[];
  shape?: Record<string, z.core.$ZodType>;
  element?: z.core.$ZodType;
  innerType?: z.core.$ZodType;
  options?: readonly z.core.$ZodType[];
  in?: z.core.$ZodType;
}

/** The most values that a body of this schema can have: itself, its fields, the elements of its lists, and so on. */
export function mostValues(schema: z.core.$ZodType): number {
  const def = schema._zod.def as Def;
  const inner = def.innerType ?? def.in;
  if (inner) return mostValues(inner);
  if (def.shape) return Object.values(def.shape).reduce((sum, field) => sum + mostValues(field), 1);
  if (def.options) return Math.max(...def.options.map(mostValues));
  if (!def.element) return 1;
  const longest = def.checks?.find(({ _zod }) => _zod.def.check === 'max_length')?._zod.def.maximum;
  // The contract's test sees to it that every list has one.
  return 1 + (longest ?? 0) * mostValues(def.element);
}

/** What a call takes: room for fields that it does not know, which are ignored. */
export const valuesAllowed = (schema: z.core.$ZodType): number => 2 * mostValues(schema) + 100;

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COUNTED = new Set([...',[{'].map((sign) => sign.charCodeAt(0)));

/** Whether a JSON text holds more values than this, whether or not it is valid. It stops as soon as it knows. */
export function holdsMoreThan(text: string, most: number): boolean {
  // Each value but the first follows a comma or opens a list or an object.
  let count = 1;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) {
      at = endOfString(text, at);
      if (at === -1) return false;
    } else if (COUNTED.has(code)) {
      count += 1;
      if (count > most) return true;
    }
  }
  return false;
}

/** Where the string that begins here ends, or -1. */
function endOfString(text: string, start: number): number {
  for (let end = text.indexOf('"', start + 1); end !== -1; end = text.indexOf('"', end + 1)) {
    let escapes = 0;
    while (text.charCodeAt(end - 1 - escapes) === BACKSLASH) escapes += 1;
    if (escapes % 2 === 0) return end;
  }
  return -1;
}
