// Opening the rows of a list, thousands of them, without holding the page up.
import { OpenError } from '../../../crypto/errors.ts';
import { openMany } from '../../../crypto/seal.ts';
import { arrivalsUnder, openingKey } from '../key/key-ring.ts';
import type { OpenVault } from '../session/vault-context.ts';
import { detailsOfRow, type EntryCodec, type EntryType, type SealedRow } from './entry-codec.ts';

/** A new task, so that the page can draw and answer between two chunks. */
function yieldTask(): Promise<void> {
  return new Promise((resolve) => {
    const channel = new MessageChannel();
    channel.port1.onmessage = () => resolve();
    channel.port2.postMessage(null);
  });
}
const PACE = { yieldTask, now: () => performance.now() };

/** The key of each row's fingerprint; null for those of which this vault has none. */
async function openingKeys(rows: readonly SealedRow[], vault: OpenVault) {
  const keys = new Map<string | null, CryptoKey | null>();
  for (const fingerprint of new Set(rows.map(({ keyFingerprint }) => keyFingerprint))) {
    const key = await openingKey(vault, fingerprint).catch((error: unknown) => {
      if (error instanceof OpenError) return null;
      throw error;
    });
    keys.set(fingerprint, key);
  }
  return keys;
}

/** Opens rows in order; a row that cannot be opened is kept, with nulls. */
export async function openRows<N extends EntryType>(
  { noun, fields, opened }: EntryCodec<N>,
  rows: readonly N['row'][],
  vault: OpenVault,
): Promise<N['entry'][]> {
  const texts = new Map<N['row'], (string | null)[]>();
  const details = new Map<N['row'], string>();
  const outside = new Set<N['row']>();
  for (const [fingerprint, key] of await openingKeys(rows, vault)) {
    const own = rows.filter((row) => row.keyFingerprint === fingerprint);
    const sealedFields = own.flatMap((row) =>
      fields.map((field) => ({
        sealed: String(row[field] ?? ''),
        context: { kind: noun, field: String(field), sealId: row.sealId ?? '' },
      })),
    );
    const detailed = own.filter((row) => row.details !== null);
    sealedFields.push(
      ...detailed.map((row) => ({
        sealed: row.details ?? '',
        context: { kind: noun, field: 'details', sealId: row.sealId ?? '' },
      })),
    );
    const isOutside = key ? await arrivalsUnder(vault, fingerprint) : () => false;
    const outcomes = key ? await openMany(sealedFields, key, PACE) : [];
    own.forEach((row, i) => {
      const one = fields.map((_, j) => outcomes[i * fields.length + j]);
      if (isOutside(row.sealId)) outside.add(row);
      texts.set(
        row,
        one.map((outcome) => (outcome?.ok ? outcome.text : null)),
      );
    });
    detailed.forEach((row, i) => {
      const outcome = outcomes[own.length * fields.length + i];
      if (outcome?.ok) details.set(row, outcome.text);
    });
  }
  return rows.map((row) => {
    // While the words are withheld, so are the details: whether there are any is not known.
    const withheld = fields.some((field) => row[field] === null);
    const text = details.get(row) ?? (row.details === null && !withheld ? null : undefined);
    const entry = opened(row, texts.get(row) ?? [], detailsOfRow(row, text));
    return { ...entry, outside: outside.has(row) } as N['entry'];
  });
}
