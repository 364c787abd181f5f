// Opening rows with keys that are at hand: for the page and for its worker, so without React and without a vault.
import { OpenError } from '../../crypto/errors.ts';
import {
  boundBytes,
  type Opened,
  openMany,
  openWithFacts,
  type Pace,
  type SealContext,
  type SealFacts,
} from '../../crypto/seal.ts';
import { isSealedBox } from '../../crypto/sealed-box.ts';
import { boundTexts, type ChangedFact, factsFromTexts } from '../../shared/sealed-facts.ts';
import { leafOfRow } from '../book/leaf-of-row.ts';
import { lockLiesAhead } from '../book/lock-ahead.ts';
import { withArrival } from '../entries/details.ts';
import { judgeFacts } from '../entries/facts.ts';
import {
  arrivedField,
  detailsOfRow,
  type EntryKind,
  type EntryType,
  entryFacts,
  type SealedRow,
} from '../kinds/entry-kind.ts';

/** As much of a noun as opening takes. */
export type RowCodec<N extends EntryType> = Pick<EntryKind<N>, 'noun' | 'fields' | 'arrives' | 'opened'>;

/** What opens the rows that name one key. */
export interface RowKeys {
  key: CryptoKey;
  /** Whether a row of this seal number has arrived from outside (key-ring.ts). */
  isOutside(sealId: string | null): boolean;
  /** Opens sealed boxes, in order. */
  openBoxes(boxes: readonly Boxed[]): Promise<OpenedBox[]>;
}

/** Whether a server has sealed any field of a row. */
export const isBoxed = <N extends EntryType>(
  { fields }: Pick<EntryKind<N>, 'fields'>,
  row: N['row'],
): boolean =>
  [...fields.map((field) => row[field]), row.details].some((text) => isSealedBox(String(text ?? '')));

/** A text that a server may have sealed. */
export interface Boxed {
  sealed: string;
  context: SealContext;
}
/** A box says nothing of the facts of its row, nor when it was written. */
export type OpenedBox = { ok: true; text: string } | { ok: false };

/** One sealed field of a row, and the facts that the row shows. */
interface Sealed extends Boxed {
  bound: ReturnType<typeof boundBytes>;
}
type Outcome = Opened | OpenedBox;
type Times = Pick<SealFacts, 'createdAt' | 'updatedAt'>;

/** Opens seals and sealed boxes under one key of the vault, in order. */
async function openEach(
  records: readonly Sealed[],
  { key, openBoxes }: RowKeys,
  arrives: boolean,
  pace: Pace,
): Promise<Outcome[]> {
  const boxes = records.filter(({ sealed }) => isSealedBox(sealed));
  const seals = boxes.length > 0 ? records.filter(({ sealed }) => !isSealedBox(sealed)) : records;
  const opened = await openMany(seals, key, pace);
  if (boxes.length === 0) return opened;
  const fromBoxes = arrives ? await openBoxes(boxes) : boxes.map((): OpenedBox => ({ ok: false }));
  const [nextSeal, nextBox] = [opened.values(), fromBoxes.values()];
  return records.map(
    ({ sealed }) => (isSealedBox(sealed) ? nextBox : nextSeal).next().value ?? { ok: false },
  );
}

/** Whether a seal opened beside the facts that its row shows: no box, and nothing that was kept back. */
const isOpen = (outcome: Outcome): outcome is Opened & { ok: true } => outcome.ok && 'updatedAt' in outcome;

/** The facts of a seal that was kept back because the row shows others. */
const sealedOf = (outcome: Outcome | undefined): SealFacts | null =>
  outcome && 'sealed' in outcome ? (outcome.sealed ?? null) : null;

/**
 * Tries what did not open once more, as something that had arrived from outside when it was sealed. What is one says so in
 * its context from then on.
 * @returns what is one, by its place in `records`
 */
async function openArrived(
  records: readonly Sealed[],
  outcomes: readonly Outcome[],
  key: CryptoKey,
  pace: Pace,
): Promise<Map<number, Opened>> {
  const left = records.flatMap((record, at) => {
    const outcome = outcomes[at];
    if (outcome?.ok || sealedOf(outcome) || isSealedBox(record.sealed)) return [];
    const { context } = record;
    return [{ ...record, at, context: { ...context, field: arrivedField(context.field) } }];
  });
  const opened = left.length === 0 ? [] : await openMany(left, key, pace);
  return new Map(
    left.flatMap(({ at }, i) => {
      const outcome = opened[i];
      return outcome && (outcome.ok || outcome.sealed) ? [[at, outcome] as const] : [];
    }),
  );
}

/** What was found of one row. */
interface Found {
  /** The opened fields in the order of the codec's, and the details; null where one does not open. */
  texts: (string | null)[];
  /** When it was written, and where facts were changed, as they were sealed; null where nothing says so. */
  facts: (Times & Partial<SealFacts>) | null;
  /** Whether texts were kept back, because the server shows other facts. */
  changed: readonly ChangedFact[] | null;
  outside: boolean;
  /** Whether a field of it says that it has arrived. */
  marked: boolean;
}

