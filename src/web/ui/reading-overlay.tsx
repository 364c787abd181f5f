// A book opened over the page: one text, read in quiet. It takes plain text, reads it as Markdown, and makes no HTML of it.
import * as Radix from '@radix-ui/react-dialog';
import { Fragment, type ReactNode, useEffect, useRef, useState } from 'react';
import { Button } from './button.tsx';
import { ReadingText } from './reading-text.tsx';
import { Spinner } from './spinner.tsx';
import { Veil } from './veil.tsx';

interface ReadingOverlayProps {
  open: boolean;
  onClose: () => void;
  /** Where the text lives, in small capitals. */
  eyebrow?: ReactNode;
  title: ReactNode;
  /** Facts beneath the title; empty ones are left out. */
  meta?: ReactNode[];
  /** What has to be known before it is read. */
  notice?: ReactNode;
  /** The text; null while it is on its way. */
  text: string | null;
  waitingLabel?: string;
  /** Stands in place of the text when it could not be opened. */
  error?: ReactNode;
  /** Beneath the text, where there is one. */
  beneath?: ReactNode;
  /** What has to be done before a printer is asked, such as opening what is beneath the text. */
  beforePrint?: () => Promise<void> | undefined;
  /** At the foot, left of the closing word: `<Button tone="caps">`. */
  actions?: ReactNode;
  closeLabel?: string;
  /** While true it cannot be closed. */
  busy?: boolean;
}

/** A full-screen reader: paragraphs and line breaks as they were written, a drop capital where one can stand. */
export function ReadingOverlay(props: ReadingOverlayProps) {
  const { open, onClose, eyebrow, title, meta = [], text, error, actions, busy = false } = props;
  const article = useRef<HTMLElement>(null);
  const facts = meta.filter((fact) => fact !== null && fact !== undefined && fact !== false && fact !== '');
  return (
    <Veil
      open={open}
      onClose={onClose}
      busy={busy}
      focusFirst={() => article.current}
      veilClassName="bg-ink-0"
      className="candle-above grid min-h-dvh place-items-center px-5 py-16 sm:px-8 sm:py-24 print:block print:min-h-0 print:bg-none print:p-0"
    >
      <article
        ref={article}
        tabIndex={-1}
        data-reading=""
        className="w-full max-w-prose animate-appear print:max-w-none print:animate-none"
      >
        {eyebrow && <p className="caps mb-4 text-dust">{eyebrow}</p>}
        <Radix.Title className="font-display text-[clamp(2.25rem,1.8rem+2vw,3rem)]/[1.1] wrap-anywhere">
          {title}
        </Radix.Title>
        {facts.length > 0 && (
          <p className="mt-3 flex flex-wrap gap-x-6 gap-y-1 text-body text-shade">
            {facts.map((fact, i) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: the facts are a fixed list, never reordered
              <Fragment key={i}>
                <span>{fact}</span>
              </Fragment>
            ))}
          </p>
        )}
        {props.notice && <div className="mt-8 print:[&_button]:hidden">{props.notice}</div>}
        <div className="mt-10">
          {error ? (
            <p role="alert">{error}</p>
          ) : text === null ? (
            <Spinner label={props.waitingLabel ?? 'Opening'} />
          ) : (
            <ReadingText>{text}</ReadingText>
          )}
        </div>
        {text !== null && !error && props.beneath}
        <footer className="mt-12 flex flex-wrap items-center justify-between gap-x-8 gap-y-3 border-t border-line pt-4 print:hidden">
          <div className="flex flex-wrap gap-x-8 gap-y-1">
            {actions}
            {text && !error && <PrintButton before={props.beforePrint} />}
          </div>
          <Button tone="caps-lit" onClick={onClose} disabled={busy}>
            {props.closeLabel ?? 'Close'}
          </Button>
        </footer>
      </article>
    </Veil>
  );
}

function PrintButton({ before }: { before: ReadingOverlayProps['beforePrint'] }) {
  const [busy, setBusy] = useState(false);
  const isLeft = useRef(false);
  useEffect(() => {
    isLeft.current = false;
    return () => {
      isLeft.current = true;
    };
  }, []);
  async function print() {
    setBusy(true);
    try {
      await before?.();
    } catch {
      // The words are there all the same.
    } finally {
      setBusy(false);
    }
    if (!isLeft.current) window.print();
  }
  return (
    <Button tone="caps" busy={busy} onClick={() => void print()}>
      Print
    </Button>
  );
}
