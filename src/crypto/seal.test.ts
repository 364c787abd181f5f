import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { fromBase64, fromHex, toBase64 } from './base64.ts';
import { lengthPrefixed } from './encoding.ts';
import { OpenError, SealError } from './errors.ts';
import {
  boundBytes,
  ChangedFactsError,
  newSealId,
  open,
  openBound,
  openMany,
  openWithFacts,
  type SealFacts,
  seal,
} from './seal.ts';
import { anyText } from './testing/any-text.ts';
import { openAs, openWithFieldsAs, sealAs } from './testing/reference.ts';
import { deriveContentKey, generateVaultKey } from './vault-key.ts';
import vectors from './vectors/seal.json';
import factVectors from './vectors/seal-facts.json';

const vaultKey = fromHex('000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f');
const key = await deriveContentKey(vaultKey);
const context = { kind: 'memory', field: 'content', sealId: newSealId() };
const text = anyText(700);
const facts: SealFacts = {
  bound: ['3', '2027-05-03T00:00:00.000Z'],
  createdAt: '2026-01-13T09:30:00.000Z',
  updatedAt: '2026-11-23T18:05:12.345Z',
};

test.each(vectors)('frozen vector %# opens', async (vector) => {
  const contentKey = await deriveContentKey(fromHex(vector.key));
  expect(await open(vector.sealed, contentKey, vector.context)).toBe(vector.text);
});

test('a seal number is 16 random bytes in 22 characters', () => {
  expect(newSealId()).toMatch(/^[A-Za-z0-9_-]{22}$/);
  expect(newSealId()).not.toBe(newSealId());
});

test('any text comes back', async () => {
  await fc.assert(
    fc.asyncProperty(text, async (value) => {
      expect(await open(await seal(value, key, context), key, context)).toBe(value);
    }),
  );
});

test('a second implementation opens what is sealed here', async () => {
  await fc.assert(
    fc.asyncProperty(text, async (value) => {
      expect(openAs(await seal(value, key, context), vaultKey, context)).toBe(value);
    }),
    { numRuns: 50 },
  );
});

test('what a second implementation seals opens here', async () => {
  const iv = fc.uint8Array({ minLength: 12, maxLength: 12 });
  await fc.assert(
    fc.asyncProperty(text, iv, async (value, nonce) => {
      expect(await open(sealAs(value, vaultKey, context, nonce), key, context)).toBe(value);
    }),
    { numRuns: 50 },
  );
});

test('sealing twice gives different bytes', async () => {
  expect(await seal('same', key, context)).not.toBe(await seal('same', key, context));
});

test('a lone surrogate is sealed as the replacement character', async () => {
  expect(await open(await seal('a\ud83d', key, context), key, context)).toBe('a\ufffd');
});

test.each([
  [0, 1],
  [1, 1],
  [251, 1],
  [252, 2],
  [507, 2],
  [508, 3],
])('a text of %i bytes takes %i blocks of 256', async (length, blocks) => {
  const sealed = fromBase64(await seal('x'.repeat(length), key, context));
  expect(sealed).toHaveLength(12 + 256 * blocks + 16);
});

test('no byte can be changed, and no length', async () => {
  const sealed = await seal('What nobody may read.', key, context);
  const bytes = fromBase64(sealed);
  for (let i = 0; i < bytes.length; i++) {
    const changed = bytes.map((byte, at) => (at === i ? byte ^ 1 : byte));
    await expect(open(toBase64(changed), key, context)).rejects.toThrow(OpenError);
  }
  for (const length of [0, 1, 11, 12, 27, 28, bytes.length - 1]) {
    await expect(open(toBase64(bytes.subarray(0, length)), key, context)).rejects.toThrow(OpenError);
  }
  await expect(open(toBase64(new Uint8Array([...bytes, 0])), key, context)).rejects.toThrow(OpenError);
});

