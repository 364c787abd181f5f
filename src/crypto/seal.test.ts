import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { fromBase64, fromHex, toBase64 } from './base64.ts';
import { lengthPrefixed } from './encoding.ts';
import { OpenError, SealError } from './errors.ts';
import { newSealId, open, openMany, seal } from './seal.ts';
import { anyText } from './testing/any-text.ts';
import { openAs, sealAs } from './testing/reference.ts';
import { deriveContentKey, generateVaultKey } from './vault-key.ts';
import vectors from './vectors/seal.json';

const vaultKey = fromHex('000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f');
const key = await deriveContentKey(vaultKey);
const context = { kind: 'memory', field: 'content', sealId: newSealId() };
const text = anyText(700);

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
  [255, 1],
  [256, 2],
  [511, 2],
  [512, 3],
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
    const additionalData = lengthPrefixed('latebra/v1/seal', context.kind, context.field, context.sealId);
    const ciphertext = await crypto.subtle.encrypt({ name: 'AES-GCM', iv, additionalData }, key, plaintext);
    return toBase64(new Uint8Array([...iv, ...new Uint8Array(ciphertext)]));
  };
  const block = (length: number, marker: number, at: number, rest = 0) =>
    new Uint8Array(length)
      .fill(0x61, 0, at)
      .fill(marker, at, at + 1)
      .fill(rest, at + 1);
  expect(await open(await sealRaw(block(256, 0x80, 3)), key, context)).toBe('aaa');
  const wrong = [
    new Uint8Array(0),
    new Uint8Array(256),
    block(255, 0x80, 3),
    block(512, 0x80, 255),
    block(256, 0x81, 3),
    block(256, 0x80, 3, 1),
    new Uint8Array(256).fill(0x61),
    new Uint8Array(256).fill(0xff, 0, 3).fill(0x80, 3, 4), // not UTF-8
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

describe('many records', () => {
  const makeRecords = (count: number) =>
    Promise.all(
      Array.from({ length: count }, async (_, i) => {
        const own = { kind: 'memory', field: 'content', sealId: newSealId() };
        return { sealed: await seal(`text ${i}`, key, own), context: own };
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
    expect(opened).toEqual(records.map((_, i) => ({ ok: true, text: `text ${i}` })));
  });

  test('one that cannot be opened does not disturb the others', async () => {
    const records = await makeRecords(5);
    const [a, b] = [records[1], records[3]];
    if (a && b) [a.context, b.context] = [b.context, a.context];
    const opened = await openMany(records, key, makePace(1));
    expect(opened.map((record) => record.ok)).toEqual([true, false, true, false, true]);
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
