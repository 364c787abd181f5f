// Where a toast may stand so that nothing that can be pressed, written in or scanned lies beneath it. The choice is pure;
// watching the page for what changes it is below.

/** A rectangle of the window, in CSS pixels. */
export interface Box {
  left: number;
  top: number;
  right: number;
  bottom: number;
}

interface Size {
  width: number;
  height: number;
}

/** How far places are apart that are tried, and how near to a control a toast may come. */
const STEP = 8;
const GAP = 4;

const overlap = (one: Box, other: Box): number =>
  Math.max(0, Math.min(one.right, other.right) - Math.max(one.left, other.left)) *
  Math.max(0, Math.min(one.bottom, other.bottom) - Math.max(one.top, other.top));

/** How much of a control a box hides: its share, and one more where its middle is hidden. */
function hidden(control: Box, box: Box): number {
  const area = (control.right - control.left) * (control.bottom - control.top);
  const share = area > 0 ? overlap(control, box) / area : 0;
  if (share === 0) return 0;
  const x = (control.left + control.right) / 2;
  const y = (control.top + control.bottom) / 2;
  const middle = x >= box.left && x <= box.right && y >= box.top && y <= box.bottom;
  return share + (middle ? 1 : 0);
}

/**
 * The place nearest to the lower right corner where a toast hides no control, or else the one where it hides least.
 * @param now where it stands, which is kept while that is as good as any
 */
export function placeToast(
  window: Size,
  toast: Size,
  controls: readonly Box[],
  now?: { left: number; top: number },
): { left: number; top: number; hides: boolean } {
  const right = Math.max(0, window.width - toast.width);
  const bottom = Math.max(0, window.height - toast.height);
  const columns = [...new Set([right, 0, Math.round(right / 2)])];
  const costAt = ({ left, top }: { left: number; top: number }) => {
    const box = {
      left: left - GAP,
      top: top - GAP,
      right: left + toast.width + GAP,
      bottom: top + toast.height + GAP,
    };
    return controls.reduce((sum, control) => sum + hidden(control, box), 0);
  };
  const fits = now && now.left <= right && now.top <= bottom;
  let best = fits ? now : { left: right, top: bottom };
  let least = costAt(best);
  for (const left of columns) {
    for (let top = bottom; top >= 0 && least > 0; top -= STEP) {
      const cost = costAt({ left, top });
      if (cost >= least) continue;
      least = cost;
      best = { left, top };
    }
  }
  return { ...best, hides: least > 0 };
}

/**
 * What has to stay in sight: what can be pressed or written in, the name of the screen, what says why something failed, and
 * pictures that say something, as a code that a toast covers cannot be scanned. Other text may lie beneath a toast: it comes
 * back when the toast goes, by itself or by its cross, and a page is mostly text.
 */
const CONTROLS =
  'a[href], button, input, select, textarea, summary, [tabindex="0"], svg[role="img"], [role="alert"], h1';

/** The topmost layer, or else the page. Behind a layer nothing can be pressed. */
function groundInSight(): Element {
  const layers = document.querySelectorAll('[data-veil][data-state="open"]');
  return layers.item(layers.length - 1) ?? document.body;
}

/** What has to stay in sight of a layer, as far as it is. */
function controlsInSight(ground: Element): Box[] {
  const boxes: Box[] = [];
  for (const control of ground.querySelectorAll(CONTROLS)) {
    if (control.closest('[data-toasts]')) continue;
    const { left, top, right, bottom } = control.getBoundingClientRect();
    const box = {
      left: Math.max(0, left),
      top: Math.max(0, top),
      right: Math.min(window.innerWidth, right),
      bottom: Math.min(window.innerHeight, bottom),
    };
    if (box.right > box.left && box.bottom > box.top) boxes.push(box);
  }
  return boxes;
}

const within = ({ width, height }: Size, margin: number): Size => ({
  width: width - 2 * margin,
  height: height - 2 * margin,
});

const moved = ({ left, top, right, bottom }: Box, by: number): Box => ({
  left: left + by,
  top: top + by,
  right: right + by,
  bottom: bottom + by,
});

/**
 * Keeps a corner of toasts off the controls for as long as it shows something.
 * @returns ends it
 */
export function keepOffControls(corner: HTMLElement): () => void {
  let now: { left: number; top: number } | undefined;
  /** What it stood before: another layer, or another screen, gives it its corner back. */
  let ground: Element | null = null;
  let path = '';
  let frame = 0;
  /** A dialog that fills the window and makes room above itself. */
  let sheet: HTMLElement | null = null;

  function takeRoomBack() {
    sheet?.style.removeProperty('border-top');
    sheet = null;
  }

  /** The dialog that fills the window, where one does. */
  function sheetInSight(): HTMLElement | null {
    const [layer] = [...document.querySelectorAll('[data-veil][data-state="open"]')].slice(-1);
    const dialog = layer?.querySelector<HTMLElement>(':scope > [role]') ?? null;
    return dialog && Math.abs(dialog.offsetHeight - window.innerHeight) <= 1 ? dialog : null;
  }

  function place() {
    frame = 0;
    const { offsetWidth: width, offsetHeight: height } = corner;
    if (corner.childElementCount === 0 || height === 0) return;
    if (ground !== groundInSight() || path !== location.pathname) now = undefined;
    ground = groundInSight();
    path = location.pathname;
    const dialog = sheetInSight();
    if (sheet && sheet !== dialog) takeRoomBack();
    // Its margin stays within the window, but may lie over anything: it takes no pointer.
    const margin = Number.parseFloat(getComputedStyle(corner).paddingTop) || 0;
    const { left, top, hides } = sheet
      ? { left: 0, top: 0, hides: false }
      : placeToast(
          within({ width: document.documentElement.clientWidth, height: window.innerHeight }, margin),
          within({ width, height }, margin),
          controlsInSight(ground).map((control) => moved(control, -margin)),
          now,
        );
    now = { left, top };
    if (hides && dialog) {
      sheet = dialog;
      now = { left: 0, top: 0 };
    }
    // A border, within which also its corner stands.
    if (sheet) sheet.style.borderTop = `${height}px solid transparent`;
    Object.assign(corner.style, {
      left: `${now.left}px`,
      top: `${now.top}px`,
      right: 'auto',
      bottom: 'auto',
    });
  }
  function soon() {
    frame ||= requestAnimationFrame(place);
  }

  const changes = new MutationObserver(soon);
  changes.observe(document.body, { childList: true, subtree: true, attributeFilter: ['data-state'] });
  window.addEventListener('scroll', soon, { capture: true, passive: true });
  window.addEventListener('resize', soon);
  // It also gets another size by itself, as when the window's width asks for other margins.
  const sizes = typeof ResizeObserver === 'undefined' ? null : new ResizeObserver(soon);
  sizes?.observe(corner);
  place();
  return () => {
    cancelAnimationFrame(frame);
    takeRoomBack();
    changes.disconnect();
    sizes?.disconnect();
    window.removeEventListener('scroll', soon, { capture: true });
    window.removeEventListener('resize', soon);
  };
}
