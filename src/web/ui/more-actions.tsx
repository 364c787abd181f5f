// What else can be done with one thing: folded behind a button, so that its one main action stands alone. What destroys or
// cannot be taken back comes last, apart from the rest.
import { type KeyboardEvent, type ReactNode, useId, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { Button } from './button.tsx';
import { classes } from './classes.ts';

export interface MoreAction {
  label: string;
  onDo: () => void;
  danger?: boolean;
}

interface MoreActionsProps {
  actions: readonly MoreAction[];
  /** What they are done with, for those who hear the page: " “A title”". */
  about?: ReactNode;
  /** One of them is under way. */
  busy?: boolean;
  /** The main action, beside the button. */
  children?: ReactNode;
}

/** The main action, and a button that unfolds the others beneath it. */
export function MoreActions({ actions, about, busy = false, children }: MoreActionsProps) {
  const [open, setOpen] = useState(false);
  const list = useId();
  const more = useRef<HTMLButtonElement>(null);

  /** Before anything is done, so that a dialog that opens knows where to go back to. */
  function fold() {
    flushSync(() => setOpen(false));
    more.current?.focus();
  }
  function hear(event: KeyboardEvent) {
    if (!open || event.key !== 'Escape') return;
    event.preventDefault();
    fold();
  }

  const ordinary = actions.filter(({ danger }) => !danger);
  const dangerous = actions.filter(({ danger }) => danger);
  const item = ({ label, onDo, danger }: MoreAction) => (
    <li key={label}>
      <Button
        tone="caps"
        className={classes('min-h-11 w-full justify-start', danger && 'text-blood')}
        onClick={() => {
          fold();
          onDo();
        }}
      >
        {label}
        {about}
      </Button>
    </li>
  );
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: Escape is heard for what stands in it
    <div className="grid justify-items-start gap-3" onKeyDown={hear}>
      <div className="flex flex-wrap items-center gap-x-6 gap-y-2">
        {children}
        <Button
          ref={more}
          tone="caps"
          busy={busy}
          aria-expanded={open}
          aria-controls={open ? list : undefined}
          onClick={() => setOpen(!open)}
        >
          <span aria-hidden="true" className="text-[1.1em]">
            {open ? '−' : '+'}
          </span>
          {open ? 'Less' : 'More'}
          {about}
        </Button>
      </div>
      {open && (
        <div id={list} className="w-full max-w-gate animate-fade border border-line bg-ink-1 px-5 py-2">
          <ul>{ordinary.map(item)}</ul>
          {dangerous.length > 0 && (
            <ul className={classes(ordinary.length > 0 && 'mt-2 border-t border-line pt-2')}>
              {dangerous.map(item)}
            </ul>
          )}
        </div>
      )}
    </div>
  );
}
