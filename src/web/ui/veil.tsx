// What everything modal stands on: Radix's dialog for focus, Esc and naming, and our own veil in place of its overlay,
// which would bring a style element that the content policy refuses. The page behind holds still by CSS (base.css).
import { Dialog as Radix } from 'radix-ui';
import { type KeyboardEvent, type ReactNode, useRef } from 'react';
import { classes } from './classes.ts';

interface VeilProps {
  open: boolean;
  onClose: () => void;
  /** While true nothing closes it: no Esc, no close button. */
  busy?: boolean;
  role?: 'dialog' | 'alertdialog';
  /** Receives focus on opening, in place of the first control. */
  focusFirst?: (() => HTMLElement | null | undefined) | undefined;
  veilClassName: string;
  className: string;
  children: ReactNode;
}

/** A modal layer. Focus is kept inside, and goes back to where it was when the layer closes. */
export function Veil(props: VeilProps) {
  const {
    open,
    onClose,
    busy = false,
    role = 'dialog',
    focusFirst,
    veilClassName,
    className,
    children,
  } = props;
  const cameFrom = useRef<Element | null>(null);

  function takeFocus(event: Event) {
    cameFrom.current = document.activeElement;
    const first = focusFirst?.();
    if (first) {
      event.preventDefault();
      first.focus();
    }
  }

  function returnFocus(event: Event) {
    event.preventDefault();
    const back = cameFrom.current;
    const target = back instanceof HTMLElement && back.isConnected && back !== document.body ? back : null;
    (target ?? document.querySelector<HTMLElement>('main'))?.focus({ preventScroll: true });
  }

  return (
    <Radix.Root open={open} onOpenChange={(next) => !next && !busy && onClose()}>
      <Radix.Portal>
        <div
          data-veil=""
          data-state={open ? 'open' : 'closed'}
          className={classes(
            'pointer-events-auto fixed inset-0 z-40 overflow-y-auto overscroll-contain data-[state=closed]:animate-unfade data-[state=open]:animate-fade',
            veilClassName,
          )}
        >
          <Radix.Content
            role={role}
            aria-describedby={undefined}
            className={classes('focus-visible:shadow-none focus-visible:outline-hidden', className)}
            onOpenAutoFocus={takeFocus}
            onCloseAutoFocus={returnFocus}
            onEscapeKeyDown={(event) => busy && event.preventDefault()}
            onPointerDownOutside={(event) => event.preventDefault()}
            onKeyDown={keepBackspaceHere}
          >
            {children}
          </Radix.Content>
        </div>
      </Radix.Portal>
    </Radix.Root>
  );
}

/** Keys typed in a layer are the layer's: page-wide shortcuts behind the veil must not hear them. */
function keepBackspaceHere(event: KeyboardEvent) {
  if (event.key.length === 1) event.stopPropagation();
}
