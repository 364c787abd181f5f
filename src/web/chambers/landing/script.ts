// The whole script of the landing page: it cleans an address to which a payment has led back. A press on "thirteen.sh" fetches
// the terminal, and one on the example what opens that. The build says where they are, in attributes of this script's own
// element.
type Terminal = typeof import('../../terminal/open-terminal.tsx');
type Example = typeof import('./open-example.ts');

const {
  module = '',
  styles = '',
  later = '',
} = document.querySelector<HTMLElement>('script[data-module]')?.dataset ?? {};

let terminal: Promise<() => void> | undefined;

async function fetchTerminal(): Promise<() => void> {
  const { makeTerminal } = (await import(/* @vite-ignore */ module)) as Terminal;
  return makeTerminal(styles);
}

async function openTerminal(button: HTMLElement): Promise<void> {
  try {
    terminal ??= fetchTerminal();
    const show = await terminal;
    // Not every browser gives the focus to a button that is pressed, and closing gives it back.
    button.focus();
    show();
  } catch {
    // The next press tries again.
    terminal = undefined;
    button.textContent = 'thirteen.sh: not loaded, try again';
  }
}

async function openExample(button: HTMLElement): Promise<void> {
  try {
    const example = (await import(/* @vite-ignore */ later)) as Example;
    await example.openExample(button.closest('figure') as HTMLElement);
  } catch {
    button.textContent = 'Not opened: try again';
  }
}

// Back from paying, and signed out meanwhile: a part of what the payment provider has added is secret. The app takes it out
// by itself (vault/plan/payment-return.ts).
if (/[?&](?:payment_intent|setup_intent|redirect_status)/.test(location.search)) {
  history.replaceState(null, '', location.pathname);
}

document.addEventListener('click', ({ target }) => {
  const button = target instanceof Element && target.closest<HTMLElement>('button');
  if (!button) return;
  if ('terminal' in button.dataset) void openTerminal(button);
  if ('openExample' in button.dataset) void openExample(button);
});
