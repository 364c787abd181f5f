// The words of a paper in lines, as wide as this browser sets them, and the sheets that they make with their codes.
import { type Line, type LineStyle, layOutWords, type Room } from '../../../../ark/paper/layout.ts';
import type { ReadableEntry } from '../../../../vault/archive/readable-entries.ts';
import { capitalised } from '../../../ui/capitalised.ts';
import { formatDay } from '../../../ui/moments.ts';
import { inWorker } from '../../../workers.ts';
import { formatHappened } from '../happened.ts';
import type { MadePaper, PaperReply, PaperRequest, PaperSource } from './paper-job.ts';
import workerUrl from './paper-worker.ts?worker&url';

/** A paper that can be printed. */
export interface Paper extends MadePaper {
  /** The words of each sheet, in columns. */
  words: Line[][][];
  /** When it is printed, as it stands on every sheet. */
  day: string;
}

/** It is more than 256 sheets of codes hold. */
export class PaperTooLong extends Error {}

/** In CSS pixels, of which there are 96 to an inch on every printer. */
const MILLIMETRE = 96 / 25.4;
/** What stands on a sheet (paper-sheets.tsx), in millimetres. */
export const SHEET = { width: 186, height: 252, gap: 6, line: 4.6, lines: 26 } as const;
const COLUMN = (SHEET.width - SHEET.gap) / 2;
/** As CSS names them: sizes of the two styles of letters. */
const FONTS: Record<LineStyle, { weight: number; points: number; slant: string }> = {
  title: { weight: 600, points: 10.5, slant: 'normal' },
  facts: { weight: 400, points: 8.5, slant: 'italic' },
  text: { weight: 400, points: 10, slant: 'normal' },
};

/** How a line is set, as CSS. */
export const fontOf = (style: LineStyle) => ({
  fontWeight: FONTS[style].weight,
  fontSize: `${FONTS[style].points}pt`,
  fontStyle: FONTS[style].slant,
});

/** Lays out with what this browser measures, of texts that it sets where nobody sees them. A printer sets them a little wider or narrower. */
function withMeasure<T>(doing: (measure: Room['measure']) => T): T {
  const place = document.body.appendChild(document.createElement('span'));
  Object.assign(place.style, { position: 'absolute', visibility: 'hidden', whiteSpace: 'pre' });
  const known = new Map<string, number>();
  let set: LineStyle | null = null;
  try {
    return doing((text, style) => {
      const key = `${style} ${text}`;
      let width = known.get(key);
      if (width === undefined) {
        if (set !== style) Object.assign(place.style, fontOf(style));
        set = style;
        place.textContent = text;
        width = place.getBoundingClientRect().width;
        known.set(key, width);
      }
      return width;
    });
  } finally {
    place.remove();
  }
}

/** What paper says of an entry below its title. */
function factsOf({ kind, happenedOn, writtenAt, facts, tags, files }: ReadableEntry): string {
  return [
    capitalised(kind),
    ...(happenedOn === undefined ? [] : [`happened ${formatHappened(happenedOn)}`]),
    ...(writtenAt === '' ? [] : [`written ${formatDay(Date.parse(writtenAt))}`]),
    ...facts,
    ...tags,
    ...files.map(({ name }) => `with ${name}`),
  ].join(' · ');
}

/**
 * Lays out entries, and makes their codes in a worker.
 * @throws PaperTooLong, the signal's reason, Error where the worker fails
 */
export async function layOutPaper(entries: readonly ReadableEntry[], signal: AbortSignal): Promise<Paper> {
  await document.fonts?.ready;
  const words = withMeasure((measure) =>
    layOutWords(entries, factsOf, {
      ...{ columns: 2, linesOfColumn: SHEET.lines },
      width: COLUMN * MILLIMETRE * 0.985,
      measure,
    }),
  );
  signal.throwIfAborted();
  if (words === null) throw new PaperTooLong();
  const reply = await ask({ ask: 'make', entries, sheets: words.length }, signal);
  if (!('made' in reply)) throw new Error('the codes could not be made');
  return { ...reply.made, words, day: formatDay(Date.now()) };
}

async function ask(request: PaperRequest, signal: AbortSignal) {
  const reply = await inWorker<PaperRequest, PaperReply>(workerUrl, request, { signal });
  signal.throwIfAborted();
  if (reply.ok) return reply;
  throw reply.problem === 'too-much' ? new PaperTooLong() : new Error('the worker has failed');
}

/** What can be printed of a source. @throws the signal's reason, Error where the worker fails */
export async function readSource(source: PaperSource, signal: AbortSignal): Promise<ReadableEntry[]> {
  const reply = await ask({ ask: 'read', source }, signal);
  return 'entries' in reply ? reply.entries : [];
}
