// What the book says of the past: which losses were accepted, and what was changed last.
import type { PastEntry } from '../../../crypto/book-history.ts';
import { sentenceOf } from '../../../vault/api/api-error.ts';
import type { BookState } from '../../../vault/book/book-state.ts';
import { formatMoment } from '../../ui/moments.ts';
import { Problem } from '../../ui/problem.tsx';
import { Section } from '../../ui/section.tsx';
import { LoadingRows } from '../../ui/states.tsx';
import { acceptanceWords } from '../../vault/book/finding-words.ts';
import { pastChanges } from '../../vault/book/past.ts';

/** How many changes are shown. */
const SHOWN = 20;

export function Acceptances({ state, past }: { state: BookState; past: readonly PastEntry[] }) {
  const fromPast = past.flatMap(({ device, at, n, abandons }) =>
    abandons ? [{ device, at, n, lost: abandons }] : [],
  );
  const all = new Map([...state.acceptances, ...fromPast].map((one) => [one.n, one]));
  if (all.size === 0) return null;
  return (
    <Section
      title="What was accepted"
      says="Only a browser with your key can accept a loss. If you did not do this, somebody else has your key."
    >
      <ul className="border-t border-line">
        {[...all.values()]
          .sort((a, b) => b.n - a.n)
          .map((one) => (
            <li key={one.n} className="border-b border-line/60 py-4">
              {acceptanceWords(one)}
            </li>
          ))}
      </ul>
    </Section>
  );
}

interface ChangesProps {
  past: readonly PastEntry[] | undefined;
  failed: Error | null;
}

export function LastChanges({ past, failed }: ChangesProps) {
  return (
    <Section title="Last changes" says="What was written, when and on which device. Only you can read this.">
      {failed && <Problem>{sentenceOf(failed)}</Problem>}
      {!past && !failed && <LoadingRows rows={3} label="Reading the changes" />}
      {past && (
        <ol className="border-t border-line" aria-label="Last changes">
          {pastChanges(past)
            .slice(0, SHOWN)
            .map(({ n, at, device, what }) => (
              <li
                key={n}
                className="grid grid-cols-[3rem_minmax(0,1fr)] items-baseline gap-x-4 gap-y-1 border-b border-line/60 py-3.5 sm:grid-cols-[4rem_minmax(0,1fr)_auto] sm:gap-x-8"
              >
                <span className="text-note text-shade">{n.toLocaleString('en-GB')}</span>
                <span>{what}</span>
                <span className="text-note text-shade max-sm:col-start-2">
                  {formatMoment(at)}, {device}
                </span>
              </li>
            ))}
        </ol>
      )}
    </Section>
  );
}
