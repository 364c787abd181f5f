// Brings the chosen memories of a preview into the vault. Whatever was brought in before it is ended stays.
import { useRef, useState } from 'react';
import { tagsFromLine, writeImported } from '../../../vault/entries/details.ts';
import type { FileRef } from '../../../vault/files/file-ref.ts';
import { BringingStopped, bringEach } from '../../../vault/outbox/bringing.ts';
import { FileSender, withBroughtFiles } from '../../../vault/outbox/brought-files.ts';
import { bringEntry, writeBrought } from '../../../vault/outbox/brought-rows.ts';
import { withFilesNamed } from '../../imports/files-named.ts';
import { partTags } from '../../imports/fit-entry.ts';
import type { PreviewRow } from '../../imports/import-messages.ts';
import type { ImportWork } from '../../imports/import-work.ts';
import type { Standing } from '../../imports/imported-entry.ts';
import { memoryKind } from '../../vault/entries/memories.ts';
import type { Attempts, Underway } from '../../vault/entries/use-attempt.ts';
import { roomForFiles } from '../../vault/files/room-left.ts';
import { pictureOf } from '../../vault/files/thumbnail.ts';
import type { OpenVault } from '../../vault/session/vault-context.ts';
import { compareWithVault, type Known, type Preview } from './compare-with-vault.ts';

export interface Outcome {
  kept: number;
  here: number;
  notChosen: number;
  leftOut: number;
  /** How many files came along, and the names of those that could not be read and of those that had no room. */
  files: number;
  unread: readonly string[];
  noRoom: readonly string[];
  /** How many are kept, and in no entry of the book yet. */
  unwritten: number;
}

/** What is brought in by one press. */
interface Load {
  reading: ImportWork;
  preview: Preview;
  /** Without files where they are to stay behind. */
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

/** What all rows of one press have in common. */
interface Bringing {
  reading: ImportWork;
  vault: OpenVault;
  sender: FileSender;
  /** Tags for all of them. */
  common: readonly string[];
  signal: AbortSignal;
  tally: FileTally;
}

/** The files that were sent so far, and the names of those that could not be read or had no room, by their places. */
interface FileTally {
  sent: Set<string>;
  unread: Map<string, string>;
  noRoom: Map<string, string>;
}

const countSeen = ({ sent, unread, noRoom }: FileTally): number => sent.size + unread.size + noRoom.size;

/** Sends the files of one row, one after the other. One that cannot be read, or has no room, stops nothing. */
async function sendFiles(row: PreviewRow, { reading, sender, signal, tally }: Bringing) {
  const refs: { name: string; standsAs?: Standing; ref: FileRef }[] = [];
  for (const [at, { standsAs, ...facts }] of row.files.entries()) {
    const place = `${row.sealId}/${at}`;
    const sent = await sender.send(place, facts, () => reading.file(row.id, at), signal);
    if (sent === 'unreadable') tally.unread.set(place, facts.name);
    else if (sent === 'no-room') tally.noRoom.set(place, facts.name);
    else {
      tally.sent.add(place);
      tally.noRoom.delete(place);
      refs.push({ name: facts.name, ...(standsAs && { standsAs }), ref: sent });
    }
  }
  return refs;
}

async function bringRow(row: PreviewRow, bringing: Bringing): Promise<boolean> {
  const { reading, vault, common } = bringing;
  const { tags, others } = partTags([...common, ...row.tags]);
  const sent = await sendFiles(row, bringing);
  const words = withFilesNamed(await reading.words(row.id), sent);
  const imported = { from: row.format, id: row.sourceId };
  const refs = sent.map(({ ref }) => ref);
  const texts = {
    title: row.title,
    // Tags that the details have no room for stand in the text.
    encryptedContent: others.length > 0 ? `${words}\n\nTags: ${others.join(', ')}` : words,
    details: withBroughtFiles(writeImported(imported, { happenedOn: row.happenedOn, tags }), refs),
  };
  const files = { added: refs.map(({ id }) => id), removed: [] };
  return bringEntry(memoryKind, vault, { texts, clear: {}, files }, row.sealId);
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
  /** Lives as long as the import, so that a second press sends no file again. */
  const sending = useRef<{ sender: FileSender; tally: FileTally } | null>(null);

  async function bringAll({ reading, preview, chosen, notChosen, tagLine }: Load, signal: AbortSignal) {
    const max = chosen.length;
    const ofFiles = chosen.reduce((sum, { files }) => sum + files.length, 0);
    sending.current ??= {
      sender: new FileSender(vault, { lookAt: pictureOf }),
      tally: { sent: new Set(), unread: new Map(), noRoom: new Map() },
    };
    const { sender, tally } = sending.current;
    const before = countSeen(tally);
    if (ofFiles > 0)
      sender.limitTo(
        await roomForFiles(
          vault,
          chosen.map(({ textBytes }) => textBytes),
        ),
      );
    const show = (done: number) => {
      const memories = `${done.toLocaleString('en-GB')} of ${max.toLocaleString('en-GB')}`;
      const seen = (countSeen(tally) - before).toLocaleString('en-GB');
      const text =
        ofFiles === 0 ? memories : `${memories}, ${seen} of ${ofFiles.toLocaleString('en-GB')} files`;
      setUnderway({ ...SEALING, value: done, max, text });
    };
    const common = tagsFromLine(tagLine);
    const bringing = { reading, vault, sender, common, signal, tally };
    // The oldest first, so that the newest is the last that was sealed.
    const works = chosen.toReversed().map((row) => ({ bring: () => bringRow(row, bringing) }));
    const kept = await bringEach(works, { tell: atIntervals(100, show, max), signal });
    const leftOut = preview.leftOut.reduce((sum, { count }) => sum + count, 0);
    const here = preview.here.size - brought + max - kept;
    setUnderway(WRITING);
    setOutcome({
      ...{ kept: brought + kept, here, notChosen, leftOut },
      ...{ files: tally.sent.size, unread: [...tally.unread.values()] },
      noRoom: [...tally.noRoom.values()],
      unwritten: await writeBrought(vault),
    });
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
      sending.current = null;
    },
  };
}