/** What the outcomes of a row's fields say of it. */
function judge(
  noun: RowCodec<EntryType>['noun'],
  row: SealedRow,
  outcomes: readonly Outcome[],
): Pick<Found, 'texts' | 'facts' | 'changed'> {
  const texts = outcomes.map((outcome) => (outcome.ok ? outcome.text : null));
  const [first] = outcomes;
  // Nearly every row: it shows the facts that were sealed, and all its fields were sealed at one moment.
  if (first && isOpen(first) && outcomes.every((one) => isOpen(one) && one.updatedAt === first.updatedAt)) {
    return { texts, facts: first, changed: null };
  }
  const nothing = texts.map(() => null);
  const shown = entryFacts(row);
  try {
    const bound = boundTexts(noun, shown);
    const sealed = outcomes.flatMap((one) => {
      if (!isOpen(one)) return sealedOf(one) ?? [];
      return { bound, createdAt: one.createdAt, updatedAt: one.updatedAt };
    });
    if (sealed.length === 0) return { texts, facts: null, changed: null };
    const { facts, changed } = judgeFacts(noun, shown, sealed);
    return { texts: changed ? nothing : texts, facts, changed };
  } catch (error) {
    if (!(error instanceof OpenError)) throw error;
    return { texts: nothing, facts: null, changed: null };
  }
}

/**
 * Opens rows in order; a row that cannot be opened, or that the server shows otherwise than it was sealed, is kept, with
 * nulls.
 * @param keysOf the keys for the rows of one fingerprint; null where there are none
 * @param options `asSealed`: rows that are shown otherwise are opened all the same, with the facts that they were sealed with
 */
export async function openRowsWith<N extends EntryType>(
  codec: RowCodec<N>,
  rows: readonly N['row'][],
  keysOf: (fingerprint: SealedRow['keyFingerprint']) => Promise<RowKeys | null>,
  pace: Pace,
  { asSealed = false } = {},
): Promise<N['entry'][]> {
  const { noun, fields, arrives } = codec;
  const found = new Map<N['row'], Found>();
  for (const fingerprint of new Set(rows.map(({ keyFingerprint }) => keyFingerprint))) {
    const keys = await keysOf(fingerprint);
    if (!keys) continue;
    const own = rows.filter((row) => row.keyFingerprint === fingerprint);
    const records = own.flatMap((row) => recordsOf(codec, row));
    const outcomes = await openEach(records, keys, arrives, pace);
    const arrived = arrives ? await openArrived(records, outcomes, keys.key, pace) : new Map();
    for (const [at, outcome] of arrived) outcomes[at] = outcome;
    let from = 0;
    for (const row of own) {
      const first = from;
      from += fields.length + (row.details === null ? 0 : 1);
      const judged = judge(noun, row, outcomes.slice(first, from));
      if (asSealed && judged.changed) {
        const mine = records.slice(first, from);
        judged.texts = await Promise.all(
          mine.map((record, i) => openAsSealed(record, arrived.has(first + i), keys.key)),
        );
      }
      const marked = arrived.size > 0 && records.slice(first, from).some((_, i) => arrived.has(first + i));
      found.set(row, { ...judged, outside: keys.isOutside(row.sealId), marked });
    }
  }
  return rows.map((row) => entryOf(codec, row, found.get(row), asSealed));
}

/** The sealed fields of a row, its details last if it has any. */
function recordsOf<N extends EntryType>({ noun, fields }: RowCodec<N>, row: N['row']): Sealed[] {
  const bound = boundBytes(boundTexts(noun, entryFacts(row)));
  const record = (field: string, sealed: string) => ({
    sealed,
    context: { kind: noun, field, sealId: row.sealId ?? '' },
    bound,
  });
  const records = fields.map((field) => record(String(field), String(row[field] ?? '')));
  if (row.details !== null) records.push(record('details', row.details));
  return records;
}

/** The text of a field whatever facts it was sealed with; null where it does not open. */
const openAsSealed = ({ sealed, context }: Sealed, marked: boolean, key: CryptoKey): Promise<string | null> =>
  openWithFacts(sealed, key, marked ? { ...context, field: arrivedField(context.field) } : context).then(
    ({ text }) => text,
    () => null,
  );

function entryOf<N extends EntryType>(
  codec: RowCodec<N>,
  row: N['row'],
  found: Found | undefined,
  asSealed: boolean,
): N['entry'] {
  const { noun, fields, opened } = codec;
  const { texts = [], facts = null, changed = null, outside = false, marked = false } = found ?? {};
  // While the words are not there, neither are the details: whether there are any is not known.
  const isWithout = fields.some((field) => row[field] === null);
  const withheld = isWithout && lockLiesAhead(lockOf(codec, row, found), Date.now());
  const details = texts[fields.length] ?? (row.details === null && !isWithout ? null : undefined);
  const boxed = isBoxed(codec, row);
  // A mark in the seals stands whatever the details say, also where they were left out or spoiled.
  const hasArrived = (marked && !isWithout) || (boxed && details !== undefined);
  const text = hasArrived ? withArrival(details ?? null) : details;
  const { createdAt, updatedAt } = facts ?? row;
  // It is changed under the number that the server has.
  const chosen = asSealed && changed && { ...factsFromTexts(noun, facts?.bound ?? []), version: row.version };
  const entry = opened(chosen ? { ...row, ...chosen } : row, texts, detailsOfRow({ createdAt }, text));
  const leaf = leafOfRow(noun, row);
  const leftOut = isWithout && !withheld;
  return { ...entry, createdAt, updatedAt, withheld, leftOut, outside, boxed, changed, leaf } as N['entry'];
}

/** The lock that was sealed in with a row, where that says another one than the row shows. */
function lockOf<N extends EntryType>({ noun }: RowCodec<N>, row: N['row'], found: Found | undefined) {
  const sealed = found?.changed ? factsFromTexts(noun, found.facts?.bound ?? []) : row;
  return (sealed as { timeLockUntil?: string | null }).timeLockUntil;
}
