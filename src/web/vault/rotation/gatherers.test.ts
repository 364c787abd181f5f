// A kind of sealed entry that the list has and this browser does not know how to gather does not compile: it would stay behind when the key is replaced.
import { expect, test } from 'vitest';
import { sealed } from '../../../shared/http/field-classes.ts';
import { kindNames, sealedKinds } from '../../../shared/sealed-kinds.ts';
import { type Gatherers, gatherers } from './gather.ts';

const toyKinds = {
  ...sealedKinds,
  dream: { ...sealedKinds.memory, fields: { encryptedContent: sealed('a dream', 4096) } },
} as const;

test('every kind of the list is gathered, and none that it lacks', () => {
  expect(Object.keys(gatherers).sort()).toEqual(kindNames(sealedKinds).sort());
  const gatheredWith = (all: Gatherers<typeof toyKinds>) => Object.keys(all);
  // @ts-expect-error nobody gathers dreams
  gatheredWith(gatherers);
  expect(gatheredWith({ ...gatherers, dream: async () => ({}) })).toContain('dream');
});
