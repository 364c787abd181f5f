// A dialog: a title, what it is about, a body, and buttons at the foot. A press outside never closes it, as
// somebody's words may stand in it. On narrow screens a form is a sheet as
// tall as the window, and a question one at its foot.
import * as Radix from '@radix-ui/react-dialog';
import type { FormEvent, ReactNode } from 'react';
import { classes } from './classes.ts';
import { Sigil } from './sigil.tsx';
import { submitByKey } from './submit-by-key.ts';
import { toasts } from './toast-store.ts';
import { Veil } from './veil.tsx';

export interface DialogProps {
  open: boolean;
  onClose: () => void;
  title: ReactNode;
  /** One or two sentences beneath the title, read aloud with it. */
  description?: ReactNode;
  /** The buttons. With `onSubmit`, one of them is `type="submit"`. */
  footer?: ReactNode;
  /** Makes body and footer one form. Not called while busy. */
  onSubmit?: (() => void) | undefined;
  /** Work under way: the dialog stays until it is done. */
  busy?: boolean;
  /** Whether it may be left although work is under way. */
  leavable?: boolean;
  /** `page`: the whole window, for writing. */
  size?: 'regular' | 'narrow' | 'wide' | 'page';
  role?: 'dialog' | 'alertdialog';
  focusFirst?: (() => HTMLElement | null | undefined) | undefined;
  children?: ReactNode;
}

/** How far from the buttons, in pixels. */
const CLEAR = 16;

const widths = {
  narrow: 'sm:max-w-gate',
  regular: 'sm:max-w-dialog',
  wide: 'sm:max-w-form',
  page: 'sm:max-w-prose',
};

/** A modal dialog, controlled by `open`. */
export function Dialog(props: DialogProps) {
  const {
    open,
    onClose,
    title,
    description,
    footer,
    onSubmit,
    busy = false,
    leavable = false,
    size = 'regular',
  } = props;

  function submit(event: FormEvent) {
    event.preventDefault();
    event.stopPropagation();
    if (!busy) onSubmit?.();
  }

  const body = (
    <>
      {props.children && (
        <div className="grid min-h-0 flex-1 auto-rows-max scroll-py-6 grid-cols-1 content-start gap-6 overflow-y-auto px-5 pt-1 pb-6 sm:overflow-visible sm:px-10 sm:pb-2">
          {props.children}
        </div>
      )}
      {footer && (
        // Always in sight: beneath a long form they stay at the foot of the window, but of one so low that they would fill it.
        <div
          ref={keepClear}
          className="mt-auto flex flex-wrap-reverse justify-end gap-3 border-t border-line bg-ink-1 px-5 py-4 max-sm:*:grow max-sm:*:min-w-0 max-sm:*:px-[min(1.75rem,5%)] sm:bottom-0 sm:z-10 sm:[@media(min-height:36rem)]:sticky sm:mt-6 sm:gap-4 sm:px-10 sm:py-6"
        >
          {footer}
        </div>
      )}
    </>
  );
  const column = 'flex min-h-0 flex-1 flex-col';
  const short = props.role === 'alertdialog' || !props.children;

  return (
    <Veil
      open={open}
      onClose={onClose}
      busy={busy && !leavable}
      role={props.role ?? 'dialog'}
      focusFirst={props.focusFirst}
      veilClassName={classes(
        'grid grid-cols-1',
        size === 'page' ? 'bg-ink-1' : 'items-end bg-ink-0/85 sm:items-center sm:scroll-pt-6 sm:px-8',
      )}
      className={classes(
        'relative mx-auto flex w-full min-w-0 flex-col border-line bg-ink-1 sm:animate-appear',
        // Its own margins: padding of the layer would lift the buttons that stick to its foot.
        size !== 'page' && 'sm:my-12 sm:border',
        short ? 'max-h-window max-sm:border-t sm:max-h-none' : 'max-sm:h-window',
        widths[size],
      )}
    >
      <header className="grid grid-cols-1 gap-3 px-5 pt-6 pb-5 sm:px-10 sm:pt-10 sm:pb-6">
        <Radix.Title className="pr-10 font-display text-heading wrap-anywhere">{title}</Radix.Title>
        {description && (
          <Radix.Description asChild>
            <div className="min-w-0 text-note text-pretty text-dust wrap-anywhere">{description}</div>
          </Radix.Description>
        )}
      </header>
      {onSubmit ? (
        <form
          noValidate
          onSubmit={submit}
          onInput={toasts.dismissMistake}
          // What is asked before something ends is answered by its own button.
          onKeyDown={props.role === 'alertdialog' ? undefined : submitByKey}
          className={column}
          aria-busy={busy || undefined}
        >
          {body}
        </form>
      ) : (
        <div className={column}>{body}</div>
      )}
      <CloseCorner disabled={busy && !leavable} />
    </Veil>
  );
}

/** What is brought into sight stands clear of the buttons, which lie over the foot of a long form. */
function keepClear(foot: HTMLElement | null) {
  const layer = foot?.closest<HTMLElement>('[data-veil]');
  if (!foot || !layer || typeof ResizeObserver === 'undefined') return;
  const sizes = new ResizeObserver(() => {
    layer.style.scrollPaddingBottom = `${foot.offsetHeight + CLEAR}px`;
  });
  sizes.observe(foot);
  return () => sizes.disconnect();
}

/** The cross in the corner, last in the tab order. */
function CloseCorner({ disabled }: { disabled: boolean }) {
  return (
    <Radix.Close
      aria-label="Close"
      disabled={disabled}
      className="absolute top-4 right-3 grid size-11 cursor-pointer place-items-center text-dust transition-colors hover:text-bone disabled:cursor-default disabled:opacity-30 sm:top-7 sm:right-7"
    >
      <Sigil name="close" className="size-6" />
    </Radix.Close>
  );
}
