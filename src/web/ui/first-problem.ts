// Where the focus goes when a form is sent that cannot be sent yet.

/** Puts the focus on the first field that says what is wrong with it; nowhere when none does. */
export function focusFirstProblem(form: HTMLElement | null): void {
  form?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus();
}
