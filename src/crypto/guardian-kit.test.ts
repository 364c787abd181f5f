import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { fromBase64, fromHex, toBase64, toHex } from './base64.ts';
import { proofHash } from './claim.ts';
import type { Bytes } from './encoding.ts';
import { OpenError, SealError } from './errors.ts';
import {
  assertSheets,
  combineSheets,
  kitAddress,
  kitClaim,
  kitNumber,
  newKitSecret,
  splitSecret,
  unwrapUnderKit,
  wrapUnderKit,
} from './guardian-kit.ts';
import type { GuardianSheet } from './guardian-sheet.ts';
import { flip } from './testing/flip.ts';
import { combineAs, kitAs, kitNumberAs, splitAs, wrapUnderKitAs } from './testing/reference-sheets.ts';
import vectors from './vectors/guardian-kit.json';

const bytes32 = fc.uint8Array({ minLength: 32, maxLength: 32 }).map((bytes) => new Uint8Array(bytes));
const none = { secret: null, missing: 0, doubled: [], otherKits: [], wrong: [] };

/** Every set of `size` of these, in order. */
function subsetsOf<T>(all: readonly T[], size: number): T[][] {
  if (size === 0) return [[]];
  return all.flatMap((one, i) => subsetsOf(all.slice(i + 1), size - 1).map((rest) => [one, ...rest]));
}

const sheetsOf = (vector: (typeof vectors)[0]): GuardianSheet[] =>
  vector.sheets.map(({ x, share }) => ({
    kit: vector.kit,
    needed: vector.needed,
    x,
    share: fromHex(share),
  }));

describe.each(vectors)('the frozen kit of which $needed sheets are needed', (vector) => {
  const secret = fromHex(vector.secret);

  test('gives its secret from any of them', async () => {
    for (const some of subsetsOf(sheetsOf(vector), vector.needed)) {
      expect(await combineSheets(some)).toEqual({ ...none, secret });
    }
  });

  test('has its number, its address, its claim, and opens its wrap', async () => {
    expect(await kitNumber(secret)).toBe(vector.kit);
    expect(await kitAddress(secret)).toBe(vector.address);
    expect(await kitClaim(secret)).toBe(vector.claim);
    expect(await proofHash(vector.claim)).toBe(vector.claimHash);
    expect(toHex(await unwrapUnderKit(secret, vector.wrap))).toBe(vector.vaultKey);
  });
});

test.each([
  [3, 2],
  [5, 3],
  [9, 5],
  [15, 15],
])('of %i sheets any %i give the secret, and fewer say how many are missing', async (count, needed) => {
  const secret = newKitSecret();
  const sheets = await splitSecret(secret, count, needed);
  expect(sheets).toHaveLength(count);
  for (const some of subsetsOf(sheets, needed)) {
    expect(await combineSheets(some)).toEqual({ ...none, secret });
    expect(new Uint8Array(combineAs(some))).toEqual(secret); // a second implementation
  }
  for (let size = 0; size < needed; size++) {
    for (const some of subsetsOf(sheets, size).slice(0, 200)) {
      // Who has no sheet yet is not told how many the kit asks for: two, the fewest.
      const missing = size === 0 ? 2 : needed - size;
      expect(await combineSheets(some)).toEqual({ ...none, missing });
    }
  }
  expect(await combineSheets([...sheets].reverse())).toEqual({ ...none, secret });
});

test('what a second implementation has split is put together', async () => {
  await fc.assert(
    fc.asyncProperty(
      bytes32,
      fc.array(bytes32, { minLength: 1, maxLength: 4 }),
      fc.uniqueArray(fc.integer({ min: 1, max: 255 }), { minLength: 5, maxLength: 9 }),
      async (secret, coefficients, places) => {
        const sheets = splitAs(secret, coefficients, places) as GuardianSheet[];
        expect(await combineSheets(sheets)).toEqual({ ...none, secret });
      },
    ),
    { numRuns: 25 },
  );
});

