// The steps of an import: files are read in a worker, seen, and brought into the vault. Each of them can be ended, and
// whatever was brought in before that stays.

import { useEffect, useRef, useState } from 'react';
import { deriveImportKey } from '../../../crypto/import-number.ts';
import { counted } from '../../../shared/counted.ts';
import { formatBytes } from '../../../shared/nouns/usage.ts';
import { sentenceOf } from '../../../vault/api/api-error.ts';
import { readImported, tagsFromLine, writeImported } from '../../../vault/entries/details.ts';
import { AnotherKey, keyInHand } from '../../../vault/keys/key-in-hand.ts';
import { BringingStopped, bringEach } from '../../../vault/outbox/bringing.ts';
import { bringEntry, writeBrought } from '../../../vault/outbox/entry-writer.ts';
import { entryListOf } from '../../../vault/replica/entry-list.ts';
import { BACKUP_STRETCH, BACKUP_STRETCH_LENGTH } from '../../imports/backup-stretch.ts';
import type { DateOrder, Grouping } from '../../imports/chats.ts';
import { partTags } from '../../imports/fit-entry.ts';
import type { PreviewRow, ReadReply } from '../../imports/import-session.ts';
import { ImportFailed, type ImportWork, startImport } from '../../imports/import-work.ts';
import type { LeftOut } from '../../imports/imported-entry.ts';
import { memoryKind } from '../../vault/entries/memories.ts';
import { stretchForeignPassphrase } from '../../vault/key/stretch-passphrase.ts';
import { type OpenVault, useVault } from '../../vault/session/vault-context.ts';

/** What is under way, as a progress bar shows it. */
export interface Underway {
  label: string;
  value?: number;
  max?: number;
  text?: string;
}

export interface Preview {
  read: ReadReply;
  rows: PreviewRow[];
  leftOut: LeftOut[];
  /** Rows that this vault has already, and rows of a conversation that was shorter when it was imported before. */
  here: ReadonlySet<number>;
  grown: ReadonlySet<number>;
}

export interface Outcome {
  kept: number;
  here: number;
  notChosen: number;
  leftOut: number;
  /** How many are kept, and in no entry of the book yet. */
  unwritten: number;
}

export interface Choices {
  grouping: Grouping;
  orders: Record<number, DateOrder>;
}

const FIRST: Choices = { grouping: 'day', orders: {} };

/** Orders go by the place of a file: one that was opened moves those behind it. */
function movedOrders(
  orders: Choices['orders'],
  before: ReadReply['sources'],
  now: ReadReply['sources'],
): Choices['orders'] {
  const moved: Choices['orders'] = {};
  let from = 0;
  for (const { index, name } of before) {
    const found = now.find((source) => source.index >= from && source.name === name);
    const order = orders[index];
    if (!found) continue;
    from = found.index + 1;
    if (order) moved[found.index] = order;
  }
  return moved;
}

const WRITING: Underway = { label: 'Writing into your vault’s book' };

const idOf = (from: string, id: string) => `${from} ${id}`;
/** Of what grows, the part of its number that stays. */
const stem = (sourceId: string) =>
  sourceId.includes('#') ? sourceId.slice(0, sourceId.lastIndexOf('#')) : null;

/** What of an import the vault has already: by the number of its seal, and, where the key was changed since, by what its details say. */
async function compare(
  rows: readonly PreviewRow[],
  vault: OpenVault,
): Promise<Pick<Preview, 'here' | 'grown'>> {
  const memories = await vault.lists.load(entryListOf(memoryKind));
  const sealIds = new Set(memories.map(({ sealId }) => sealId));
  const imported = memories.flatMap(({ detailsText }) => readImported(detailsText) ?? []);
  const ids = new Set(imported.map(({ from, id }) => idOf(from, id)));
  const stems = new Set(imported.map(({ from, id }) => idOf(from, stem(id) ?? '')));
  const isHere = ({ sealId, format, sourceId }: PreviewRow) =>
    sealIds.has(sealId) || ids.has(idOf(format, sourceId));
  const here = new Set(rows.filter(isHere).map(({ id }) => id));
  const hasGrown = ({ id, format, sourceId }: PreviewRow) =>
    !here.has(id) && stem(sourceId) !== null && stems.has(idOf(format, stem(sourceId) ?? ''));
  return { here, grown: new Set(rows.filter(hasGrown).map(({ id }) => id)) };
}

function explain(error: unknown): string | null {
  if (error instanceof DOMException && error.name === 'AbortError') return null;
  if (error instanceof ImportFailed) return 'The files could not be read. Choose them once more.';
  if (error instanceof AnotherKey) return 'The key in this browser was changed. Reload, and try again.';
  if (!(error instanceof BringingStopped)) return sentenceOf(error);
  const why = error.cause === undefined ? '' : `${sentenceOf(error.cause)} `;
  const kept =
    error.kept === 0
      ? 'None is in yet.'
      : `${counted(error.kept, 'memory is', 'memories are')} in and ${error.kept === 1 ? 'stays' : 'stay'}.`;
  return `The import stopped. ${why}${kept} Importing again goes on with the rest.`;
}

