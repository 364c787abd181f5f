// Proves on the spot that this browser does what the page says: it seals, alters, and sees the altered refused. It works
// on a key of its own, made for the trial; the vault's key is not touched.
import { fromBase64, toBase64 } from '../../../crypto/base64.ts';
import { newSealId, open, seal } from '../../../crypto/seal.ts';
import { deriveContentKey, generateVaultKey } from '../../../crypto/vault-key.ts';

export interface Step {
  name: string;
  /** What had to happen. */
  says: string;
  holds: boolean;
  /** How long it took, in milliseconds. */
  took: number;
}

const SENTENCE = 'There is a bell under the lake. It still rings.';

/** A copy with one bit of one byte turned. */
function altered(bytes: Uint8Array): Uint8Array {
  const copy = Uint8Array.from(bytes);
  const at = Math.floor(copy.length / 2);
  copy[at] = (copy[at] ?? 0) ^ 1;
  return copy;
}

/** Whether something fails, as it must. */
async function refuses(work: () => Promise<unknown>): Promise<boolean> {
  try {
    await work();
    return false;
  } catch {
    return true;
  }
}

/**
 * Runs the trial, step by step.
 * @param tell told of each step as it is done
 * @param now a clock in milliseconds
 */
export async function runTrial(tell: (step: Step) => void, now: () => number): Promise<void> {
  async function step(name: string, says: string, work: () => Promise<boolean>) {
    const began = now();
    const holds = await work().catch(() => false);
    tell({ name, says, holds, took: now() - began });
  }

  // Fetched first, so that the times are those of the work.
  const { deriveIdentity, verifySignature } = await import('../../../crypto/identity.ts');
  const { openFrom, sealTo } = await import('../../../crypto/age-file.ts');
  const key = generateVaultKey();
  const contentKey = await deriveContentKey(key);
  const context = { kind: 'memory', field: 'encryptedContent', sealId: newSealId() };

  let sealed = '';
  await step('Seal', 'A sentence was sealed with AES-256-GCM, and is nowhere in what came out.', async () => {
    sealed = await seal(SENTENCE, contentKey, context);
    return !atob(sealed).includes(SENTENCE);
  });
  await step(
    'Open',
    'The same key gave the same sentence back.',
    async () => (await open(sealed, contentKey, context)) === SENTENCE,
  );
  await step('Tamper', 'One bit was turned. The browser refused to open it.', () =>
    refuses(() => open(toBase64(altered(fromBase64(sealed))), contentKey, context)),
  );
  await step('Move', 'It was put in another entry’s place. The browser refused to open it.', () =>
    refuses(() => open(sealed, contentKey, { ...context, sealId: newSealId() })),
  );
  await step('Another key', 'Another key was tried. It opened nothing.', async () => {
    const other = await deriveContentKey(generateVaultKey());
    return refuses(() => open(sealed, other, context));
  });

  const identity = await deriveIdentity(key);
  await step(
    'Post-quantum sealing',
    'A letter was sealed to a public key of ML-KEM-768 and X25519, opened by its secret one, and refused once altered.',
    async () => {
      const letter = await sealTo(identity.recipient, SENTENCE);
      const back = await openFrom(identity.ageIdentity, letter);
      const broken = toBase64(altered(fromBase64(letter)));
      return back === SENTENCE && (await refuses(() => openFrom(identity.ageIdentity, broken)));
    },
  );
  await step(
    'Post-quantum signing',
    'A sentence was signed with ML-DSA-44. The signature held, and not for an altered sentence.',
    async () => {
      const message = new TextEncoder().encode(SENTENCE);
      const signature = identity.sign('latebra/v1/identity', message);
      const holds = (text: Uint8Array) =>
        verifySignature(identity.verifyingKey, 'latebra/v1/identity', text, signature);
      return holds(message) && !holds(altered(message));
    },
  );
}
