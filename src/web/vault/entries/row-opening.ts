// Opening rows with keys that are at hand: for the page and for its worker, so without React and without a vault.
import { type Opened, openMany, type Pace, type SealContext } from '../../../crypto/seal.ts';
import { isSealedBox } from '../../../crypto/sealed-box.ts';
import { withArrival } from './details.ts';
import {
  arrivedField,
  detailsOfRow,
  type EntryCodec,
  type EntryType,
  type SealedRow,
} from './entry-codec.ts';

/** As much of a noun as opening takes. */
export type RowCodec<N extends EntryType> = Pick<EntryCodec<N>, 'noun' | 'fields' | 'arrives' | 'opened'>;

/** What opens the rows that name one key. */
export interface RowKeys {
  key: CryptoKey;
  /** Whether a row of this seal number has arrived from outside (key-ring.ts). */
  isOutside(sealId: string | null): boolean;
  /** Opens sealed boxes, in order. */
  openBoxes(boxes: readonly Sealed[]): Promise<Opened[]>;
}

/** Whether a server has sealed any field of a row. */
export const isBoxed = <N extends EntryType>(
  { fields }: Pick<EntryCodec<N>, 'fields'>,
  row: N['row'],
): boolean =>
  [...fields.map((field) => row[field]), row.details].some((text) => isSealedBox(String(text ?? '')));

export interface Sealed {
  sealed: string;
  context: SealContext;
}

/** Opens seals and sealed boxes under one key of the vault, in order. */
async function openEach(
  records: readonly Sealed[],
  { key, openBoxes }: RowKeys,
  arrives: boolean,
  pace: Pace,
): Promise<Opened[]> {
  const boxes = records.filter(({ sealed }) => isSealedBox(sealed));
  const seals = boxes.length > 0 ? records.filter(({ sealed }) => !isSealedBox(sealed)) : records;
  const opened = await openMany(seals, key, pace);
  if (boxes.length === 0) return opened;
  const fromBoxes = arrives ? await openBoxes(boxes) : boxes.map((): Opened => ({ ok: false }));
  const [nextSeal, nextBox] = [opened.values(), fromBoxes.values()];
  return records.map(
    ({ sealed }) => (isSealedBox(sealed) ? nextBox : nextSeal).next().value ?? { ok: false },
  );
}

/**
 * Tries what did not open once more, as something that had arrived from outside when it was sealed.
 * @returns what opens so, by its place in `records`
 */
async function openArrived(
  records: readonly Sealed[],
  outcomes: readonly Opened[],
  key: CryptoKey,
  pace: Pace,
): Promise<Map<number, Opened>> {
  const left = records.flatMap(({ sealed, context }, at) =>
    outcomes[at]?.ok || isSealedBox(sealed)
      ? []
      : [{ at, sealed, context: { ...context, field: arrivedField(context.field) } }],
  );
  const opened = left.length === 0 ? [] : await openMany(left, key, pace);
  return new Map(left.flatMap(({ at }, i) => (opened[i]?.ok ? [[at, opened[i]] as const] : [])));
}

/**
 * Opens rows in order; a row that cannot be opened is kept, with nulls.
 * @param keysOf the keys for the rows of one fingerprint; null where there are none
 */
export async function openRowsWith<N extends EntryType>(
  codec: RowCodec<N>,
  rows: readonly N['row'][],
  keysOf: (fingerprint: SealedRow['keyFingerprint']) => Promise<RowKeys | null>,
  pace: Pace,
): Promise<N['entry'][]> {
  const { noun, fields, opened, arrives } = codec;
  const texts = new Map<N['row'], (string | null)[]>();
  const details = new Map<N['row'], string>();
  const outside = new Set<N['row']>();
  const marked = new Set<N['row']>();
  for (const fingerprint of new Set(rows.map(({ keyFingerprint }) => keyFingerprint))) {
    const keys = await keysOf(fingerprint);
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
    const outcomes = keys ? await openEach(sealedFields, keys, arrives, pace) : [];
    const owners = [...own.flatMap((row) => fields.map(() => row)), ...detailed];
    for (const [at, outcome] of keys && arrives
      ? await openArrived(sealedFields, outcomes, keys.key, pace)
      : []) {
      outcomes[at] = outcome;
      marked.add(owners[at] as N['row']);
    }
    own.forEach((row, i) => {
      const one = fields.map((_, j) => outcomes[i * fields.length + j]);
      if (keys?.isOutside(row.sealId)) outside.add(row);
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
    const found = details.get(row) ?? (row.details === null && !withheld ? null : undefined);
    const boxed = isBoxed(codec, row);
    // A mark in the seals stands whatever the details say, also where they were left out or spoiled.
    const hasArrived = (marked.has(row) && !withheld) || (boxed && found !== undefined);
    const text = hasArrived ? withArrival(found ?? null) : found;
    const entry = opened(row, texts.get(row) ?? [], detailsOfRow(row, text));
    return { ...entry, outside: outside.has(row), boxed } as N['entry'];
  });
}
