// Brings the chosen memories of a preview into the vault. Whatever was brought in before it is ended stays.
import { useState } from 'react';
import { tagsFromLine, writeImported } from '../../../vault/entries/details.ts';
import { BringingStopped, bringEach } from '../../../vault/outbox/bringing.ts';
import { bringEntry, writeBrought } from '../../../vault/outbox/entry-writer.ts';
import { partTags } from '../../imports/fit-entry.ts';
import type { PreviewRow } from '../../imports/import-session.ts';
import type { ImportWork } from '../../imports/import-work.ts';
import { memoryKind } from '../../vault/entries/memories.ts';
import type { Attempts, Underway } from '../../vault/entries/use-attempt.ts';
import type { OpenVault } from '../../vault/session/vault-context.ts';
import { compareWithVault, type Known, type Preview } from './compare-with-vault.ts';

export interface Outcome {
  kept: number;
  here: number;
  notChosen: number;
  leftOut: number;
  /** How many are kept, and in no entry of the book yet. */
  unwritten: number;
}

/** What is brought in by one press. */
interface Load {
  reading: ImportWork;
  preview: Preview;
  chosen: readonly PreviewRow[];
  notChosen: number;
  tagLine: string;
}

const SEALING: Underway = { label: 'Sealing into this vault' };
const WRITING: Underway = { label: 'Writing into your vault’s book' };

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

/** @param onEnd learns what is in by then, where something is left; null where nothing is */
export function useBringing(
  vault: OpenVault,
  { attempt, setUnderway }: Attempts,
  onEnd: (known: Known | null) => void,
) {
  const [outcome, setOutcome] = useState<Outcome | null>(null);
  const [brought, setBrought] = useState(0);
  const [bringing, setBringing] = useState(false);

  async function bringAll({ reading, preview, chosen, notChosen, tagLine }: Load, signal: AbortSignal) {
    const max = chosen.length;
    const show = (done: number) => {
      const text = `${done.toLocaleString('en-GB')} of ${max.toLocaleString('en-GB')}`;
      setUnderway({ ...SEALING, value: done, max, text });
    };
    const common = tagsFromLine(tagLine);
    // The oldest first, so that the newest is the last that was sealed.
    const works = chosen.toReversed().map((row) => ({ bring: () => bringRow(reading, row, common, vault) }));
    const kept = await bringEach(works, { tell: atIntervals(100, show, max), signal });
    const leftOut = preview.leftOut.reduce((sum, { count }) => sum + count, 0);
    const here = preview.here.size - brought + max - kept;
    setUnderway(WRITING);
    setOutcome({ kept: brought + kept, here, notChosen, leftOut, unwritten: await writeBrought(vault) });
    // Where a backup is opened afterwards, these are no memories that were here before.
    setBrought(brought + kept);
    onEnd(null);
    reading.close();
  }

  return {
    outcome,
    bringing,

    bring: (load: Load) =>
      attempt({ ...SEALING, value: 0, max: load.chosen.length }, async (signal) => {
        setBringing(true);
        try {
          await bringAll(load, signal);
        } catch (error) {
          if (error instanceof BringingStopped) setBrought((before) => before + error.kept);
          // What is left can be brought in by the same press once there is room, or a connection, again.
          const known = await compareWithVault(load.preview.rows, vault).catch(() => null);
          if (known) onEnd(known);
          throw error;
        } finally {
          setBringing(false);
          await vault.lists.refresh(memoryKind);
        }
      }),

    /** Tries once more to write into the book what is in no entry yet. */
    writeRest: () =>
      attempt(WRITING, async () => {
        const unwritten = await writeBrought(vault);
        setOutcome((before) => before && { ...before, unwritten });
      }),

    clear() {
      setOutcome(null);
      setBrought(0);
    },
  };
}
