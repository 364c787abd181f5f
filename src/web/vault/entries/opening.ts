// Opening the rows of a list, thousands of them, without holding the page up.
import { OpenError } from '../../../crypto/errors.ts';
import { type Opened, openMany, type SealContext } from '../../../crypto/seal.ts';
import { isSealedBox, openSealedBox } from '../../../crypto/sealed-box.ts';
import { ageIdentityUnder } from '../key/age-identity.ts';
import { AnotherKey } from '../key/key-in-hand.ts';
import { arrivalsUnder, openingKey } from '../key/key-ring.ts';
import type { OpenVault } from '../session/vault-context.ts';
import { withArrival } from './details.ts';
import {
  arrivedField,
  detailsOfRow,
  type EntryCodec,
  type EntryType,
  type SealedRow,
} from './entry-codec.ts';

/** A new task, so that the page can draw and answer between two chunks. */
function yieldTask(): Promise<void> {
  return new Promise((resolve) => {
    const channel = new MessageChannel();
    channel.port1.onmessage = () => resolve();
    channel.port2.postMessage(null);
  });
}
const PACE = { yieldTask, now: () => performance.now() };
/** After how many milliseconds of opening boxes the page has its turn. */
const FRAME = 8;

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

/** Whether a server has sealed any field of a row. */
export const isBoxed = <N extends EntryType>({ fields }: EntryCodec<N>, row: N['row']): boolean =>
  [...fields.map((field) => row[field]), row.details].some((text) => isSealedBox(String(text ?? '')));

interface Sealed {
  sealed: string;
  context: SealContext;
}

/** Opens seals and sealed boxes under one key of the vault, in order. */
async function openEach(
  records: readonly Sealed[],
  key: CryptoKey,
  fingerprint: string | null,
  vault: OpenVault,
  arrives: boolean,
): Promise<Opened[]> {
  const boxes = records.filter(({ sealed }) => isSealedBox(sealed));
  const seals = boxes.length > 0 ? records.filter(({ sealed }) => !isSealedBox(sealed)) : records;
  const opened = await openMany(seals, key, PACE);
  if (boxes.length === 0) return opened;
  const fromBoxes = arrives
    ? await openBoxes(boxes, fingerprint, vault)
    : boxes.map((): Opened => ({ ok: false }));
  const [nextSeal, nextBox] = [opened.values(), fromBoxes.values()];
  return records.map(
    ({ sealed }) => (isSealedBox(sealed) ? nextBox : nextSeal).next().value ?? { ok: false },
  );
}

/** One after the other: each takes some milliseconds of the page's own thread. */
async function openBoxes(
  boxes: readonly Sealed[],
  fingerprint: string | null,
  vault: OpenVault,
): Promise<Opened[]> {
  const identity = await ageIdentityUnder(vault, fingerprint).catch((error: unknown) => {
    // What is in the slot is another key than the one that opened the vault: a reload sorts that out.
    if (error instanceof OpenError || error instanceof AnotherKey) return null;
    throw error;
  });
  const outcomes: Opened[] = [];
  let frameBegan = PACE.now();
  for (const { sealed, context } of boxes) {
    const opening =
      identity === null ? Promise.reject(new OpenError()) : openSealedBox(identity, sealed, context);
    outcomes.push(
      await opening.then(
        (text): Opened => ({ ok: true, text }),
        (): Opened => ({ ok: false }),
      ),
    );
    if (PACE.now() - frameBegan >= FRAME) {
      await PACE.yieldTask();
      frameBegan = PACE.now();
    }
  }
  return outcomes;
}

/**
 * Tries what did not open once more, as something that had arrived from outside when it was sealed.
 * @returns what opens so, by its place in `records`
 */
async function openArrived(
  records: readonly Sealed[],
  outcomes: readonly Opened[],
  key: CryptoKey,
): Promise<Map<number, Opened>> {
  const left = records.flatMap(({ sealed, context }, at) =>
    outcomes[at]?.ok || isSealedBox(sealed)
      ? []
      : [{ at, sealed, context: { ...context, field: arrivedField(context.field) } }],
  );
  const opened = left.length === 0 ? [] : await openMany(left, key, PACE);
  return new Map(left.flatMap(({ at }, i) => (opened[i]?.ok ? [[at, opened[i]] as const] : [])));
}

/** Opens rows in order; a row that cannot be opened is kept, with nulls. */
export async function openRows<N extends EntryType>(
  codec: EntryCodec<N>,
  rows: readonly N['row'][],
  vault: OpenVault,
): Promise<N['entry'][]> {
  const { noun, fields, opened, arrives } = codec;
  const texts = new Map<N['row'], (string | null)[]>();
  const details = new Map<N['row'], string>();
  const outside = new Set<N['row']>();
  const marked = new Set<N['row']>();
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
    const outcomes = key ? await openEach(sealedFields, key, fingerprint, vault, arrives) : [];
    const owners = [...own.flatMap((row) => fields.map(() => row)), ...detailed];
    for (const [at, outcome] of key && arrives ? await openArrived(sealedFields, outcomes, key) : []) {
      outcomes[at] = outcome;
      marked.add(owners[at] as N['row']);
    }
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
    const found = details.get(row) ?? (row.details === null && !withheld ? null : undefined);
    const boxed = isBoxed(codec, row);
    // A mark in the seals stands whatever the details say, also where they were left out or spoiled.
    const hasArrived = (marked.has(row) && !withheld) || (boxed && found !== undefined);
    const text = hasArrived ? withArrival(found ?? null) : found;
    const entry = opened(row, texts.get(row) ?? [], detailsOfRow(row, text));
    return { ...entry, outside: outside.has(row), boxed } as N['entry'];
  });
}
