// The steps of an import: files are read in a worker, seen, and brought into the vault. Each of them can be ended, and
// whatever was brought in before that stays.
import { useState } from 'react';
import { deriveImportKey } from '../../../crypto/import-number.ts';
import { counted } from '../../../shared/counted.ts';
import { sentenceOf } from '../../../vault/api/api-error.ts';
import { AnotherKey, keyInHand } from '../../../vault/keys/key-in-hand.ts';
import { BringingStopped } from '../../../vault/outbox/bringing.ts';
import type { DateOrder, Grouping } from '../../imports/chats.ts';
import type { ReadReply } from '../../imports/import-messages.ts';
import { ImportFailed, type ImportWork } from '../../imports/import-work.ts';
import { useAttempt } from '../../vault/entries/use-attempt.ts';
import { useVault } from '../../vault/session/vault-context.ts';
import { compareWithVault, type Preview } from './compare-with-vault.ts';
import { useBringing } from './use-bringing.ts';
import { useReading } from './use-reading.ts';
import { useRowChoice } from './use-row-choice.ts';

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

const COMPARING = { label: 'Comparing with this vault' };

export function useImports() {
  const vault = useVault();
  const attempts = useAttempt(explain);
  const { attempt, setUnderway } = attempts;
  const rows = useRowChoice();
  const [preview, setPreview] = useState<Preview | null>(null);
  const bringing = useBringing(vault, attempts, (known) =>
    setPreview((seen) => (known && seen ? { ...seen, ...known } : null)),
  );
  const [choices, setChoices] = useState<Choices>(FIRST);
  const [withFiles, setWithFiles] = useState(true);
  const files = useReading(setUnderway);

  async function arrange(reading: ImportWork, read: ReadReply, wanted: Choices, signal: AbortSignal) {
    setUnderway(COMPARING);
    const numbering = await deriveImportKey(await keyInHand(vault));
    const arranged = await reading.arrange({ ...wanted, numbering });
    const known = await compareWithVault(arranged.rows, vault);
    signal.throwIfAborted();
    rows.keepFor(arranged.rows);
    setPreview({ read, ...arranged, ...known });
  }

  function clear() {
    attempts.clear();
    files.clear();
    bringing.clear();
    rows.clear();
    setPreview(null);
    setChoices(FIRST);
    setWithFiles(true);
  }

  const readChosen = (signal: AbortSignal, wanted: Choices) =>
    files.read(signal, async (reading, read, before) => {
      const next = { ...wanted, orders: movedOrders(wanted.orders, before, read.sources) };
      await arrange(reading, read, next, signal);
      setChoices(next);
    });

  const chosen = preview?.rows.filter(({ id }) => !preview.here.has(id) && !rows.off.has(id)) ?? [];

  return {
    ...{ preview, choices, chosen, clear, ...files.beside },
    ...{ underway: attempts.underway, problem: attempts.problem, refusal: attempts.refusal },
    ...{ bringing: bringing.bringing, outcome: bringing.outcome, writeRest: bringing.writeRest },
    ...{ off: rows.off, toggle: rows.toggle, withFiles, setWithFiles },

    choose(wanted: readonly File[]) {
      if (wanted.length === 0) return;
      clear();
      files.choose(wanted);
      void attempt({ label: 'Reading the files' }, (signal) => readChosen(signal, FIRST));
    },

    tellUnreadable() {
      clear();
      attempts.setProblem('What was dropped could not be read. Choose it with a button instead.');
    },

    /** Opens a backup under the passphrase of its application, and reads everything once more. */
    unlock(locked: ReadReply['locked'][number], passphrase: string) {
      void attempt({ label: `Opening ${locked.name}` }, async (signal) => {
        await files.unlock(locked, passphrase, signal);
        await readChosen(signal, choices);
      });
    },

    change(part: Partial<Choices>) {
      const reading = files.work.current;
      if (!preview || !reading) return;
      const next = { ...choices, ...part };
      setChoices(next);
      void attempt(COMPARING, (signal) => arrange(reading, preview.read, next, signal));
    },

    async bring(tagLine: string) {
      const reading = files.work.current;
      if (!preview || !reading || chosen.length === 0) return;
      const brought = withFiles ? chosen : chosen.map((row) => ({ ...row, files: [] }));
      await bringing.bring({ reading, preview, chosen: brought, notChosen: rows.off.size, tagLine });
    },

    /** Ends a reading at once; a bringing in as soon as the few memories that are on their way have arrived. */
    stop() {
      if (preview) attempts.abort();
      else clear();
    },
  };
}
