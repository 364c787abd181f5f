import fc from 'fast-check';
import { describe, expect, test, vi } from 'vitest';
import { openFrom, sealTo } from './age-file.ts';
import { fromBase64, fromHex, toBase64 } from './base64.ts';
import { createClientKey } from './client-key.ts';
import { lengthPrefixed } from './encoding.ts';
import { OpenError, SealError } from './errors.ts';
import { deriveIdentity, type Identity, vaultAddress } from './identity.ts';
import { deriveContentKey, newScrollKey, scrollKeyToText } from './scroll.ts';
import { newSealId, open } from './seal.ts';
import { flip } from './testing/flip.ts';
import { identityAs, openWhisperAs, whisperAs } from './testing/reference.ts';
import { ageAs, openAgeAs } from './testing/reference-age.ts';
import { generateVaultKey } from './vault-key.ts';
import vectors from './vectors/whisper.json';
import { checkVaultKeys, openWhisper, sealWhisper } from './whisper.ts';

// Each change of an envelope costs a verification, and more of it on a busy machine.
vi.setConfig({ testTimeout: 60_000 });

const addressOf = ({ recipient, verifyingKey }: Pick<Identity, 'recipient' | 'verifyingKey'>) =>
  vaultAddress(recipient, verifyingKey);
const [senderKey, recipientKey, thirdKey] = [generateVaultKey(), generateVaultKey(), generateVaultKey()];
const [sender, recipient, third] = await Promise.all([
  deriveIdentity(senderKey),
  deriveIdentity(recipientKey),
  deriveIdentity(thirdKey),
]);
const [senderAddress, recipientAddress] = await Promise.all([addressOf(sender), addressOf(recipient)]);

const letterKey = newScrollKey();
const sealId = newSealId();
const encryptedContent = toBase64(crypto.getRandomValues(new Uint8Array(284)));
const envelope = await sealWhisper({ letterKey, encryptedContent, sealId, sender, recipient });
const whole = { envelope, encryptedContent, sealId, recipientAddress, ageIdentity: recipient.ageIdentity };

/** A whisper of which one part is another's. */
const opening = (change: Partial<typeof whole>) => openWhisper({ ...whole, ...change });
test.each(vectors)('the frozen whisper opens in its recipient’s vault', async (vector) => {
  const { ageIdentity, ...own } = await deriveIdentity(fromHex(vector.recipientKey));
  expect(await addressOf(own)).toBe(vector.recipientAddress);
  const { letterKey: opened, senderAddress: signer } = await openWhisper({ ...vector, ageIdentity });
  expect(opened).toEqual(fromHex(vector.letterKey));
  expect(signer).toBe(vector.senderAddress);
  const contentKey = await deriveContentKey(opened);
  const context = { kind: 'legacy-scroll', field: 'encryptedContent', sealId: vector.sealId };
  expect(JSON.parse(await open(vector.encryptedContent, contentKey, context))).toMatchObject({ v: 1 });
});

test.each(vectors)('the frozen whisper is signed again with the same bytes', async (vector) => {
  const own = await deriveIdentity(fromHex(vector.senderKey));
  expect(own.recipient).toBe(vector.envelope.senderRecipient);
  expect(own.verifyingKey).toBe(vector.envelope.senderVerifyingKey);
  const { sealedKey } = vector.envelope;
  const parts = [vector.sealId, vector.encryptedContent, sealedKey];
  const message = lengthPrefixed('1', ...parts, vector.senderAddress, vector.recipientAddress);
  expect(toBase64(own.sign('latebra/v1/whisper', message))).toBe(vector.envelope.signature);
});

test('a whisper gives its recipient the letter’s key, and says who sent it', async () => {
  expect(await openWhisper(whole)).toEqual({ letterKey, senderAddress });
  expect(JSON.stringify(envelope)).not.toContain(scrollKeyToText(letterKey));
});

test('one may whisper to oneself', async () => {
  const own = await sealWhisper({ letterKey, encryptedContent, sealId, sender, recipient: sender });
  const { ageIdentity } = sender;
  const opened = await opening({ envelope: own, recipientAddress: senderAddress, ageIdentity });
  expect(opened).toEqual({ letterKey, senderAddress });
});

const bytes = (length: number) => fc.uint8Array({ minLength: length, maxLength: length });

test('each implementation opens what the other sealed', { tags: 'long' }, async () => {
  const randomness = fc.record({ fileKey: bytes(16), seed: bytes(64), nonce: bytes(16) });
  const posted = { encryptedContent, sealId };
  const [from, to] = [identityAs(senderKey), identityAs(recipientKey)];
  await fc.assert(
    fc.asyncProperty(bytes(32), randomness, async (key, random) => {
      const ours = await sealWhisper({ ...posted, letterKey: key, sender, recipient });
      expect(openWhisperAs(ours, posted, to)).toEqual({ letterKey: key, senderAddress });
      const theirs = whisperAs(key, posted, from, to, random);
      expect(await opening({ envelope: theirs })).toEqual({ letterKey: key, senderAddress });
    }),
    { numRuns: 5 },
  );
});

