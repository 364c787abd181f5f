// What everything modal stands on: Radix's dialog for focus, Esc and naming, and our own veil in place of its overlay,
// which would bring a style element that the content policy refuses. The page behind holds still by CSS (base.css).
import * as Radix from '@radix-ui/react-dialog';
import { useFocusScopeBranch } from '@radix-ui/react-focus-scope';
import { type KeyboardEvent, type ReactNode, useState } from 'react';
import { classes } from './classes.ts';
import { inPlaceOf } from './row-focus.ts';

/** What had the focus before each layer opened. Of a layer that opens another and closes, the other one inherits it. */
const origins = new WeakMap<Element, Element | null>();

/** The element to go back to from a layer that opens now. */
function whereItComesFrom(): Element | null {
  const focused = document.activeElement;
  const below = focused?.closest('[data-veil]');
  return below ? (origins.get(below) ?? null) : focused;
}

interface VeilProps {
  open: boolean;
  onClose: () => void;
  /** While true nothing closes it: no Esc, no close button. */
  busy?: boolean;
  role?: 'dialog' | 'alertdialog';
  /** Receives focus on opening, in place of the first field or button. */
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
  const [wasOpen, setWasOpen] = useState(false);
  const [cameFrom, setCameFrom] = useState<Element | null>(null);
  const [inherited, setInherited] = useState<Element | null>(null);
  if (open !== wasOpen) {
    setWasOpen(open);
    if (open) {
      setCameFrom(document.activeElement);
      setInherited(whereItComesFrom());
    }
  }

  /**
   * Closes it also where Radix gives Escape to something else, because that opened later (a toast) or because this has
   * only just opened. Whoever has handled the key says so by `preventDefault`.
   */
  function hearEscape(event: KeyboardEvent) {
    if (event.key !== 'Escape' || event.defaultPrevented) return;
    event.preventDefault();
    if (!busy) onClose();
  }

  function takeFocus(event: Event) {
    const layer = event.currentTarget instanceof HTMLElement ? event.currentTarget : null;
    const field = layer?.querySelector<HTMLElement>('input:enabled, select:enabled, textarea:enabled');
    const first = focusFirst?.() ?? field;
    if (!first) return;
    event.preventDefault();
    first.focus({ preventScroll: true });
  }

  function returnFocus(event: Event) {
    event.preventDefault();
    // A layer that has taken this one's place has the focus, and would not get it back.
    if (document.activeElement?.closest('[data-veil][data-state="open"]')) return;
    const back = [cameFrom, inherited]
      .map(inPlaceOf)
      .find((place) => place instanceof HTMLElement && place !== document.body);
    // Where it was is gone: whatever has taken the focus meanwhile keeps it.
    if (!back && document.activeElement && document.activeElement !== document.body) return;
    const target = back ?? document.querySelector('main h1[tabindex]') ?? document.querySelector('main');
    if (target instanceof HTMLElement) target.focus({ preventScroll: true });
  }

  return (
    <Radix.Root open={open} onOpenChange={(next) => !next && !busy && onClose()}>
      <Radix.Portal>
        <div
          ref={(layer) => {
            if (layer) origins.set(layer, inherited);
          }}
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
            onKeyDown={hearEscape}
            onPointerDownOutside={(event) => event.preventDefault()}
          >
            <LetToastsBeReached />
            {children}
          </Radix.Content>
        </div>
      </Radix.Portal>
    </Radix.Root>
  );
}

/** F8 may lead out of the layer to a toast: the focus trap counts the toasts' corner as its own. */
function LetToastsBeReached() {
  const [corner] = useState(() => document.querySelector<HTMLElement>('[data-toasts]'));
  useFocusScopeBranch(corner);
  return null;
}
