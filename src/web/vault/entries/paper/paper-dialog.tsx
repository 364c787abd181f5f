// Paper: chosen entries in print, and the same in codes that are scanned back. How many sheets it takes is said before it is printed.

import { useQuery } from '@tanstack/react-query';
import { useEffect, useMemo, useState } from 'react';
import { counted } from '../../../../shared/counted.ts';
import { sentenceOf } from '../../../../vault/api/api-error.ts';
import type { ReadableEntry } from '../../../../vault/archive/readable-entries.ts';
import { Button } from '../../../ui/button.tsx';
import { capitalised } from '../../../ui/capitalised.ts';
import { SelectField } from '../../../ui/choice-fields.tsx';
import { Dialog } from '../../../ui/dialog.tsx';
import { Problem } from '../../../ui/problem.tsx';
import { Spinner } from '../../../ui/spinner.tsx';
import { layOutPaper, type Paper, PaperTooLong, readSource } from './lay-out.ts';
import type { PaperSource } from './paper-job.ts';
import { PaperSheets } from './paper-sheets.tsx';

interface PaperDialogProps {
  /** What can be printed. */
  source: PaperSource;
  /** What stays behind, in a sentence; null for nothing. */
  left: string | null;
  /** Is told that sheets were given to the printer. */
  onPrint?: () => void;
  onClose: () => void;
}

interface Choice {
  value: string;
  label: string;
  entries: readonly ReadableEntry[];
}

const yearOf = ({ happenedOn, writtenAt }: ReadableEntry) =>
  /^-?\d{4}/.exec(happenedOn ?? writtenAt)?.[0] ?? '';

/** Everything, what is of one kind, and what is of one year. */
function choicesOf(entries: readonly ReadableEntry[]): Choice[] {
  const label = (name: string, chosen: readonly ReadableEntry[]) =>
    `${capitalised(name)}: ${counted(chosen.length, 'entry', 'entries')}`;
  const part = (name: string, value: string, is: (entry: ReadableEntry) => boolean): Choice => {
    const chosen = entries.filter(is);
    return { value, label: label(name, chosen), entries: chosen };
  };
  const kinds = [...new Set(entries.map(({ kind }) => kind))].sort();
  const years = [...new Set(entries.map(yearOf))].filter(Boolean).sort().reverse();
  return [
    part('everything', 'all', () => true),
    ...(kinds.length > 1 ? kinds : []).map((kind) =>
      part(kind, `kind ${kind}`, (entry) => entry.kind === kind),
    ),
    ...(years.length > 1 ? years : []).map((year) =>
      part(year, `year ${year}`, (entry) => yearOf(entry) === year),
    ),
  ];
}

const problemOf = (error: unknown) =>
  error instanceof PaperTooLong
    ? 'This is more than one paper holds: 256 sheets. Choose fewer entries, and print several papers.'
    : sentenceOf(error);

export default function PaperDialog({ source, left, onPrint, onClose }: PaperDialogProps) {
  const [chosen, setChosen] = useState('all');
  const { choices, paper, problem, laying } = usePaper(source, chosen);
  const { printing, print } = usePrinter();
  const sheets = paper ? counted(paper.sheets + 1, 'sheet', 'sheets') : '';
  return (
    <Dialog
      open
      onClose={onClose}
      title="Paper"
      description="Your words in print, and the same words in codes. A scanner or a camera reads them back exactly, also when three in ten sheets are lost."
      onSubmit={() => {
        if (!paper) return;
        onPrint?.();
        print(paper);
      }}
      footer={
        <>
          <Button onClick={onClose}>Close</Button>
          <Button type="submit" tone="primary" disabled={!paper}>
            {paper ? `Print ${sheets}` : 'Print'}
          </Button>
        </>
      }
    >
      <Problem>{problem}</Problem>
      <p>Nothing protects these sheets. Whoever finds them reads everything on them.</p>
      {choices.length > 1 && (
        <SelectField
          label="Which entries"
          value={chosen}
          choices={choices}
          onChange={(event) => setChosen(event.target.value)}
        />
      )}
      {laying && <Spinner label="Laying out the sheets" />}
      {/* It is there before it says anything, or screen readers would not notice that it does. */}
      <p role="status">
        {paper && (
          <>
            {capitalised(sheets)} of A4 or Letter, with {counted(paper.drawings.length, 'code', 'codes')}; any{' '}
            {paper.enough.toLocaleString('en-GB')} of them are enough. Print on one side, at full size (100
            %).
          </>
        )}
      </p>
      {left !== null && <p className="text-note text-dust">{left}</p>}
      {printing && <PaperSheets paper={printing} />}
    </Dialog>
  );
}

const ONCE = { gcTime: 0, staleTime: Number.POSITIVE_INFINITY, structuralSharing: false } as const;

/** What can be chosen, and the sheets of what is. */
function usePaper(source: PaperSource, chosen: string) {
  // Another dialog has other entries.
  const [dialog] = useState(() => crypto.randomUUID());
  const read = useQuery({
    ...ONCE,
    queryKey: ['opened', 'paper', dialog],
    queryFn: ({ signal }) => readSource(source, signal),
  });
  const choices = useMemo(() => choicesOf(read.data ?? []), [read.data]);
  const entries = choices.find(({ value }) => value === chosen)?.entries ?? [];
  const laid = useQuery({
    ...ONCE,
    queryKey: ['opened', 'paper', dialog, chosen],
    queryFn: ({ signal }) => layOutPaper(entries, signal),
    enabled: entries.length > 0,
  });
  const isEmpty = read.data?.length === 0;
  const laying = read.isFetching || laid.isFetching;
  const failed = read.error ?? laid.error;
  return {
    choices,
    paper: laying ? undefined : laid.data,
    problem: isEmpty ? 'There is nothing to print.' : failed && !laying ? problemOf(failed) : null,
    laying,
  };
}

/** The sheets as the printer gets them, until it has them. Some browsers never say that. */
function usePrinter() {
  const [printing, setPrinting] = useState<Paper | null>(null);
  useEffect(() => {
    if (!printing) return;
    const end = () => setPrinting(null);
    window.addEventListener('afterprint', end, { once: true });
    window.print();
    return () => window.removeEventListener('afterprint', end);
  }, [printing]);
  // A new object each time: the same sheets may be printed twice.
  return { printing, print: (paper: Paper) => setPrinting({ ...paper }) };
}
