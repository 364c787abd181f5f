import fc from 'fast-check';
import { beforeAll, describe, expect, test } from 'vitest';
import { fromBase64, fromBase64Url, fromHex, toBase64, toBase64Url, toHex } from './base64.ts';
import { proofHash } from './claim.ts';
import type { Bytes } from './encoding.ts';
import { OpenError, SealError } from './errors.ts';
import { deriveIdentity, type Identity, vaultAddress } from './identity.ts';
import { deriveContentKey, deriveLetterKey, newRecipientNumber, newScrollKey } from './scroll.ts';
import { newSealId, open, seal } from './seal.ts';
import {
  makeSisterBoxes,
  type Sister,
  type SisterBox,
  type SisterLetter,
  signToSister,
} from './sister-letter.ts';
import { letterKeyOfShares, sisterLetterId, sisterToken } from './sister-shares.ts';
import { flip } from './testing/flip.ts';
import {
  combineSharesAs,
  openAddressesAs,
  openSisterBoxAs,
  type ReferenceSisterLetter,
  sisterLetterAs,
  sisterTokenAs,
} from './testing/reference-sisters.ts';
import vector from './vectors/sister-letter.json';

interface Keeper extends Sister {
  ageIdentity: string;
}

async function newSister(origin: string): Promise<Keeper> {
  const { recipient, verifyingKey, ageIdentity }: Identity = await deriveIdentity(newScrollKey());
  return {
    origin,
    recipient,
    verifyingKey,
    ageIdentity,
    address: await vaultAddress(recipient, verifyingKey),
  };
}

/** Every set of `size` of these, in order. */
function subsetsOf<T>(all: readonly T[], size: number): T[][] {
  if (size === 0) return [[]];
  return all.flatMap((one, i) => subsetsOf(all.slice(i + 1), size - 1).map((rest) => [one, ...rest]));
}

const hosts = Array.from({ length: 5 }, (_, i) => `https://sister-${i + 1}.example`);
let keepers: Keeper[];
beforeAll(async () => {
  keepers = await Promise.all(hosts.map(newSister));
});

async function newLetter(count: number, needed: number, mails = ['mira@mail.example', 'jan@mail.example']) {
  const scrollKey = newScrollKey();
  const sealId = newSealId();
  const contentKey = await deriveContentKey(await deriveLetterKey(scrollKey));
  const context = { kind: 'legacy-scroll', field: 'encryptedContent', sealId };
  const letter: SisterLetter = {
    ...{ scrollKey, sealId, needed, round: 7, edition: 4, days: 60, authorName: 'Ágnes' },
    encryptedContent: await seal('What nobody may read.', contentKey, context),
    sisters: keepers.slice(0, count).map(({ ageIdentity: _, ...sister }) => sister),
    recipients: mails.map((address) => ({ address, publicId: newRecipientNumber() })),
  };
  return { letter, context };
}

/** What each sister finds in its box, by a second implementation. */
const openedBy = (boxes: readonly SisterBox[]): ReferenceSisterLetter[] =>
  boxes.map(({ box }, i) => openSisterBoxAs(box, keepers[i] as Keeper).letter);

describe('the frozen letter of sisters', () => {
  const scrollKey = fromHex(vector.scrollKey);

  test('has its number, its token and what its author signs', async () => {
    expect(await sisterLetterId(scrollKey, vector.round)).toBe(vector.id);
    expect(toHex(await deriveLetterKey(scrollKey))).toBe(vector.letterKey);
    expect(await sisterToken(fromHex(vector.letterKey), vector.publicId)).toBe(vector.token);
    expect(await proofHash(vector.token)).toBe(vector.tokenHash);
    const { address, challenge } = vector;
    for (const kind of ['alive', 'end'] as const)
      expect(await signToSister({ scrollKey, round: vector.round }, address, { challenge, kind })).toBe(
        vector[kind],
      );
  });

  test('opens by any two of its shares', async () => {
    for (const some of subsetsOf(vector.sharesOfLetter, 2))
      expect(toHex(await letterKeyOfShares(some))).toBe(vector.letterKey);
    for (const some of subsetsOf(vector.sharesOfAddresses, 2))
      expect(openAddressesAs(vector, combineSharesAs(some))).toEqual(vector.addresses);
  });
});