test('no character of the base64 can be changed', async () => {
  const sealed = await seal('What nobody may read.', key, context);
  for (let i = 0; i < sealed.length; i++) {
    const changed = sealed.slice(0, i) + (sealed[i] === 'A' ? 'B' : 'A') + sealed.slice(i + 1);
    await expect(open(changed, key, context)).rejects.toThrow(OpenError);
  }
  for (const changed of [` ${sealed}`, `${sealed}\n`, `${sealed}====`, sealed.slice(0, -1)]) {
    await expect(open(changed, key, context)).rejects.toThrow(OpenError);
  }
});

test.each([
  ['kind', { ...context, kind: 'ghost' }],
  ['field', { ...context, field: 'title' }],
  ['sealId', { ...context, sealId: newSealId() }],
  ['seam between kind and field', { ...context, kind: 'memoryc', field: 'ontent' }],
])('another %s does not open it', async (_, other) => {
  await expect(open(await seal('text', key, context), key, other)).rejects.toThrow(OpenError);
});

test('another key does not open it', async () => {
  const other = await deriveContentKey(generateVaultKey());
  await expect(open(await seal('text', key, context), other, context)).rejects.toThrow(OpenError);
});

test('bytes that another implementation padded wrongly do not open', async () => {
  const sealRaw = async (plaintext: Uint8Array<ArrayBuffer>) => {
    const iv = new Uint8Array(12);
    const additionalData = lengthPrefixed('latebra/v2/seal', context.kind, context.field, context.sealId);
    const ciphertext = await crypto.subtle.encrypt({ name: 'AES-GCM', iv, additionalData }, key, plaintext);
    return toBase64(new Uint8Array([...iv, ...new Uint8Array(ciphertext)]));
  };
  const block = (length: number, marker: number, at: number, rest = 0) =>
    new Uint8Array(length)
      .fill(0x61, 4, Math.max(4, at))
      .fill(marker, at, at + 1)
      .fill(rest, at + 1);
  expect(await open(await sealRaw(block(256, 0x80, 7)), key, context)).toBe('aaa');
  const wrong = [
    new Uint8Array(0),
    new Uint8Array(256),
    block(255, 0x80, 7),
    block(512, 0x80, 255),
    block(256, 0x81, 7),
    block(256, 0x80, 7, 1),
    block(256, 0x80, 2), // no length
    new Uint8Array(256).fill(0x61),
    block(256, 0x80, 7).fill(0xff, 4, 7), // not UTF-8
    block(256, 0x80, 7).fill(4, 3, 4), // longer facts than there are bytes
  ];
  for (const plaintext of wrong) {
    await expect(open(await sealRaw(plaintext), key, context)).rejects.toThrow(OpenError);
  }
});

test.each([
  ['no kind', { ...context, kind: '' }],
  ['no field', { ...context, field: '' }],
  ['no seal number', { ...context, sealId: '' }],
  ['a seal number of another length', { ...context, sealId: 'A'.repeat(21) }],
  ['a seal number in another alphabet', { ...context, sealId: `${'A'.repeat(21)}+` }],
])('nothing is sealed with %s', async (_, malformed) => {
  await expect(seal('text', key, malformed)).rejects.toThrow(SealError);
});

test('errors tell nothing of their reason', async () => {
  const sealed = await seal('text', key, context);
  const failures = [
    open('not base64', key, context),
    open(sealed, key, { ...context, field: 'title' }),
    open(null as unknown as string, key, context),
  ];
  for (const settled of await Promise.allSettled(failures)) {
    expect(settled.status).toBe('rejected');
    const reason = (settled as PromiseRejectedResult).reason as Error;
    expect([reason.name, reason.message, reason.cause]).toEqual([
      'OpenError',
      'Decryption failed',
      undefined,
    ]);
  }
  const sealing = (await seal('text', key, { ...context, kind: '' }).catch((error) => error)) as Error;
  expect([sealing.name, sealing.message, sealing.cause]).toEqual([
    'SealError',
    'Encryption failed',
    undefined,
  ]);
});

