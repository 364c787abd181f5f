// A button that was rendered ahead of time (button.tsx), in a document without React.

/** Shows a `<Button busyLabel="…">` as busy, or as it was: its place, its focus and its words stay. */
export function setBusy(button: HTMLButtonElement, busy: boolean): void {
  const [words, waiting] = button.firstElementChild?.children ?? [];
  for (const name of ['aria-busy', 'aria-disabled']) {
    if (busy) button.setAttribute(name, 'true');
    else button.removeAttribute(name);
  }
  for (const [part, isShown] of [
    [words, !busy],
    [waiting, busy],
  ] as const) {
    part?.classList.toggle('invisible', !isShown);
    part?.setAttribute('aria-hidden', String(!isShown));
  }
}