/** Tells at most every so many milliseconds, and always the last. */
function atIntervals(every: number, tell: (done: number) => void, last: number) {
  let told = 0;
  return (done: number) => {
    const now = performance.now();
    if (now - told < every && done !== last) return;
    told = now;
    tell(done);
  };
}

export function useImports() {
  const vault = useVault();
  const [preview, setPreview] = useState<Preview | null>(null);
  const [choices, setChoices] = useState<Choices>(FIRST);
  const [off, setOff] = useState<ReadonlySet<number>>(new Set());
  const [underway, setUnderway] = useState<Underway | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const [refusal, setRefusal] = useState<unknown>(null);
  const [archives, setArchives] = useState<File[]>([]);
  const [refused, setRefused] = useState<ReadReply['refused']>([]);
  const [locked, setLocked] = useState<ReadReply['locked']>([]);
  const [outcome, setOutcome] = useState<Outcome | null>(null);
  const [brought, setBrought] = useState(0);
  const [bringing, setBringing] = useState(false);
  const work = useRef<ImportWork | null>(null);
  /** What was read last, by the places that orders of dates go by. */
  const sources = useRef<ReadReply['sources']>([]);
  /** The rows of the last preview, by which is known what was not chosen. */
  const lastRows = useRef<readonly PreviewRow[]>([]);
  /** What was chosen, and the keys that passphrases have given for it. */
  const chosenFiles = useRef<readonly File[]>([]);
  const keys = useRef(new Map<string, Uint8Array>());
  const running = useRef<AbortController | null>(null);
  // Whatever takes the page away ends its work.
  useEffect(
    () => () => {
      running.current?.abort();
      work.current?.close();
    },
    [],
  );

  /** One thing at a time: what comes later ends what is under way. */
  async function attempt(begin: Underway, doing: (signal: AbortSignal) => Promise<void>) {
    running.current?.abort();
    const mine = new AbortController();
    running.current = mine;
    setProblem(null);
    setRefusal(null);
    setUnderway(begin);
    try {
      await doing(mine.signal);
    } catch (error) {
      if (running.current !== mine) return;
      setProblem(explain(error));
      setRefusal(error instanceof BringingStopped ? error.cause : error);
    } finally {
      if (running.current === mine) {
        running.current = null;
        setUnderway(null);
      }
    }
  }

  async function arrange(reading: ImportWork, read: ReadReply, wanted: Choices, signal: AbortSignal) {
    setUnderway({ label: 'Comparing with this vault' });
    const numbering = await deriveImportKey(await keyInHand(vault));
    const { rows, leftOut } = await reading.arrange({ ...wanted, numbering });
    const compared = await compare(rows, vault);
    signal.throwIfAborted();
    const before = lastRows.current;
    lastRows.current = rows;
    setOff((off) => {
      const stay = new Set(before.filter(({ id }) => off.has(id)).map(({ sealId }) => sealId));
      return new Set(rows.filter(({ sealId }) => stay.has(sealId)).map(({ id }) => id));
    });
    setPreview({ read, rows, leftOut, ...compared });
  }

  function clear() {
    running.current?.abort();
    running.current = null;
    work.current?.close();
    work.current = null;
    setPreview(null);
    setArchives([]);
    setRefused([]);
    setLocked([]);
    keys.current.clear();
    setProblem(null);
    setRefusal(null);
    setUnderway(null);
    setOutcome(null);
    setBrought(0);
    setChoices(FIRST);
    setOff(new Set());
    sources.current = [];
    lastRows.current = [];
  }

  function choose(files: readonly File[]) {
    if (files.length === 0) return;
    clear();
    chosenFiles.current = files;
    void attempt({ label: 'Reading the files' }, (signal) => readChosen(signal, FIRST));
  }

  function tellUnreadable() {
    clear();
    setProblem('What was dropped could not be read. Choose it with a button instead.');
  }

  function show(read: ReadReply) {
    setRefused(read.refused);
    setLocked(read.locked);
    setArchives(read.archives.flatMap((place) => chosenFiles.current[place] ?? []));
  }

  /** Reads everything that was chosen. What was read before stays until that is done, and where it is ended. */
  async function readChosen(signal: AbortSignal, wanted: Choices) {
    const reading = startImport(({ name, done, total }) => {
      if (signal.aborted) return;
      const text = `${formatBytes(done)} of ${formatBytes(total)}`;
      setUnderway({ label: name ? `Reading ${name}` : 'Reading the files', value: done, max: total, text });
    });
    signal.addEventListener('abort', reading.close);
    try {
      const read = await reading.read(chosenFiles.current, keys.current);
      signal.throwIfAborted();
      if (read.sources.length === sources.current.length) {
        reading.close();
        show(read);
        return;
      }
      if (!work.current) show(read);
      const next = { ...wanted, orders: movedOrders(wanted.orders, sources.current, read.sources) };
      await arrange(reading, read, next, signal);
      show(read);
      setChoices(next);
      sources.current = read.sources;
      work.current?.close();
      work.current = reading;
    } catch (error) {
      reading.close();
      signal.throwIfAborted();
      throw error;
    } finally {
      signal.removeEventListener('abort', reading.close);
    }
  }

  /** Opens a backup under the passphrase of its application, and reads everything once more. */
  function unlock({ name, salt }: ReadReply['locked'][number], passphrase: string) {
    void attempt({ label: `Opening ${name}` }, async (signal) => {
      const stretched = await stretchForeignPassphrase(
        passphrase,
        salt,
        BACKUP_STRETCH,
        BACKUP_STRETCH_LENGTH,
      );
      signal.throwIfAborted();
      keys.current.set(name, stretched.slice(0, 32));
      await readChosen(signal, choices);
    });
  }

  function change(part: Partial<Choices>) {
    const reading = work.current;
    if (!preview || !reading) return;
    const next = { ...choices, ...part };
    setChoices(next);
    void attempt({ label: 'Comparing with this vault' }, (signal) =>
      arrange(reading, preview.read, next, signal),
    );
  }

  const chosen = preview?.rows.filter(({ id }) => !preview.here.has(id) && !off.has(id)) ?? [];

  async function bring(tagLine: string) {
    const reading = work.current;
    if (!preview || !reading || chosen.length === 0) return;
    const max = chosen.length;
    const tell = atIntervals(
      100,
      (done) =>
        setUnderway({
          label: 'Sealing into this vault',
          value: done,
          max,
          text: `${done.toLocaleString('en-GB')} of ${max.toLocaleString('en-GB')}`,
        }),
      max,
    );
    await attempt({ label: 'Sealing into this vault', value: 0, max }, async (signal) => {
      setBringing(true);
      const common = tagsFromLine(tagLine);
      // The oldest first, so that the newest is the last that was sealed.
      const works = chosen
        .toReversed()
        .map((row) => ({ bring: () => bringRow(reading, row, common, vault) }));
      try {
        const kept = await bringEach(works, { tell, signal });
        const leftOut = preview.leftOut.reduce((sum, { count }) => sum + count, 0);
        const outOfThis = preview.here.size - brought;
        setUnderway(WRITING);
        const unwritten = await writeBrought(vault);
        setOutcome({
          ...{ kept: brought + kept, here: outOfThis + max - kept, notChosen: off.size, leftOut },
          unwritten,
        });
        // Where a backup is opened afterwards, these are no memories that were here before.
        setBrought(brought + kept);
        setPreview(null);
        reading.close();
      } catch (error) {
        if (error instanceof BringingStopped) setBrought((before) => before + error.kept);
        // What is left can be brought in by the same press once there is room, or a connection, again.
        const now = await compare(preview.rows, vault).catch(() => null);
        if (now) setPreview((seen) => seen && { ...seen, ...now });
        throw error;
      } finally {
        setBringing(false);
        await vault.lists.refresh(memoryKind);
      }
    });
  }

  return {
    ...{
      preview,
      choices,
      underway,
      bringing,
      problem,
      refusal,
      archives,
      refused,
      locked,
      outcome,
      off,
      chosen,
      choose,
      tellUnreadable,
      unlock,
      change,
      bring,
      clear,
    },
    /** Tries once more to write into the book what is in no entry yet. */
    writeRest: () =>
      attempt(WRITING, async () => {
        const unwritten = await writeBrought(vault);
        setOutcome((before) => before && { ...before, unwritten });
      }),
    toggle(ids: readonly number[], on: boolean) {
      setOff((before) => {
        const next = new Set(before);
        for (const id of ids) {
          if (on) next.delete(id);
          else next.add(id);
        }
        return next;
      });
    },
    /** Ends a reading at once; a bringing in as soon as the few memories that are on their way have arrived. */
    stop() {
      if (preview) running.current?.abort();
      else clear();
    },
  };
}

async function bringRow(
  reading: ImportWork,
  row: PreviewRow,
  common: readonly string[],
  vault: OpenVault,
): Promise<boolean> {
  const { tags, others } = partTags([...common, ...row.tags]);
  const words = await reading.words(row.id);
  const texts = {
    title: row.title,
    // Tags that the details have no room for stand in the text.
    encryptedContent: others.length > 0 ? `${words}\n\nTags: ${others.join(', ')}` : words,
    details: writeImported({ from: row.format, id: row.sourceId }, { happenedOn: row.happenedOn, tags }),
  };
  return bringEntry(memoryKind, vault, { texts, clear: {} }, row.sealId);
}
