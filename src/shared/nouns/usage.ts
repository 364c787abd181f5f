// How much an account stores and how much it may: the call, and how both are said to a person.
import * as z from 'zod/mini';
import { call } from '../http/call.ts';
import { clear } from '../http/field-classes.ts';

const size = z.int().check(z.minimum(0));

export const usageSchema = z.object({
  bytes: clear('how many bytes you store', size),
  bytesMax: clear('how many bytes you may store', size),
  rows: clear('how many rows you store', size),
  rowsMax: clear('how many rows you may store', size),
});
export type Usage = z.output<typeof usageSchema>;

export const usage = {
  get: call({ method: 'GET', path: '/api/usage', access: 'signed-in', reply: usageSchema }),
};

const UNITS = ['KB', 'MB', 'GB', 'TB'] as const;
const STEP = 1024;

/** Bytes as a person reads them: `812 bytes`, `4.2 MB`, `1.0 GB`. A unit is 1,024 of the one before. */
export function formatBytes(bytes: number): string {
  if (bytes < STEP) return `${bytes} ${bytes === 1 ? 'byte' : 'bytes'}`;
  let value = bytes / STEP;
  let unit = 0;
  // What would be rounded up to 1,024 is one of the next unit.
  while (value >= STEP - 0.05 && unit < UNITS.length - 1) {
    value /= STEP;
    unit += 1;
  }
  return `${value.toFixed(1)} ${UNITS[unit]}`;
}
