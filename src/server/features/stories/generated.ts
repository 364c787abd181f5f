// A whole story that this server puts into a vault: sealed to the vault's recipient before anything is stored, under the key
// that the vault has when it is stored.
import type { Myth, MythInput } from '../../../shared/nouns/myth.ts';
import type { StoryText } from '../../../shared/story-text.ts';
import { newSealId, type SealBox, sealerTo } from '../../adapters/sealed-box.ts';
import type { Deps } from '../../deps.ts';
import { AppError } from '../../errors.ts';

/** A vault's key, as far as somebody needs it who seals to it. */
export interface Recipient {
  fingerprint: string;
  recipient: string;
}

/** What this feature asks of those that own the tables. */
export interface Vaults {
  findRecipient(deps: Deps, accountId: number): Promise<Recipient | null>;
  create(deps: Deps, accountId: number, myth: MythInput): Promise<Myth | 'seal-reused' | 'key-changed'>;
}

/**
 * Seals to the vault's key; null for a vault that has none.
 * @throws AppError `key-unusable` where nothing can be sealed to it
 */
export async function sealerOf(
  deps: Deps,
  { findRecipient }: Pick<Vaults, 'findRecipient'>,
  accountId: number,
): Promise<{ seal: SealBox; fingerprint: string } | null> {
  const key = await findRecipient(deps, accountId);
  if (!key) return null;
  const seal = await sealerTo(key.recipient);
  if (!seal) throw new AppError('key-unusable');
  return { seal, fingerprint: key.fingerprint };
}

/**
 * Keeps a story. `writer` is the model that wrote it; null for the Loom. A vault whose key was replaced meanwhile gets it under the new one.
 * @throws AppError `no-vault-key`, and `key-changed` where that happens a second time
 */
export async function keepStory(
  deps: Deps,
  vaults: Vaults,
  accountId: number,
  { title, text, storyType, writer }: StoryText & Pick<Myth, 'storyType'> & { writer: string | null },
): Promise<Myth> {
  for (let tries = 2; tries > 0; tries -= 1) {
    const sealer = await sealerOf(deps, vaults, accountId);
    if (!sealer) throw new AppError('no-vault-key');
    const { seal, fingerprint } = sealer;
    const place = { kind: 'myth', sealId: newSealId() };
    const kept = await vaults.create(deps, accountId, {
      storyType,
      title: await seal(title, { ...place, field: 'title' }),
      encryptedContent: await seal(text, { ...place, field: 'encryptedContent' }),
      details: await seal(madeBy(writer), { ...place, field: 'details' }),
      sealId: place.sealId,
      keyFingerprint: fingerprint,
    });
    if (typeof kept !== 'string') return kept;
    if (kept !== 'key-changed') throw new AppError(kept);
  }
  throw new AppError(
    'key-changed',
    'The vault’s key was changed while this story was written. Please try again.',
  );
}

/** The details of a generated story (docs/formats.md, "Details"), as canonical JSON. */
const madeBy = (writer: string | null): string =>
  writer === null
    ? '{"arrived":{"by":"server"},"made":{"by":"loom"},"v":1}'
    : `{"arrived":{"by":"model","model":${JSON.stringify(writer.slice(0, 200))}},"v":1}`;
