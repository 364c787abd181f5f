// Toasts stand in one place, the lower right corner of the window. This keeps room for them there: a dialog that reaches into
// the corner ends above it, a page can be scrolled past it, and what says why something failed stays in sight, as does what was
// pressed. app.css uses the two lengths.

/** How high the corner is while it shows something. */
const HEIGHT = '--toast-height';
/** How much of the window's foot a dialog leaves free. */
const ROOM = '--toast-room';

/** The topmost dialog, with the layer that it stands on. */
function dialogInSight(): Element | null {
  const layers = document.querySelectorAll('[data-veil][data-state="open"]');
  return layers.item(layers.length - 1)?.querySelector(':scope > [role]') ?? null;
}

/** What was pressed last, for browsers that give the focus to no button that is touched. */
let pressed: WeakRef<Element> | null = null;
const notePress = ({ target }: Event) => {
  const element = target instanceof Element ? target.closest('a, button, label, summary') : null;
  pressed = element && new WeakRef(element);
};
document.addEventListener('click', notePress, true);

/** Where somebody types, the browser itself keeps the line in sight: the text must not jump. */
const TYPED_IN = 'input, textarea, select, [contenteditable]';

/** What somebody is at: what has the focus, or what they have pressed. */
function inHand(): Element | null {
  const { activeElement, body } = document;
  const element = activeElement === body ? pressed?.deref() : activeElement;
  return element?.isConnected && !element.matches(TYPED_IN) ? element : null;
}

/** Moves a page so far that a toast does not lie over what somebody is at. What is larger than the rest of the window stays. */
function uncover(element: Element, toast: DOMRect): void {
  const { left, right, top, bottom, height } = element.getBoundingClientRect();
  const isCovered = left < toast.right && right > toast.left && top < toast.bottom && bottom > toast.top;
  if (isCovered && height < toast.top) element.scrollIntoView({ block: 'nearest' });
}

/**
 * Keeps room for a corner of toasts for as long as it shows something.
 * @returns ends it
 */
export function keepRoom(corner: HTMLElement): () => void {
  const { style } = document.documentElement;
  let frame = 0;
  let before = 0;

  function measure() {
    frame = 0;
    const [toast] = corner.children;
    const height = toast ? corner.offsetHeight : 0;
    const dialog = dialogInSight();
    const meets =
      toast && dialog && dialog.getBoundingClientRect().right > toast.getBoundingClientRect().left;
    style.setProperty(HEIGHT, `${height}px`);
    // Beneath it is the bar of a phone.
    style.setProperty(ROOM, meets ? `calc(${height}px + var(--bar))` : '0px');
    if (height > before) {
      const said = (dialog ?? document).querySelectorAll('[data-said]');
      const last = said.item(said.length - 1);
      const element = inHand();
      if (last) last.scrollIntoView({ block: 'nearest' });
      else if (toast && element && !corner.contains(element)) uncover(element, toast.getBoundingClientRect());
    }
    before = height;
  }
  function soon() {
    frame ||= requestAnimationFrame(measure);
  }

  const changes = new MutationObserver(soon);
  changes.observe(document.body, { childList: true, subtree: true, attributeFilter: ['data-state'] });
  window.addEventListener('resize', soon);
  // It also gets another size by itself, as when the window's width asks for other margins.
  const sizes = typeof ResizeObserver === 'undefined' ? null : new ResizeObserver(soon);
  sizes?.observe(corner);
  measure();
  return () => {
    cancelAnimationFrame(frame);
    style.removeProperty(HEIGHT);
    style.removeProperty(ROOM);
    changes.disconnect();
    sizes?.disconnect();
    window.removeEventListener('resize', soon);
  };
}
