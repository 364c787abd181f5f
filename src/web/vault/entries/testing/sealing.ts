// Rows as a browser of their owner would seal them, and opened again: for tests that make rows without a screen.
import { openWithFacts, type SealFacts, seal } from '../../../../crypto/seal.ts';
import { type BoundFacts, boundTexts } from '../../../../shared/sealed-facts.ts';
import type { KindName } from '../../../../shared/sealed-kinds.ts';

/** What a row says where a test does not choose. */
const CHOSEN: { [K in KindName]: BoundFacts<K> } = {
  memory: { version: 1, timeLockUntil: null },
  relationship: { version: 1, eventType: 'moment', emotionalWeight: 3 },
  myth: { version: 1, storyType: 'biography' },
  onboarding: {},
  'sacred-key': { entryType: 'memory', expiresAt: '2126-01-13T00:00:00.000Z', hasPassphrase: false },
  webhook: {},
  'guardian-kit': { needed: 2, count: 3, waitDays: 14, address: 'A'.repeat(22) },
  'legacy-scroll': {
    ...{ version: 1, triggerType: 'manual', triggerValue: 'manual', timeZone: 'UTC', authorName: null },
    recipients: [],
  },
  ghost: { maxReads: null, expiresAt: '2126-01-13T00:00:00.000Z' },
  breath: {},
};

/** @param clear what the row says; of a new row, what is sent beside the ciphertext */
export function factsFor(kind: KindName, clear: object = {}): SealFacts {
  const { createdAt, updatedAt } = clear as { createdAt?: string; updatedAt?: string };
  const first = createdAt ?? new Date().toISOString();
  const row = { ...CHOSEN[kind], ...clear } as BoundFacts<KindName>;
  return { bound: boundTexts(kind, row), createdAt: first, updatedAt: updatedAt ?? first };
}

/** Texts by the names of their fields, as one row. */
export async function sealRow(
  key: CryptoKey,
  kind: KindName,
  sealId: string,
  texts: Record<string, string>,
  clear: object = {},
): Promise<Record<string, string>> {
  const facts = factsFor(kind, clear);
  const fields = Object.entries(texts).map(
    async ([field, text]) => [field, await seal(text, key, { kind, field, sealId }, facts)] as const,
  );
  return Object.fromEntries(await Promise.all(fields));
}

/** The text of one field of a row, whatever facts it was sealed with. @throws OpenError */
export async function openField(
  key: CryptoKey,
  kind: string,
  field: string,
  row: { sealId: string | null },
  sealed: string | null | undefined,
): Promise<string> {
  return (await openWithFacts(sealed ?? '', key, { kind, field, sealId: row.sealId ?? '' })).text;
}
