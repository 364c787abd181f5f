// The whole script of the landing page: it cleans an address to which a payment has led back, and a press on "thirteen.sh"
// fetches the terminal. The build says where it is, in
// attributes of this script's own element.
type Terminal = typeof import('./open-terminal.tsx');

let terminal: Promise<() => void> | undefined;

async function fetchTerminal(): Promise<() => void> {
  const { module = '', styles = '' } =
    document.querySelector<HTMLElement>('script[data-module]')?.dataset ?? {};
  const { makeTerminal } = (await import(/* @vite-ignore */ module)) as Terminal;
  return makeTerminal(styles);
}

async function open(button: HTMLElement): Promise<void> {
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

// Back from paying, and signed out meanwhile: a part of what the payment provider has added is secret. The app takes it out
// by itself (vault/plan/payment-return.ts).
if (/[?&](?:payment_intent|setup_intent|redirect_status)/.test(location.search)) {
  history.replaceState(null, '', location.pathname);
}

document.addEventListener('click', ({ target }) => {
  const button = target instanceof Element && target.closest<HTMLElement>('[data-terminal]');
  if (button) void open(button);
});