test.each([
  [2, 2],
  [3, 2],
  [4, 3],
  [5, 3],
])('of %i sisters any %i open letter and addresses, and fewer never', async (count, needed) => {
  const { letter, context } = await newLetter(count, needed);
  const boxes = await makeSisterBoxes(letter);
  const found = openedBy(boxes);
  const letterKey = await deriveLetterKey(letter.scrollKey);
  const addresses = {
    v: 1,
    authorName: 'Ágnes',
    recipients: letter.recipients.map(({ address, publicId }) => ({
      address,
      token: sisterTokenAs(letterKey, publicId),
    })),
  };
  for (const some of subsetsOf(found, needed)) {
    const key = await letterKeyOfShares(some.map((one) => one.shareOfLetter));
    expect(key).toEqual(letterKey);
    expect(await open(letter.encryptedContent, await deriveContentKey(key), context)).toBe(
      'What nobody may read.',
    );
    const [first] = some as [ReferenceSisterLetter];
    const ofAddresses = combineSharesAs(some.map((one) => one.shareOfAddresses));
    expect(openAddressesAs(first, ofAddresses)).toEqual(addresses);
  }
  for (let size = 1; size < needed; size++) {
    for (const some of subsetsOf(found, size)) {
      const shares = some.map((one) => one.shareOfLetter);
      const key = await letterKeyOfShares(shares).catch(() => new Uint8Array(32));
      await expect(open(letter.encryptedContent, await deriveContentKey(key), context)).rejects.toThrow(
        OpenError,
      );
      const [first] = some as [ReferenceSisterLetter];
      const ofAddresses = combineSharesAs(some.map((one) => one.shareOfAddresses));
      expect(() => openAddressesAs(first, ofAddresses)).toThrow();
    }
  }
});

test('each sister is told the same, its own two shares, and by which hashes those of the others are known', async () => {
  const { letter } = await newLetter(3, 2);
  const boxes = await makeSisterBoxes(letter);
  const found = openedBy(boxes);
  const { id, lifeKey } = sisterLetterAs(letter.scrollKey, 7);
  const tokens = await Promise.all(
    letter.recipients.map(async ({ publicId }) =>
      proofHash(sisterTokenAs(await deriveLetterKey(letter.scrollKey), publicId)),
    ),
  );
  const hashes = await Promise.all(
    found.map(({ shareOfAddresses }) => hashOf(fromBase64Url(shareOfAddresses))),
  );
  for (const one of found) {
    const { shareOfAddresses: _, shareOfLetter: __, encryptedAddresses, ...common } = one;
    expect(common).toEqual({
      ...{ id, lifeKey, tokens, edition: 4, needed: 2, days: 60, sharesOfAddresses: hashes },
      sisters: letter.sisters.map(({ origin, address }) => ({ origin, address })),
      ...{ encryptedContent: letter.encryptedContent, sealId: letter.sealId },
    });
    expect(encryptedAddresses).toBe(found[0]?.encryptedAddresses);
  }
  for (const share of ['shareOfAddresses', 'shareOfLetter'] as const)
    expect(new Set(found.map((one) => one[share])).size).toBe(3);
  expect(boxes.map(({ digest }) => digest)).toEqual(
    boxes.map(({ box }, i) => openSisterBoxAs(box, keepers[i] as Keeper).digest),
  );
});

test('another sister’s box does not open, nor one with a bit that is wrong', async () => {
  const { letter } = await newLetter(2, 2);
  const [{ box }] = (await makeSisterBoxes(letter)) as [SisterBox];
  const [own, other] = keepers as [Keeper, Keeper];
  expect(() => openSisterBoxAs(box, other)).toThrow();
  // Opened with its own key, but read as another sister’s: the signature is for one address.
  expect(() => openSisterBoxAs(box, { ...own, address: other.address })).toThrow('signature');
  const bytes = fromBase64(box);
  fc.assert(
    fc.property(fc.nat({ max: bytes.length - 1 }), (at) => {
      expect(() => openSisterBoxAs(toBase64(flip(bytes, at)), own)).toThrow();
    }),
    { numRuns: 60 },
  );
});

