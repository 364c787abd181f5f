// Every field of every row is sealed, bound into the seal, or has a reason why not; and facts are the same text whoever
// writes it.

import { describe, expect, test } from 'vitest';
import { sealedRows } from './nouns/sealed-rows.ts';
import {
  type BoundFacts,
  boundNames,
  boundRecipient,
  boundTexts,
  changedFacts,
  factsFromTexts,
} from './sealed-facts.ts';
import { fieldNames, kindNames, sealedKinds } from './sealed-kinds.ts';
import { unboundFacts } from './unbound-facts.ts';

test.each(kindNames(sealedKinds))('every field of a %s is sealed, bound, or says why not', (kind) => {
  const named = [...fieldNames(sealedKinds[kind]), ...boundNames(kind), ...Object.keys(unboundFacts[kind])];
  expect(named.sort()).toEqual(Object.keys(sealedRows[kind].shape).sort());
});

test.each(kindNames(sealedKinds))(
  'what its owner edits binds the version of a %s, and nothing else has one',
  (kind) => {
    expect(boundNames(kind).includes('version')).toBe(sealedKinds[kind].versioned);
  },
);

describe('facts as texts', () => {
  const scroll: BoundFacts<'legacy-scroll'> = {
    ...{ version: 4, triggerType: 'inactivity', triggerValue: '30', timeZone: 'Europe/Vienna' },
    authorName: null,
    recipients: [
      boundRecipient(
        { recipientType: 'email', recipientAddress: 'mira@mail.example', tell: 'at-release', publicId: 'P' },
        { kind: 'card', cardNumber: 'N', claimHash: 'H', wrappedKey: 'W' },
      ),
    ],
  };

  test('are empty for null, and come back as they were', () => {
    expect(boundTexts('ghost', { maxReads: null, expiresAt: 'x' })).toEqual(['', 'x']);
    expect(boundTexts('sacred-key', { entryType: 'myth', expiresAt: 'x', hasPassphrase: false })).toEqual([
      ...['myth', 'x', 'false'],
    ]);
    const texts = boundTexts('legacy-scroll', scroll);
    expect(texts.at(-1)).toBe('[["email","mira@mail.example","at-release","card","N","P"]]');
    expect(factsFromTexts('legacy-scroll', texts)).toEqual(scroll);
    expect(factsFromTexts('ghost', ['3', 'x'])).toEqual({ maxReads: 3, expiresAt: 'x' });
    expect(factsFromTexts('memory', ['2', ''])).toEqual({ version: 2, timeLockUntil: null });
  });

  test('that differ are named with both texts', () => {
    expect(changedFacts('memory', { version: 3, timeLockUntil: null }, ['2', ''])).toEqual([
      { fact: 'version', sealed: '2', shown: '3' },
    ]);
    expect(changedFacts('legacy-scroll', scroll, boundTexts('legacy-scroll', scroll))).toEqual([]);
  });

  test('a recipient keeps the key that they have, and a new one has none until it is given', () => {
    const reached = { recipientType: 'email', recipientAddress: 'a@mail.example' } as const;
    const to = { ...reached, tell: 'if-unopened', publicId: 'P' } as const;
    expect(boundRecipient(to, null)).toMatchObject({ access: 'none', cardNumber: null });
    const before = { access: 'card', cardNumber: 'N' } as const;
    expect(boundRecipient(to, null, before)).toMatchObject(before);
    const stretching = { salt: 's', memory: 8, iterations: 1, parallelism: 1 };
    const given = { kind: 'passphrase', claimHash: 'H', wrappedKey: 'W', stretching } as const;
    expect(boundRecipient(to, given, before)).toMatchObject({ access: 'passphrase', cardNumber: null });
  });
});
