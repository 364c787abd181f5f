import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import * as z from 'zod/mini';
import { contractRows } from '../../shared/http/contract.ts';
import { openTestInstance } from '../../testing/instance.ts';
import { signUpByPassphrase } from '../../testing/people.ts';
import { holdsMoreThan, mostValues, valuesAllowed } from './body-values.ts';

/** The same count, of what has been parsed. */
function valuesIn(json: unknown): number {
  if (typeof json !== 'object' || json === null) return 1;
  return Object.values(json).reduce((sum: number, value) => sum + valuesIn(value), 1);
}

describe('the values of a JSON text', () => {
  it('are at least as many as a parser finds, and at most one more for each empty list or object', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.constantFrom(0, 1, 4), (json, spaces) => {
        const text = JSON.stringify(json, null, spaces);
        const values = valuesIn(json);
        if (values > 1) expect(holdsMoreThan(text, values - 1)).toBe(true);
        const empty = text.match(/\[\]|\{\}/g)?.length ?? 0;
        expect(holdsMoreThan(text, values + empty)).toBe(false);
      }),
    );
  });

  it.each([
    ['signs inside a string', '"[{,,,}]"', 1],
    ['an escaped quote', '["\\",,,,"]', 2],
    ['an escaped backslash before a quote', '["\\\\",0]', 3],
    ['a string without an end', '["\\",,,,', 2],
    ['no JSON at all', ',,,', 4],
  ])('are counted past %s', (_, text, values) => {
    expect(holdsMoreThan(text, values)).toBe(false);
    if (values > 1) expect(holdsMoreThan(text, values - 1)).toBe(true);
  });
});

describe('the most values of a schema', () => {
  it('are those of its fullest body', () => {
    const inner = z.object({ a: z.string(), b: z.nullish(z.int()) });
    expect(mostValues(z.string())).toBe(1);
    expect(mostValues(inner)).toBe(3);
    expect(mostValues(z.array(inner).check(z.maxLength(5)))).toBe(16);
    expect(mostValues(z.union([z.string(), inner]))).toBe(3);
    expect(mostValues(z.pipe(inner, z.transform(String)))).toBe(3);
  });
});

describe('a call', () => {
  it('refuses a body with more values than its schema has room for, before it is parsed', async () => {
    const instance = await openTestInstance();
    const person = await signUpByPassphrase(instance);
    for (const { name, row } of contractRows()) {
      // Of a signed body the signature is looked at first (features/import-webhooks has a test).
      // On the payment document's origin there is one call (features/billing has its tests).
      if (!row.body || row.signedBody || row.checkoutOrigin || row.access === 'admin') continue;
      const most = valuesAllowed(row.body);
      instance.clock.advance(5 * 60 * 1000);
      const { request } = row.fresh ? await signUpByPassphrase(instance) : person;
      const send = async (values: number) => {
        const body = `{"a":[${'0,'.repeat(values - 3)}0]`;
        const response = await request(row.method, row.path.replace(/\{\w+\}/g, '1'), { body });
        return { status: response.status, ...((await response.json()) as { code: string }) };
      };
      expect(await send(most + 1), name).toMatchObject({ status: 413, code: 'too-large' });
      expect(await send(most), name).toMatchObject({ status: 400, code: 'bad-request' });
    }
    await instance.close();
  });

  it('takes the fullest staging of a new key', async () => {
    const stage = contractRows().find(({ name }) => name === 'regeneration.stage')?.row;
    const entry = { kind: 'memory', id: 1, version: 1, title: 'a', encryptedContent: 'b', details: null };
    const body = {
      id: 'A'.repeat(22),
      entries: Array(500).fill(entry),
      left: Array(500).fill({ kind: 'memory', id: 1 }),
    };
    expect(z.safeParse(stage?.body as z.ZodMiniType, body).success).toBe(true);
    expect(holdsMoreThan(JSON.stringify(body), valuesAllowed(stage?.body as z.ZodMiniType))).toBe(false);
  });
});