test('too few sheets say nothing of the secret: every value of a byte is left, as likely as the others', () => {
  // Of two polynomials of degree 1 in one byte: whatever the secret, one sheet shows each value once.
  for (const secretByte of [0, 1, 128, 255]) {
    const secret = new Uint8Array(32).fill(secretByte);
    const shown = Array.from({ length: 256 }, (_, value) => {
      const [sheet] = splitAs(secret, [new Uint8Array(32).fill(value)], [77]);
      return sheet?.share[0];
    });
    expect(new Set(shown).size).toBe(256);
  }
});

describe('what is wrong with sheets is told', () => {
  const secret = newKitSecret();

  test('a sheet that is there twice counts once', async () => {
    const [one, two] = (await splitSecret(secret, 3, 2)) as [GuardianSheet, GuardianSheet];
    expect(await combineSheets([one, one])).toEqual({ ...none, missing: 1, doubled: [1] });
    expect(await combineSheets([one, two, one])).toEqual({ ...none, secret, doubled: [2] });
  });

  test('a sheet of another kit stands aside', async () => {
    const sheets = await splitSecret(secret, 3, 2);
    const [stray] = (await splitSecret(await secretOfAnotherKit(secret), 3, 2)) as [GuardianSheet];
    const [one, two] = sheets as [GuardianSheet, GuardianSheet];
    expect(await combineSheets([stray, one, two])).toEqual({ ...none, secret, otherKits: [0] });
    // One of each: the first is taken for the one that is meant.
    expect(await combineSheets([one, stray])).toEqual({ ...none, missing: 1, otherKits: [1] });
  });

  test('a sheet of the same secret split anew, with another number needed, is of another kit', async () => {
    const [one, two] = (await splitSecret(secret, 3, 2)) as [GuardianSheet, GuardianSheet];
    const [three] = (await splitSecret(secret, 3, 3)) as [GuardianSheet];
    expect(await combineSheets([one, three, two])).toEqual({ ...none, secret, otherKits: [1] });
  });

  test('with sheets to spare the one that is wrong is found, wherever it stands', async () => {
    const sheets = await splitSecret(secret, 6, 3);
    for (let place = 0; place < 5; place++) {
      const five = sheets.slice(0, 5);
      const wrong = five[place] as GuardianSheet;
      const typed = five.with(place, { ...wrong, share: flip(wrong.share, place) as Bytes });
      expect(await combineSheets(typed)).toEqual({ ...none, secret, wrong: [place] });
      // Two of one place, of which one is right.
      expect(await combineSheets([...five, typed[place] as GuardianSheet])).toEqual({
        ...none,
        secret,
        wrong: [5],
      });
    }
  });

  test('without any to spare all that are there are named, and no secret is given', async () => {
    // Chosen so that what they give belongs to another number of a kit, as in 127 of 128 cases.
    const fixed = vectors[0] as (typeof vectors)[0];
    const [one, two] = sheetsOf(fixed) as [GuardianSheet, GuardianSheet];
    const wrong = { ...two, share: flip(two.share, 0) as Bytes };
    expect(kitNumberAs(combineAs([one, wrong]))).not.toBe(fixed.kit);
    expect(await combineSheets([one, wrong])).toEqual({ ...none, wrong: [0, 1] });
    // One of two others is forged so that both pairs give secrets of this kit: nobody can say which is meant.
    const forged = forgedFor(fixed, one, two);
    expect(await combineSheets([one, two, forged])).toEqual({ ...none, wrong: [0, 1, 2] });
    // Two of one place, which no two can be of.
    expect(await combineSheets([two, wrong])).toEqual({ ...none, missing: 1 });
  });

  test('more than fifteen sheets are refused', async () => {
    const sheets = await splitSecret(secret, 15, 2);
    await expect(combineSheets([...sheets, sheets[0] as GuardianSheet])).rejects.toThrow(RangeError);
  });
});

test.each([
  [3, 1],
  [2, 3],
  [16, 2],
  [3.5, 2],
  [3, 2.5],
  [Number.NaN, 2],
])('%d sheets of which %d are needed are refused', async (count, needed) => {
  await expect(splitSecret(newKitSecret(), count, needed)).rejects.toThrow(RangeError);
});