test('a letter of a megabyte is signed and read like a short one', async () => {
  const posted = { encryptedContent: 'A'.repeat(2 ** 20), sealId };
  const long = await sealWhisper({ ...posted, letterKey, sender, recipient });
  expect(openWhisperAs(long, posted, identityAs(recipientKey))).toEqual({ letterKey, senderAddress });
  expect(await opening({ ...posted, envelope: long })).toEqual({ letterKey, senderAddress });
});

test('both implementations of age read one another', async () => {
  const random = { fileKey: new Uint8Array(16), seed: new Uint8Array(64), nonce: new Uint8Array(16) };
  const file = ageAs('words', recipient.recipient, random);
  expect(await openFrom(recipient.ageIdentity, toBase64(file))).toBe('words');
  expect(openAgeAs(fromBase64(await sealTo(recipient.recipient, 'words')), recipient.ageIdentity)).toBe(
    'words',
  );
});

describe('a whisper does not open', () => {
  test('with another letter, or in another row', async () => {
    const another = toBase64(flip(fromBase64(encryptedContent), 100));
    await expect(opening({ encryptedContent: another })).rejects.toThrow(OpenError);
    await expect(opening({ encryptedContent: `${encryptedContent}AAAA` })).rejects.toThrow(OpenError);
    await expect(opening({ sealId: newSealId() })).rejects.toThrow(OpenError);
    await expect(opening({ sealId: '' })).rejects.toThrow(OpenError);
  });

  test('in another vault, nor at an address that it was not sent to', async () => {
    await expect(opening({ ageIdentity: third.ageIdentity })).rejects.toThrow(OpenError);
    const elsewhere = await addressOf(third);
    await expect(opening({ recipientAddress: elsewhere })).rejects.toThrow(OpenError);
    await expect(opening({ recipientAddress: '' })).rejects.toThrow(OpenError);
  });

  test('with the envelope of another whisper', async () => {
    const content = 'QQ==';
    const other = await sealWhisper({ letterKey, encryptedContent: content, sealId, sender, recipient });
    await expect(opening({ envelope: other })).rejects.toThrow(OpenError);
    for (const part of ['sealedKey', 'signature'] as const) {
      const mixed = { ...envelope, [part]: other[part] };
      await expect(opening({ envelope: mixed })).rejects.toThrow(OpenError);
    }
  });

  test('when somebody else puts a name of their own to it, even with a signature that holds', async () => {
    const thief = await addressOf(third);
    const parts = ['1', sealId, encryptedContent, envelope.sealedKey, thief, recipientAddress];
    const signature = toBase64(third.sign('latebra/v1/whisper', lengthPrefixed(...parts)));
    const stolen = {
      sealedKey: envelope.sealedKey,
      senderRecipient: third.recipient,
      senderVerifyingKey: third.verifyingKey,
      signature,
    };
    await expect(opening({ envelope: stolen })).rejects.toThrow(OpenError);
    expect(await openFrom(recipient.ageIdentity, stolen.sealedKey)).toContain(senderAddress);
  });

  test('when the sender’s two keys do not belong together', async () => {
    for (const [part, value] of [
      ['senderRecipient', third.recipient],
      ['senderVerifyingKey', third.verifyingKey],
    ] as const) {
      await expect(opening({ envelope: { ...envelope, [part]: value } })).rejects.toThrow(OpenError);
    }
  });

  test('when it was signed for another use', async () => {
    const parts = ['1', sealId, encryptedContent, envelope.sealedKey, senderAddress, recipientAddress];
    for (const context of ['latebra/v1/identity', 'latebra/v1/sign-in', 'latebra/v1/export'] as const) {
      const signature = toBase64(sender.sign(context, lengthPrefixed(...parts)));
      await expect(opening({ envelope: { ...envelope, signature } })).rejects.toThrow(OpenError);
    }
  });

  test('with another version, or fields in other places, though signed', async () => {
    const tuples = [
      ['2', sealId, encryptedContent, envelope.sealedKey, senderAddress, recipientAddress],
      ['1', encryptedContent, sealId, envelope.sealedKey, senderAddress, recipientAddress],
      ['1', sealId, encryptedContent, envelope.sealedKey, recipientAddress, senderAddress],
      ['1', sealId, encryptedContent, envelope.sealedKey, senderAddress],
      ['1', sealId + encryptedContent, '', envelope.sealedKey, senderAddress, recipientAddress],
    ];
    for (const parts of tuples) {
      const signature = toBase64(sender.sign('latebra/v1/whisper', lengthPrefixed(...parts)));
      await expect(opening({ envelope: { ...envelope, signature } })).rejects.toThrow(OpenError);
    }
  });

  const text = scrollKeyToText(letterKey);
  test.each<[string, unknown]>([
    ['another version', { v: 2, letterKey: text, sender: senderAddress, recipient: recipientAddress }],
    ['no sender', { v: 1, letterKey: text, recipient: recipientAddress }],
    ['another recipient', { v: 1, letterKey: text, sender: senderAddress, recipient: senderAddress }],
    ['half a key', { v: 1, letterKey: text.slice(1), sender: senderAddress, recipient: recipientAddress }],
    ['a number for a key', { v: 1, letterKey: 1, sender: senderAddress, recipient: recipientAddress }],
    ['the bare key', text],
    ['nothing', null],
  ])('with %s inside, though signed by its sender', async (_, inside) => {
    const sealedKey = await sealTo(recipient.recipient, JSON.stringify(inside));
    const parts = ['1', sealId, encryptedContent, sealedKey, senderAddress, recipientAddress];
    const signature = toBase64(sender.sign('latebra/v1/whisper', lengthPrefixed(...parts)));
    await expect(opening({ envelope: { ...envelope, sealedKey, signature } })).rejects.toThrow(OpenError);
  });

  // Each trial costs a verification: some places, and the last. `every-byte.test.ts` tries every byte of one.
  const trials = (length: number) =>
    Array.from({ length }, (_, i) => i).filter((i) => i % 41 === 0 || i === length - 1);

  test.each(['sealedKey', 'senderVerifyingKey', 'signature'] as const)(
    'with a byte of %s changed',
    async (part) => {
      const own = fromBase64(envelope[part]);
      for (const i of trials(own.length)) {
        const changed = { ...envelope, [part]: toBase64(flip(own, i)) };
        await expect(opening({ envelope: changed })).rejects.toThrow(OpenError);
      }
    },
  );

  test('with a character of the sender’s recipient changed', async () => {
    const own = envelope.senderRecipient;
    for (const i of trials(own.length)) {
      const other = own[i] === 'q' ? 'p' : 'q';
      const changed = { ...envelope, senderRecipient: own.slice(0, i) + other + own.slice(i + 1) };
      await expect(opening({ envelope: changed })).rejects.toThrow(OpenError);
    }
  });

  test('with any part missing, or of another type', async () => {
    for (const part of Object.keys(envelope)) {
      for (const wrong of [undefined, null, 0, '', 'AAAA', [], {}, true]) {
        const changed = { ...envelope, [part]: wrong };
        await expect(opening({ envelope: changed })).rejects.toThrow(OpenError);
      }
    }
    for (const wrong of [undefined, null, 0, '', []]) {
      await expect(opening({ envelope: wrong as never })).rejects.toThrow(OpenError);
    }
  });
});

