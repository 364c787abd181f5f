import { describe, expect, it } from 'vitest';
import { contractRows } from './contract.ts';
import { openPlaces } from './testing/openness.ts';

const rows = contractRows().map(({ name, row }) => [name, row] as const);

describe('every schema of the contract', () => {
  it.each(rows)('is closed and bounded for what %s takes', (_, { body, query }) => {
    expect([body, query].flatMap((schema) => (schema ? openPlaces(schema, 'incoming') : []))).toEqual([]);
  });

  it.each(rows)('is closed for what %s answers', (_, { reply }) => {
    expect(reply ? openPlaces(reply, 'outgoing') : []).toEqual([]);
  });
});
