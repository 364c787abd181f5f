// Where the focus goes when a form is sent that cannot be sent yet.
import { intoView } from './into-view.ts';

/**
 * Puts the focus on the first field that says what is wrong with it, and brings what it says into sight; nowhere when none
 * does.
 */
export function focusFirstProblem(form: HTMLElement | null): void {
  const field = form?.querySelector<HTMLElement>('[aria-invalid="true"]');
  if (!field) return;
  field.focus();
  // Its error comes first of what describes it.
  const [error = ''] = (field.getAttribute('aria-describedby') ?? '').split(' ');
  intoView(document.getElementById(error));
}
