// Finding things in a page as a person does, by role and visible name, in the same way in every engine: Testing Library, put
// into the page.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Tab } from './tab.ts';

/** What is looked for: by its role and name, or by the words of its label. Where several are found, the first is meant. */
export interface Sought {
  role?: string;
  name?: string | RegExp;
  label?: string;
  within?: Sought;
}

export interface Sight {
  /** All its text, as it stands in the document. */
  text: string;
  /** Of a field, else null. */
  value: string | null;
  /** Of a list to choose from: the words of its lines, and which is chosen. Else empty, and -1. */
  choices: string[];
  chosen: number;
  /** The texts of the list items in it. */
  items: string[];
  checked: boolean;
  focused: boolean;
  disabled: boolean;
  /** Its middle, in CSS pixels from the upper left corner of what is shown; null where something else stands before it. */
  middle: { x: number; y: number } | null;
}

/** What the page is told: regular expressions cannot be written as JSON. */
interface Wanted {
  role: string | null;
  name: string | { source: string; flags: string } | null;
  label: string | null;
  within: Wanted | null;
}

const require = createRequire(import.meta.url);
const library = () =>
  readFileSync(require.resolve('@testing-library/dom/dist/@testing-library/dom.umd.min.js'), 'utf8');

const wantedOf = ({ role, name, label, within }: Sought): Wanted => ({
  role: role ?? null,
  name: name instanceof RegExp ? { source: name.source, flags: name.flags } : (name ?? null),
  label: label ?? null,
  within: within ? wantedOf(within) : null,
});

/** Runs in the page, and so refers to nothing outside itself. */
function lookInPage(wanted: Wanted, approach: 'look' | 'show' | 'focus'): Sight | null | 'no library' {
  const global = globalThis as {
    TestingLibraryDom?: typeof import('@testing-library/dom');
    wasPressed?: boolean;
  };
  const lib = global.TestingLibraryDom;
  if (!lib) return 'no library';

  const find = ({ role, name, label, within }: Wanted): HTMLElement | null => {
    const place = within ? find(within) : document.body;
    if (!place) return null;
    if (label !== null)
      return lib.queryAllByLabelText(place, label).find((field) => field.checkVisibility()) ?? null;
    const pattern = name !== null && typeof name === 'object' ? new RegExp(name.source, name.flags) : name;
    const found = lib.queryAllByRole(place, role ?? '', pattern === null ? {} : { name: pattern });
    return found[0] ?? null;
  };
  const element = find(wanted);
  if (!element) return null;
  if (approach === 'show') {
    element.scrollIntoView({ block: 'center', behavior: 'instant' });
    global.wasPressed = false;
    element.addEventListener('click', () => (global.wasPressed = true), { capture: true, once: true });
  }
  if (approach === 'focus') element.focus();

  const { left, top, width, height } = element.getBoundingClientRect();
  const middle = { x: left + width / 2, y: top + height / 2 };
  const there = document.elementFromPoint(middle.x, middle.y);
  const isSelect = element instanceof HTMLSelectElement;
  return {
    text: element.textContent ?? '',
    value:
      isSelect || element instanceof HTMLInputElement || element instanceof HTMLTextAreaElement
        ? element.value
        : null,
    choices: isSelect ? [...element.options].map(({ text }) => text) : [],
    chosen: isSelect ? element.selectedIndex : -1,
    items: lib.queryAllByRole(element, 'listitem').map(({ textContent }) => textContent ?? ''),
    checked: element instanceof HTMLInputElement && element.checked,
    focused: document.activeElement === element,
    disabled: element.matches(':disabled, [aria-disabled="true"]'),
    middle: element.contains(there) ? middle : null,
  };
}

/** Whether what was shown last has been pressed since; also where its page has gone meanwhile. */
export const wasPressed = async (tab: Tab): Promise<boolean> =>
  (await tab.evaluate('globalThis.wasPressed').catch(() => true)) !== false;

/** Looks once. Null where there is no such thing to be seen. `show` scrolls to it, `focus` gives it the focus. */
export async function look(
  tab: Tab,
  sought: Sought,
  approach: 'look' | 'show' | 'focus' = 'look',
): Promise<Sight | null> {
  const expression = `(${lookInPage})(${JSON.stringify(wantedOf(sought))}, ${JSON.stringify(approach)})`;
  const seen = await tab.evaluate(expression);
  if (seen !== 'no library') return seen as Sight | null;
  await tab.evaluate(`(() => { ${library()}\n })()`);
  return (await tab.evaluate(expression)) as Sight | null;
}

/** How a message names what was looked for. */
export function describe({ role, name, label, within }: Sought): string {
  const itself = label === undefined ? `${role}${name === undefined ? '' : ` ${name}`}` : `field ${label}`;
  return within ? `${itself} in ${describe(within)}` : itself;
}