/** The last character of Bech32's checksum changed: to another one, whichever it was. */
const withAnotherEnd = (text: string) => text.slice(0, -1) + (text.endsWith('q') ? 'p' : 'q');

test('nothing is sealed that is no scroll key, or to what is no vault', async () => {
  const sound = { letterKey, encryptedContent, sealId, sender, recipient };
  const attempts = [
    { ...sound, letterKey: letterKey.subarray(1) },
    { ...sound, recipient: { ...recipient, recipient: 'age1pq1' } },
    { ...sound, recipient: { ...recipient, recipient: withAnotherEnd(recipient.recipient) } },
    { ...sound, recipient: { ...recipient, verifyingKey: '' } },
    { ...sound, sender: { ...sender, recipient: '' } },
  ];
  for (const attempt of attempts) await expect(sealWhisper(attempt)).rejects.toThrow(SealError);
});

describe('what a server says of a vault', () => {
  test('is believed when its address and its signature say the same', async () => {
    expect(await checkVaultKeys(recipientAddress, await createClientKey(recipientKey))).toBe(true);
  });

  test('is not, when it is another vault, or its keys are two vaults’', async () => {
    const [own, other] = [await createClientKey(recipientKey), await createClientKey(thirdKey)];
    expect(await checkVaultKeys(recipientAddress, other)).toBe(false);
    for (const part of ['recipient', 'verifyingKey', 'signature'] as const) {
      expect(await checkVaultKeys(recipientAddress, { ...own, [part]: other[part] })).toBe(false);
    }
    expect(await checkVaultKeys(recipientAddress, { ...own, generation: 2 })).toBe(false);
    // An address that somebody has made of two keys that do not belong together.
    const mixed = { ...own, recipient: other.recipient };
    expect(await checkVaultKeys(await addressOf(mixed), mixed)).toBe(false);
  });

  test('is not, when anything is malformed; and that is no error', async () => {
    const own = await createClientKey(recipientKey);
    for (const wrong of [undefined, null, 0, '', 'AAAA', {}]) {
      for (const part of ['recipient', 'verifyingKey', 'signature'] as const) {
        expect(await checkVaultKeys(recipientAddress, { ...own, [part]: wrong as never })).toBe(false);
      }
      expect(await checkVaultKeys(recipientAddress, wrong as never)).toBe(false);
    }
    expect(await checkVaultKeys(recipientAddress.toUpperCase(), own)).toBe(false);
    expect(await checkVaultKeys('', own)).toBe(false);
  });
});
