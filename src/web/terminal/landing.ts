// The whole script of the landing page: a press on "thirteen.sh" fetches the terminal.
let terminal: Promise<() => void> | undefined;

async function open(button: HTMLElement, styles: string): Promise<void> {
  button.setAttribute('aria-busy', 'true');
  try {
    terminal ??= import('./open-terminal.tsx').then(({ makeTerminal }) => makeTerminal(styles));
    const show = await terminal;
    // Not every browser gives the focus to a button that is pressed, and closing gives it back.
    button.focus();
    show();
  } catch {
    // The next press tries again.
    terminal = undefined;
    button.textContent = 'thirteen.sh (not reached, press again)';
  } finally {
    button.removeAttribute('aria-busy');
  }
}

document.addEventListener('click', ({ target }) => {
  const button = target instanceof Element ? target.closest<HTMLElement>('[data-terminal]') : null;
  if (button) void open(button, document.querySelector<HTMLElement>('[data-styles]')?.dataset.styles ?? '');
});
