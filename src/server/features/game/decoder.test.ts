// The decoder reads any hex, tells what belongs to the puzzle, and repeats nothing of a visitor's but their own bytes.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Decoded } from '../../../shared/nouns/game.ts';
import { failure, openTestInstance, type TestInstance } from '../../../testing/instance.ts';
import { hexLines, hexOf } from '../../puzzle/hex.ts';
import { shippedPuzzle } from '../../puzzle/shipped.ts';

describe('the decoder', () => {
  let instance: TestInstance;
  beforeAll(async () => {
    instance = await openTestInstance();
  });
  afterAll(() => instance.close());
  let addresses = 0;
  const ask = (body: object) => {
    addresses += 1;
    return instance.request('POST', '/api/phase2/decode', {
      body,
      from: `10.1.${addresses >> 8}.${addresses & 255}`,
    });
  };
  const decoded = async (body: object) => {
    const response = await ask(body);
    expect(response.status).toBe(200);
    return (await response.json()) as Decoded;
  };

  it.each(Object.values(shippedPuzzle.strings))('knows what is hidden in $source', async (hidden) => {
    const { text, ...told } = hidden;
    const expected = { decoded: text, ...told, timestamp: new Date(instance.clock.now()).toISOString() };
    const hex = hexOf(text);
    const spaced = (hex.match(/.{1,2}/g) ?? []).join(' ');
    for (const hexString of [
      hex,
      hex.toUpperCase(),
      `0x${hex}`,
      spaced,
      spaced.replaceAll(' ', ':'),
      spaced.replace(/(?=\S\S)/g, '0x'),
      hexLines(hex, '        '),
      `\n ${hex}\n`,
    ]) {
      expect(await decoded({ hexString })).toEqual(expected);
    }
    // Nearly the same is not the same.
    expect(await decoded({ hexString: `${hex.slice(0, -2)}00` })).toMatchObject({ unlocks: [], phase: 0 });
    expect(await decoded({ hexString: hexOf(text.slice(0, -1)) })).toMatchObject({ unlocks: [], phase: 0 });
  });

  it('reads what is no part of the puzzle, and unlocks nothing', async () => {
    expect(await decoded({ hexString: '48 65 6c 6c 6f' })).toEqual({
      decoded: 'Hello',
      unlocks: [],
      phase: 0,
      source: 'unknown',
      timestamp: new Date(instance.clock.now()).toISOString(),
    });
    expect((await decoded({ hexString: hexOf('shadow_chamber_access') })).unlocks).toEqual([]);
  });

  it('has an answer of one shape, with a hint where there is one', async () => {
    const [known, unknown] = [
      await decoded({ hexString: hexOf(shippedPuzzle.strings.signature.text) }),
      await decoded({ hexString: '00' }),
    ];
    expect(Object.keys(unknown)).toEqual(['decoded', 'unlocks', 'phase', 'source', 'timestamp']);
    expect(Object.keys(known)).toEqual(['decoded', 'hint', 'unlocks', 'phase', 'source', 'timestamp']);
  });

  it('shows bytes that are no text as replaced', async () => {
    expect((await decoded({ hexString: 'ff 41 00 1b' })).decoded).toBe('\ufffdA\ufffd\ufffd');
    expect((await decoded({ hexString: 'ff'.repeat(1000) })).decoded).toBe('\ufffd'.repeat(1000));
  });

  it.each([
    ['', /^Enter a hex string/],
    ['   ', /^Enter a hex string/],
    ['xyz', /^This is not hex/],
    ['abc', /number of digits is odd/],
    ['0x7', /number of digits is odd/],
    ['aa'.repeat(1001), /longer than anything/],
    [' '.repeat(8001), /longer than anything/],
  ])('refuses %j in plain words', async (hexString, sentence) => {
    const response = await ask({ hexString });
    expect(response.status).toBe(422);
    expect(((await response.json()) as { message: string }).message).toMatch(sentence);
  });

  it('names a file that it knows as the source, and repeats no other', async () => {
    const source = async (sourceFile: unknown) => (await decoded({ hexString: '41', sourceFile })).source;
    expect(await source('MANIFEST.asc')).toBe('MANIFEST.asc');
    expect(await source('SHADOW_SCROLL_002.asc')).toBe('SHADOW_SCROLL_002.asc');
    for (const other of ['<b>canary</b>', 'toString', '../secret.key', '', null, undefined]) {
      expect(await source(other)).toBe('unknown');
    }
    // Where a known string was found is the puzzle's to tell.
    const { text, source: of } = shippedPuzzle.strings.signature;
    expect((await decoded({ hexString: hexOf(text), sourceFile: 'MANIFEST.asc' })).source).toBe(of);
    expect((await ask({ hexString: '41', sourceFile: 'x'.repeat(201) })).status).toBe(422);
  });

  it('is asked a bounded number of times from one address', async () => {
    const again = () =>
      instance.request('POST', '/api/phase2/decode', { body: { hexString: '41' }, from: '203.0.113.9' });
    for (let i = 0; i < 120; i += 1) expect((await again()).status).toBe(200);
    expect(await failure(await again())).toEqual({ status: 429, code: 'too-many' });
  });
});
