// How the app looks in this browser: its theme and the size of its letters. It is kept here alone, and no server is told.
// Without imports: a script that stands before the first paint is made of it (first-look.ts).

export const THEMES = ['dark', 'light', 'system'] as const;
export const SIZES = ['small', 'regular', 'large', 'largest'] as const;

export interface Look {
  /** `system` is as the device has it just now. */
  theme: (typeof THEMES)[number];
  size: (typeof SIZES)[number];
}

/** Of somebody who has chosen nothing. */
const FIRST: Look = { theme: 'dark', size: 'regular' };
const SLOT = 'latebra.look';

/** The grounds of both themes (styles/tokens.css), for what the browser draws around the page. */
const GROUNDS = { dark: '#0a0806', light: '#f9f6f0' };

/** What was chosen in this browser. What is kept of something else, or cannot be read, counts as not chosen. */
export function loadLook(): Look {
  try {
    const { theme, size } = JSON.parse(localStorage.getItem(SLOT) ?? '{}') as Partial<Look>;
    return {
      theme: THEMES.find((known) => known === theme) ?? FIRST.theme,
      size: SIZES.find((known) => known === size) ?? FIRST.size,
    };
  } catch {
    return FIRST;
  }
}

/** Keeps a look and shows it. A browser without storage has it until the page is left. */
export function saveLook(look: Look): void {
  try {
    localStorage.setItem(SLOT, JSON.stringify(look));
  } catch {
    // It is shown all the same.
  }
  showLook(look);
}

/** Shows a look: the stylesheet has a ground for each theme, and letters of each size. */
export function showLook({ theme, size }: Look): void {
  const isLight =
    theme === 'light' || (theme === 'system' && matchMedia('(prefers-color-scheme: light)').matches);
  const shown = isLight ? 'light' : 'dark';
  const { dataset } = document.documentElement;
  dataset.theme = shown;
  dataset.size = size;
  for (const [name, content] of [
    ['color-scheme', shown],
    ['theme-color', GROUNDS[shown]],
  ] as const)
    document.querySelector(`meta[name="${name}"]`)?.setAttribute('content', content);
}

/** Follows what another tab chooses, and the device where it decides. */
export function watchLook(): void {
  const show = () => showLook(loadLook());
  addEventListener('storage', ({ key }) => key === SLOT && show());
  matchMedia('(prefers-color-scheme: light)').addEventListener('change', show);
}
