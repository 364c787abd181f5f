// What both ends of a one-time link do: the chamber that makes it and the page that opens it (docs/formats.md, "Share").
import { OpenError } from '../../crypto/errors.ts';
import { open, seal } from '../../crypto/seal.ts';
import type { ShareEntryType } from '../../shared/nouns/sacred-key.ts';
import { anything, between, type Check, number, object, oneOf, optional, text } from '../api/plain-checks.ts';

interface Shared {
  v: 1;
  content: string;
  /** A reader wants to know when it was. Its author's tags are for finding it again, and do not go along. */
  happenedOn?: string | undefined;
  createdAt: string;
  /** Descriptions of files that come along, as in details (docs/formats.md, "Files of an entry"); absent for none. */
  files?: unknown;
}
type SharedMemory = Shared & { entryType: 'memory'; title: string };
type SharedMoment = Shared & {
  entryType: 'relationship';
  personName: string;
  /** Both are absent where its author's browser could not know them. */
  eventType?: string | undefined;
  emotionalWeight?: number | undefined;
};
type SharedMyth = Shared & { entryType: 'myth'; title: string; storyType: string };

/** An entry as its recipient reads it. */
export type SharedEntry = SharedMemory | SharedMoment | SharedMyth;

const version: Check<1> = between(1, 1) as Check<1>;
// Kinds and weights are not judged here: words that came through must not be lost over a kind that is not known yet.
const shared = { v: version, content: text, happenedOn: optional(text), createdAt: text, files: anything };
const checks = {
  memory: object<SharedMemory>({ ...shared, entryType: oneOf(['memory']), title: text }),
  relationship: object<SharedMoment>({
    ...shared,
    entryType: oneOf(['relationship']),
    personName: text,
    eventType: optional(text),
    emotionalWeight: optional(number),
  }),
  myth: object<SharedMyth>({ ...shared, entryType: oneOf(['myth']), title: text, storyType: text }),
} satisfies Record<ShareEntryType, Check<SharedEntry>>;

/** @throws Error for what is no entry of a known shape */
function checkShared(value: unknown): SharedEntry {
  const { entryType } = object({ entryType: oneOf(['memory', 'relationship', 'myth']) })(value);
  return checks[entryType](value);
}

const contextOf = (keyId: string) => ({ kind: 'share', field: 'encryptedContent', sealId: keyId });

/** Seals an entry for whoever holds the link. @throws SealError */
export function sealShared(entry: SharedEntry, contentKey: CryptoKey, keyId: string): Promise<string> {
  return seal(JSON.stringify(entry), contentKey, contextOf(keyId));
}

/** Opens what `sealShared` made. @throws OpenError, also for an entry of a shape that is not known here */
export async function openShared(sealed: string, contentKey: CryptoKey, keyId: string): Promise<SharedEntry> {
  const opened = await open(sealed, contentKey, contextOf(keyId));
  try {
    return checkShared(JSON.parse(opened));
  } catch {
    throw new OpenError();
  }
}

/** What the recipient is given: the secret stands behind `#`, which a browser never sends. */
export const linkOf = (shareUrl: string, secret: string) => `${shareUrl}#${secret}`;
