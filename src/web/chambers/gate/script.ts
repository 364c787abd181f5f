// The whole script of the gate's document. It fetches the app, beginning when somebody comes near a door, and repeats the press
// that was made before that was there. The build says where it is, in attributes of this script's own element.
import { FIRST_TIME } from '../../../shared/screens.ts';
import { loadStyles } from '../../load-styles.ts';
import { passkeysSupported } from '../../vault/key/passkeys-supported.ts';
import { readInvitation } from './invitation.ts';

const {
  module = '',
  styles = '',
  later = '',
} = document.querySelector<HTMLElement>('script[data-module]')?.dataset ?? {};
const root = document.getElementById('root') as HTMLElement;
const part = (name: string) =>
  document.querySelector<HTMLTemplateElement>(`[data-${name}]`)?.content.cloneNode(true) as Node;

const doors = [...root.childNodes];

/** The words of the door that was pressed, and of the one that has the focus. */
let pressed: string | null = null;
let focused: string | null = null;
let beginning: Promise<unknown> | undefined;

/** Has the app begin, which takes the place of what stands in its root. Where it cannot be fetched, the next try may. */
async function begin(): Promise<void> {
  beginning ??= loadStyles(styles).then(() => import(/* @vite-ignore */ module));
  try {
    await beginning;
  } catch {
    beginning = undefined;
    if (!root.querySelector('button')) {
      // Behind any door the app is asked for again.
      root.replaceChildren(...doors);
      drawn.takeRecords();
      root.querySelector('button')?.append(' (not loaded, try again)');
    }
    const door = root.querySelector('[aria-busy]');
    door?.replaceChildren(pressed ?? '', ' (not loaded, try again)');
    door?.removeAttribute('aria-busy');
    pressed = null;
  }
}

function doorAt(target: EventTarget | null): HTMLElement | null {
  return target instanceof Element ? target.closest('button') : null;
}

function press({ target }: Event): void {
  const door = doorAt(target);
  if (!door || pressed !== null) return;
  pressed = (door.firstChild as Text).data;
  door.replaceChildren(pressed, part('busy'));
  door.setAttribute('aria-busy', 'true');
  void begin();
}

function approach({ target, type }: Event): void {
  const door = doorAt(target);
  if (!door) return;
  if (type === 'focusin') focused = (door.firstChild as Text).data;
  void begin();
}

const APPROACHES = ['pointerover', 'touchstart', 'focusin'];
root.addEventListener('click', press);
for (const way of APPROACHES) root.addEventListener(way, approach, { passive: true });
addEventListener('hashchange', begin);

// The app has drawn the same doors. Whoever came by keyboard stands where they stood, and what was pressed is pressed.
const drawn = new MutationObserver(() => {
  drawn.disconnect();
  root.removeEventListener('click', press);
  for (const way of APPROACHES) root.removeEventListener(way, approach);
  removeEventListener('hashchange', begin);
  const wanted = pressed ?? focused;
  const door = [...root.querySelectorAll('button')].find(({ textContent }) => textContent === wanted);
  door?.focus();
  if (pressed !== null) door?.click();
});

// Whoever comes to begin, or cannot enter by a passkey, is shown other doors than those that stand here.
const { hash } = location;
if (hash === FIRST_TIME || readInvitation(hash) !== '' || !passkeysSupported()) {
  root.replaceChildren(part('waiting'));
  void begin();
} else {
  // Fetched and not begun, so that a press need not wait for the network.
  addEventListener('load', () => {
    for (const href of later.split(' ')) {
      const link = document.createElement('link');
      link.rel = 'modulepreload';
      link.href = href;
      document.head.append(link);
    }
  });
}
drawn.observe(root, { childList: true });