describe('facts', () => {
  const time = fc.date({ min: new Date(0), max: new Date('9999-12-31'), noInvalidDate: true });
  const anyFacts = fc.record({
    bound: fc.array(anyText(40), { maxLength: 7 }),
    createdAt: time.map((at) => at.toISOString()),
    updatedAt: time.map((at) => at.toISOString()),
  });

  test.each(factVectors)('frozen vector %# opens with its facts, and with no others', async (vector) => {
    const contentKey = await deriveContentKey(fromHex(vector.key));
    const { sealed, context, text, facts } = vector;
    const { bound, ...times } = facts;
    expect(await openBound(sealed, contentKey, context, boundBytes(bound))).toEqual({ text, ...times });
    expect(await openWithFacts(sealed, contentKey, context)).toEqual({ text, facts });
    for (const other of [[...bound, ''], ['', ...bound], bound.map((one) => `${one}0`)]) {
      if (other.join() === bound.join()) continue;
      const opening = openBound(sealed, contentKey, context, boundBytes(other));
      await expect(opening).rejects.toThrow(ChangedFactsError);
    }
    await expect(open(sealed, contentKey, context)).rejects.toThrow(OpenError);
  });

  test('come back beside any text, and a second implementation reads them', async () => {
    await fc.assert(
      fc.asyncProperty(text, anyFacts, async (value, own) => {
        const sealed = await seal(value, key, context, own);
        const { bound, createdAt, updatedAt } = own;
        const opened = await openBound(sealed, key, context, boundBytes(bound));
        expect(opened).toEqual({ text: value, createdAt, updatedAt });
        const read = openWithFieldsAs(sealed, vaultKey, context);
        expect(read).toEqual({ text: value, fields: [...bound, createdAt, updatedAt] });
      }),
      { numRuns: 50 },
    );
  });

  test('what a second implementation seals beside them opens here', async () => {
    const iv = fc.uint8Array({ minLength: 12, maxLength: 12 });
    await fc.assert(
      fc.asyncProperty(text, anyFacts, iv, async (value, own, nonce) => {
        const sealed = sealAs(value, vaultKey, context, nonce, own);
        expect(await openWithFacts(sealed, key, context)).toEqual({ text: value, facts: own });
      }),
      { numRuns: 50 },
    );
  });

  test('others than were sealed give no text out, whatever they are, and say which were sealed', async () => {
    await fc.assert(
      fc.asyncProperty(text, anyFacts, anyFacts, async (value, own, { bound }) => {
        fc.pre(JSON.stringify(bound) !== JSON.stringify(own.bound));
        const sealed = await seal(value, key, context, own);
        const failed = await openBound(sealed, key, context, boundBytes(bound)).catch((error) => error);
        expect(failed).toBeInstanceOf(ChangedFactsError);
        expect(failed.sealed).toEqual(own);
        expect(Object.keys(failed)).not.toContain('text');
      }),
      { numRuns: 100 },
    );
  });

  test('no byte of a seal can be changed, nor moved over the seam between facts and text', async () => {
    const sealed = await seal('What nobody may read.', key, context, facts);
    const bound = boundBytes(facts.bound);
    const bytes = fromBase64(sealed);
    for (let i = 0; i < bytes.length; i++) {
      const changed = bytes.map((byte, at) => (at === i ? byte ^ 1 : byte));
      await expect(openBound(toBase64(changed), key, context, bound)).rejects.toThrow(OpenError);
    }
    const longer = await seal('3What', key, context, { ...facts, bound: facts.bound.slice(1) });
    await expect(openBound(longer, key, context, bound)).rejects.toThrow(ChangedFactsError);
  });

  test('no bit of what is compared can differ', async () => {
    const sealed = await seal('What nobody may read.', key, context, facts);
    const bound = boundBytes(facts.bound);
    for (let i = 0; i < bound.length; i++) {
      const other = bound.map((byte, at) => (at === i ? byte ^ 1 : byte));
      await expect(openBound(sealed, key, context, other)).rejects.toThrow(ChangedFactsError);
    }
    for (const other of [bound.slice(0, -1), new Uint8Array([...bound, 0]), new Uint8Array()]) {
      await expect(openBound(sealed, key, context, other)).rejects.toThrow(ChangedFactsError);
    }
  });

  test('a text that was sealed without any stands in no row, and one that has some nowhere else', async () => {
    const bare = await seal('text', key, context);
    await expect(openBound(bare, key, context, boundBytes([]))).rejects.toThrow(OpenError);
    await expect(openWithFacts(bare, key, context)).rejects.toThrow(OpenError);
    const sealed = await seal('text', key, context, { ...facts, bound: [] });
    await expect(open(sealed, key, context)).rejects.toThrow(OpenError);
  });

  test.each([
    '',
    '2026-01-13',
    '2026-01-13T09:30:00Z',
    '2026-01-13T09:30:00.000+01:00',
    '+012026-01-13T09:30:00.000Z',
  ])('nothing is sealed at %j, which is no time as it is written', async (createdAt) => {
    await expect(seal('text', key, context, { ...facts, createdAt })).rejects.toThrow(SealError);
    await expect(seal('text', key, context, { ...facts, updatedAt: createdAt })).rejects.toThrow(SealError);
  });
});