test('a secret of another length is refused everywhere', async () => {
  for (const length of [0, 31, 33]) {
    const secret = new Uint8Array(length);
    await expect(splitSecret(secret, 3, 2)).rejects.toThrow(TypeError);
    for (const derive of [kitNumber, kitAddress, kitClaim])
      await expect(derive(secret)).rejects.toThrow(TypeError);
    await expect(wrapUnderKit(secret, new Uint8Array(32))).rejects.toThrow(SealError);
    await expect(unwrapUnderKit(secret, vectors[0]?.wrap ?? '')).rejects.toThrow(OpenError);
  }
});

test('sheets that do not do what they must are not given out', async () => {
  const secret = newKitSecret();
  const places = [9, 4, 200, 31];
  const rows = (count: number) => Array.from({ length: count }, newKitSecret);
  const asSheets = (coefficients: Bytes[]) => splitAs(secret, coefficients, places) as GuardianSheet[];
  await assertSheets(asSheets(rows(1)), secret, 2);
  await assertSheets(asSheets(rows(2)), secret, 3);
  // Random numbers that are none: each sheet is the secret itself, or one sheet fewer is enough.
  await expect(assertSheets(asSheets([new Uint8Array(32)]), secret, 2)).rejects.toThrow('do not do');
  await expect(assertSheets(asSheets([...rows(1), new Uint8Array(32)]), secret, 3)).rejects.toThrow(
    'do not do',
  );
  // One sheet that is damaged, wherever it stands.
  for (let place = 0; place < places.length; place++) {
    const sheets = asSheets(rows(2));
    const damaged = sheets[place] as GuardianSheet;
    const changed = sheets.with(place, { ...damaged, share: flip(damaged.share, 31) as Bytes });
    await expect(assertSheets(changed, secret, 3)).rejects.toThrow('do not do');
  }
});

test('a second implementation seals and derives the same', async () => {
  await fc.assert(
    fc.asyncProperty(bytes32, bytes32, async (secret, vaultKey) => {
      const { address, claim } = kitAs(secret);
      expect([await kitAddress(secret), await kitClaim(secret)]).toEqual([address, claim]);
      const wrap = wrapUnderKitAs(secret, toHex(vaultKey), new Uint8Array(12));
      expect(await unwrapUnderKit(secret, wrap)).toEqual(vaultKey);
      expect(await unwrapUnderKit(secret, await wrapUnderKit(secret, vaultKey))).toEqual(vaultKey);
    }),
    { numRuns: 20 },
  );
});

test('no byte of a wrap nor of a secret can be changed', async () => {
  const secret = newKitSecret();
  const bytes = fromBase64(await wrapUnderKit(secret, newKitSecret()));
  for (const i of bytes.keys()) {
    await expect(unwrapUnderKit(secret, toBase64(flip(bytes, i)))).rejects.toThrow(OpenError);
  }
  for (let i = 0; i < 32; i++) {
    await expect(unwrapUnderKit(flip(secret, i), toBase64(bytes))).rejects.toThrow(OpenError);
  }
  for (const wrong of ['', 'AAAA', 'no base64']) {
    await expect(unwrapUnderKit(secret, wrong)).rejects.toThrow(OpenError);
  }
});

/** A sheet at another place that gives, with the first, another secret of the same kit's number. */
function forgedFor(kit: (typeof vectors)[0], one: GuardianSheet, two: GuardianSheet): GuardianSheet {
  for (let byte = 0; ; byte++) {
    const share = flip(two.share, byte % 32).map((old, i) => (i === 31 ? byte & 0xff : old)) as Bytes;
    const forged = { ...two, x: 77, share };
    if (
      kitNumberAs(combineAs([one, forged])) === kit.kit &&
      kitNumberAs(combineAs([two, forged])) !== kit.kit
    )
      return forged;
  }
}

/** A kit with another number than that of `secret`: one of 128 would have the same. */
async function secretOfAnotherKit(secret: Bytes): Promise<Bytes> {
  const number = await kitNumber(secret);
  for (;;) {
    const other = newKitSecret();
    if ((await kitNumber(other)) !== number) return other;
  }
}
