// A secret line that was rendered ahead of time (text-fields.tsx), in a document without React.

export interface RenderedField {
  element: Element;
  input: HTMLInputElement;
  /** Says beneath the line what is wrong with it; null for nothing. */
  say(problem: string | null): void;
}

/**
 * Brings a `<SecretField>` to life.
 * @param element holds it, rendered with a hint and with an error whose words have their place in a `data-told`
 * @param drawEye draws the sign of a line that is shown
 */
export function renderedSecretField(element: Element, drawEye: () => Element): RenderedField {
  const input = element.querySelector('input');
  const toggle = element.querySelector('button');
  const told = element.querySelector('[data-told]');
  const line = told?.closest('p');
  const hint = line?.nextElementSibling;
  if (!input || !toggle || !told || !line || !hint) throw new Error('the field is not whole');
  const parts = { told, line, hint, input };
  const signs = [...toggle.children, drawEye()];
  toggle.addEventListener('click', () => {
    const isShown = input.type === 'password';
    input.type = isShown ? 'text' : 'password';
    toggle.setAttribute('aria-label', isShown ? 'Hide what is typed' : 'Show what is typed');
    toggle.replaceChildren(...signs.slice(isShown ? 1 : 0, isShown ? 2 : 1));
  });
  const say = (problem: string | null) => sayBeneath(parts, problem);
  say(null);
  return { element, input, say };
}

interface Parts {
  told: Element;
  line: Element;
  hint: Element;
  input: Element;
}

function sayBeneath({ told, line, hint, input }: Parts, problem: string | null): void {
  told.textContent = problem;
  if (problem === null) {
    line.remove();
    input.removeAttribute('aria-invalid');
    input.setAttribute('aria-describedby', hint.id);
  } else {
    hint.before(line);
    input.setAttribute('aria-invalid', 'true');
    input.setAttribute('aria-describedby', `${line.id} ${hint.id}`);
  }
}