describe('many records', () => {
  const makeRecords = (count: number) =>
    Promise.all(
      Array.from({ length: count }, async (_, i) => {
        const own = { kind: 'memory', field: 'content', sealId: newSealId() };
        const sealed = await seal(`text ${i}`, key, own, facts);
        return { sealed, context: own, bound: boundBytes(facts.bound) };
      }),
    );

  /** A clock that moves by `step` ms at each look, and a count of yielded tasks. */
  const makePace = (step: number) => {
    let time = 0;
    const pace = { yields: 0, looks: 0 };
    return {
      pace,
      now: () => {
        pace.looks++;
        time += step;
        return time;
      },
      yieldTask: async () => {
        pace.yields++;
      },
    };
  };

  test('come back in order', async () => {
    const records = await makeRecords(450);
    const opened = await openMany(records, key, makePace(1));
    const { createdAt, updatedAt } = facts;
    expect(opened).toEqual(records.map((_, i) => ({ ok: true, text: `text ${i}`, createdAt, updatedAt })));
  });

  test('one that cannot be opened does not disturb the others', async () => {
    const records = await makeRecords(5);
    const [a, b] = [records[1], records[3]];
    if (a && b) [a.context, b.context] = [b.context, a.context];
    const opened = await openMany(records, key, makePace(1));
    expect(opened.map((record) => record.ok)).toEqual([true, false, true, false, true]);
  });

  test('one whose facts were changed says which it was sealed with', async () => {
    const records = await makeRecords(3);
    if (records[1]) records[1].bound = boundBytes(['2', '']);
    const opened = await openMany(records, key, makePace(1));
    expect(opened[1]).toEqual({ ok: false, sealed: facts });
    expect(opened.map((record) => record.ok)).toEqual([true, false, true]);
  });

  test('a task is yielded after each frame of work, and not before', async () => {
    const records = await makeRecords(30);
    const slow = makePace(12);
    await openMany(records, key, { ...slow, chunk: 10 });
    expect(slow.pace.yields).toBe(3);
    const fast = makePace(4);
    await openMany(records, key, { ...fast, chunk: 10 });
    expect(fast.pace.yields).toBe(1);
    const frame = makePace(4);
    await openMany(records, key, { ...frame, chunk: 10, frame: 13 });
    expect(frame.pace.yields).toBe(0);
  });

  test('none at all are none', async () => {
    expect(await openMany([], key, makePace(1))).toEqual([]);
  });
});
