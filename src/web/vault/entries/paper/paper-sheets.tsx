// The sheets of a paper as the printer gets them: codes above, their words below, and on the last one how all of it is read back.
// Black on white, in millimetres, within what A4 and Letter have in common.
import type { CSSProperties, ReactNode } from 'react';
import { createPortal } from 'react-dom';
import type { Line } from '../../../../ark/paper/layout.ts';
import { methodOf, programLines } from '../../../../ark/paper/method.ts';
import type { QrDrawing } from '../../../ui/qr-drawing.ts';
import { fontOf, type Paper, SHEET } from './lay-out.ts';

const mm = (value: number) => `${value}mm`;
const CODES_IN_A_ROW = 3;
/** A code with its light margin. 93 modules: each is a little wider than half a millimetre. */
const CODE = 52;

/** Everything, for the printer alone. */
export const PaperSheets = ({ paper }: { paper: Paper }) =>
  createPortal(
    <div data-printed="" data-paper="" className="hidden print:block">
      {Array.from({ length: paper.sheets }, (_, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: sheets are known by their numbers
        <CodeSheet key={at} paper={paper} at={at} />
      ))}
      <LastSheet paper={paper} />
    </div>,
    document.body,
  );

interface SheetProps {
  paper: Paper;
  number: number;
  foot: string;
  children: ReactNode;
}

function Sheet({ paper: { day, sheets, set }, number, foot, children }: SheetProps) {
  return (
    <section
      aria-label={`Sheet ${number}`}
      className="mx-auto flex break-after-page flex-col overflow-hidden last:break-after-auto"
      style={{ width: mm(SHEET.width), height: mm(SHEET.height), fontSize: '8.5pt', lineHeight: mm(4) }}
    >
      <header className="flex justify-between" style={{ marginBottom: mm(2) }}>
        <span>
          Sheet {number} of {sheets + 1}, of the vault paper of {day}
        </span>
        <span>{set.slice(0, 8)}</span>
      </header>
      {children}
      <footer className="mt-auto">{foot}</footer>
    </section>
  );
}

function CodeSheet({ paper, at }: { paper: Paper; at: number }) {
  const { drawings, perSheet, enough, words, sheets } = paper;
  const first = at * perSheet;
  return (
    <Sheet
      paper={paper}
      number={at + 1}
      foot={`Any ${enough} of the ${drawings.length} codes give everything back. Sheet ${sheets + 1} says how.`}
    >
      <div
        className="grid justify-items-center"
        style={{ gridTemplateColumns: `repeat(${CODES_IN_A_ROW}, 1fr)`, rowGap: mm(1) }}
      >
        {drawings.slice(first, first + perSheet).map((drawing, place) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: codes are known by their numbers
          <figure key={place} className="text-center">
            <Code drawing={drawing} />
            <figcaption style={{ fontSize: '7.5pt', lineHeight: mm(3.4) }}>
              code {first + place + 1} of {drawings.length}
            </figcaption>
          </figure>
        ))}
      </div>
      <Words columns={words[at] ?? []} />
    </Sheet>
  );
}

const Code = ({ drawing: { size, path } }: { drawing: QrDrawing }) => (
  <svg
    viewBox={`0 0 ${size} ${size}`}
    shapeRendering="crispEdges"
    style={{ width: mm(CODE), height: mm(CODE), display: 'block' }}
    aria-hidden="true"
  >
    <path d={path} />
  </svg>
);

const columns: CSSProperties = { display: 'grid', gridTemplateColumns: '1fr 1fr', columnGap: mm(SHEET.gap) };

/** Lines that were broken before: the printer breaks none. */
function Words({ columns: lines }: { columns: readonly Line[][] }) {
  return (
    <div style={{ ...columns, marginTop: mm(3) }}>
      {lines.map((column, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: columns are known by their places
        <div key={at} className="min-w-0">
          {column.map(({ style, text, isFromRight }, line) => (
            <p
              // biome-ignore lint/suspicious/noArrayIndexKey: two lines may be the same
              key={line}
              dir={isFromRight ? 'rtl' : 'ltr'}
              className="whitespace-pre"
              style={{ ...fontOf(style), height: mm(SHEET.line), lineHeight: mm(SHEET.line) }}
            >
              {text}
            </p>
          ))}
        </div>
      ))}
    </div>
  );
}

function LastSheet({ paper }: { paper: Paper }) {
  const { sheets, drawings, enough } = paper;
  return (
    <Sheet
      paper={paper}
      number={sheets + 1}
      foot="Keep this sheet with the others. One copy of it is enough."
    >
      <h1 style={{ fontSize: '13pt', lineHeight: mm(6), marginBottom: mm(1.5) }}>
        How these sheets are read back
      </h1>
      <div style={{ columnCount: 2, columnGap: mm(SHEET.gap), fontSize: '8pt', lineHeight: mm(3.35) }}>
        {methodOf({ sheets, total: drawings.length, enough }).map((paragraph) => (
          <p key={paragraph} style={{ marginBottom: mm(1.2) }}>
            {paragraph}
          </p>
        ))}
      </div>
      <pre
        className="font-machine"
        style={{ fontSize: '6.6pt', lineHeight: mm(2.85), marginTop: mm(2), whiteSpace: 'pre' }}
      >
        {programLines.join('\n')}
      </pre>
    </Sheet>
  );
}