test('addresses open for their letter and edition alone', async () => {
  const { letter } = await newLetter(2, 2);
  const found = openedBy(await makeSisterBoxes(letter));
  const key = combineSharesAs(found.map((one) => one.shareOfAddresses));
  const [one] = found as [ReferenceSisterLetter];
  expect(openAddressesAs(one, key).recipients).toHaveLength(2);
  expect(() => openAddressesAs({ ...one, edition: 5 }, key)).toThrow();
  expect(() => openAddressesAs({ ...one, id: vector.id }, key)).toThrow();
});

test('a share with any bit that is wrong gives a key that opens nothing', async () => {
  const { letter, context } = await newLetter(2, 2);
  const [one, two] = openedBy(await makeSisterBoxes(letter)) as [
    ReferenceSisterLetter,
    ReferenceSisterLetter,
  ];
  const share = fromBase64Url(one.shareOfLetter);
  for (const at of share.keys()) {
    const wrong = toBase64Url(flip(share, at) as Bytes);
    const key = await letterKeyOfShares([wrong, two.shareOfLetter]).catch(() => new Uint8Array(32));
    await expect(open(letter.encryptedContent, await deriveContentKey(key), context)).rejects.toThrow(
      OpenError,
    );
  }
});

test('shares of two editions do not fit together', async () => {
  const { letter } = await newLetter(2, 2);
  const [[one], [, two]] = [
    openedBy(await makeSisterBoxes(letter)),
    openedBy(await makeSisterBoxes(letter)),
  ] as [[ReferenceSisterLetter], [ReferenceSisterLetter, ReferenceSisterLetter]];
  const key = await letterKeyOfShares([one.shareOfLetter, two.shareOfLetter]);
  expect(key).not.toEqual(await deriveLetterKey(letter.scrollKey));
});

test.each([[[]], [['']], [['AAAA']], [[vector.sharesOfLetter[0] ?? '', vector.sharesOfLetter[0] ?? '']]])(
  'shares that are none, or one twice, are refused: %j',
  async (shares) => {
    await expect(letterKeyOfShares(shares)).rejects.toThrow(OpenError);
  },
);

test('of another round a letter has another number, and is signed for by another key', async () => {
  const { letter } = await newLetter(2, 2);
  const [one] = openedBy(await makeSisterBoxes(letter)) as [ReferenceSisterLetter];
  const [other] = openedBy(await makeSisterBoxes({ ...letter, round: 8 })) as [ReferenceSisterLetter];
  expect(other.id).not.toBe(one.id);
  expect(other.lifeKey).not.toBe(one.lifeKey);
  expect(other.tokens).toEqual(one.tokens);
});

test.each([
  [1, 1],
  [2, 1],
  [4, 2],
  [3, 4],
])('%i sisters of which %i are enough are refused', async (count, needed) => {
  const { letter } = await newLetter(count, needed);
  await expect(makeSisterBoxes(letter)).rejects.toThrow(RangeError);
});

test('nothing is sealed to keys that are not those of their address, nor to one sister twice', async () => {
  const { letter } = await newLetter(2, 2);
  const [one, two] = letter.sisters as [Sister, Sister];
  const [, , stranger] = keepers as [Keeper, Keeper, Keeper];
  for (const sisters of [
    [one, { ...two, recipient: stranger.recipient }],
    [one, { ...two, verifyingKey: stranger.verifyingKey }],
    [one, { ...two, address: stranger.address }],
    [one, { ...two, recipient: 'age1pq1x' }],
    [one, { ...one, origin: two.origin }],
  ]) {
    await expect(makeSisterBoxes({ ...letter, sisters })).rejects.toThrow(SealError);
  }
});

test('a number and a sign are made of 32 bytes alone', async () => {
  for (const length of [0, 31, 33]) {
    const bytes = new Uint8Array(length);
    await expect(sisterLetterId(bytes, 1)).rejects.toThrow(TypeError);
    await expect(sisterToken(bytes, vector.publicId)).rejects.toThrow(TypeError);
    await expect(
      signToSister({ scrollKey: bytes, round: 1 }, vector.address, { challenge: 'x', kind: 'alive' }),
    ).rejects.toThrow(TypeError);
  }
});

async function hashOf(bytes: Bytes): Promise<string> {
  return toBase64Url(new Uint8Array(await crypto.subtle.digest('SHA-256', bytes)));
}
