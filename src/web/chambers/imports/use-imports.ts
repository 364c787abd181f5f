// The steps of an import: files are read in a worker, seen, and brought into the vault. Each of them can be ended, and
// whatever was brought in before that stays.
import { useEffect, useRef, useState } from 'react';
import { deriveImportKey } from '../../../crypto/import-number.ts';
import { formatBytes } from '../../../shared/nouns/usage.ts';
import { sentenceOf } from '../../api/api-error.ts';
import type { DateOrder, Grouping } from '../../imports/chats.ts';
import { partTags } from '../../imports/fit-entry.ts';
import type { PreviewRow, ReadReply } from '../../imports/import-session.ts';
import { ImportFailed, type ImportWork, startImport } from '../../imports/import-work.ts';
import type { LeftOut } from '../../imports/imported-entry.ts';
import { counted } from '../../ui/counted.ts';
import { BringingStopped, bringEach } from '../../vault/entries/bringing.ts';
import { bringEntry, loadCollection, refreshCollection } from '../../vault/entries/collection.ts';
import { readImported, tagsFromLine, writeImported } from '../../vault/entries/details.ts';
import { memoryCodec } from '../../vault/entries/memories.ts';
import { AnotherKey, keyInHand } from '../../vault/key/key-in-hand.ts';
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
}

export interface Choices {
  grouping: Grouping;
  orders: Record<number, DateOrder>;
}

const idOf = (from: string, id: string) => `${from} ${id}`;
/** Of what grows, the part of its number that stays. */
const stem = (sourceId: string) =>
  sourceId.includes('#') ? sourceId.slice(0, sourceId.lastIndexOf('#')) : null;

/** What of an import the vault has already: by the number of its seal, and, where the key was changed since, by what its details say. */
async function compare(
  rows: readonly PreviewRow[],
  vault: OpenVault,
): Promise<Pick<Preview, 'here' | 'grown'>> {
  const memories = await loadCollection(memoryCodec, vault);
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
  const [choices, setChoices] = useState<Choices>({ grouping: 'day', orders: {} });
  const [off, setOff] = useState<ReadonlySet<number>>(new Set());
  const [underway, setUnderway] = useState<Underway | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const [refusal, setRefusal] = useState<unknown>(null);
  const [archive, setArchive] = useState<File | null>(null);
  const [refused, setRefused] = useState<ReadReply['refused']>([]);
  const [outcome, setOutcome] = useState<Outcome | null>(null);
  const [brought, setBrought] = useState(0);
  const [bringing, setBringing] = useState(false);
  const work = useRef<ImportWork | null>(null);
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
    setOff(new Set());
    setPreview({ read, rows, leftOut, ...compared });
  }

  function clear() {
    running.current?.abort();
    running.current = null;
    work.current?.close();
    work.current = null;
    setPreview(null);
    setArchive(null);
    setRefused([]);
    setProblem(null);
    setRefusal(null);
    setUnderway(null);
    setOutcome(null);
    setBrought(0);
    setChoices({ grouping: 'day', orders: {} });
  }

  function choose(files: readonly File[]) {
    if (files.length === 0) return;
    clear();
    void attempt({ label: 'Reading the files' }, async (signal) => {
      const reading = startImport(({ name, done, total }) => {
        if (signal.aborted) return;
        const text = `${formatBytes(done)} of ${formatBytes(total)}`;
        setUnderway({ label: name ? `Reading ${name}` : 'Reading the files', value: done, max: total, text });
      });
      work.current = reading;
      const read = await reading.read(files);
      signal.throwIfAborted();
      setRefused(read.refused);
      setArchive(files[read.archives[0] ?? -1] ?? null);
      if (read.sources.length > 0) await arrange(reading, read, { grouping: 'day', orders: {} }, signal);
      else reading.close();
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
        setOutcome({ kept: brought + kept, here: outOfThis + max - kept, notChosen: off.size, leftOut });
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
        await refreshCollection(memoryCodec, vault);
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
      archive,
      refused,
      outcome,
      off,
      chosen,
      choose,
      change,
      bring,
      clear,
    },
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
  return bringEntry(memoryCodec, vault, { texts, clear: {} }, row.sealId);
}
