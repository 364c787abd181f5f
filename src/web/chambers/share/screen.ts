// Puts on the page how a one-time link stands, from what its document (document.tsx) holds ready. It makes no markup of texts.

import { formatMoment } from '../../ui/moments.ts';
import { setBusy } from '../../ui/rendered-button.ts';
import { type RenderedField, renderedSecretField } from '../../ui/rendered-field.ts';
import { readBar, repairBar, watchBar } from '../../vault/sharing/address-bar.ts';
import { readSecretLink } from '../../vault/sharing/secret-link.ts';
import { beginCeremony, NotLoaded, type Standing, type View } from './ceremony.ts';
import type { deriveLink, showMore } from './later.ts';
import { showWords } from './shared-words.ts';

/** What comes after the first view: when a link has a passphrase, and once its words were opened. */
export interface LaterPart {
  deriveLink: typeof deriveLink;
  showMore: typeof showMore;
}

export interface SharePage {
  fetch: typeof fetch;
  /** Rejects where it cannot be fetched; the next call tries again. */
  loadPart: () => Promise<LaterPart>;
  /** The whole faces and what marked-up texts look like. */
  loadStyles: () => Promise<void>;
}

const readLink = (address: Pick<Location, 'pathname' | 'hash'>) => readSecretLink(address, '/share/');

/**
 * The form's own parts: its field, where a passphrase is asked for, its button, and what is wrong.
 * @param cloned makes what a template of the document has
 * @param onField is called once a passphrase is asked for
 */
function createForm(cloned: (name: string) => HTMLElement, signal: AbortSignal, onField: () => void) {
  let field: RenderedField | null = null;
  /** What stood in the field before the view was turned. */
  let typed = '';

  function addField(form: HTMLFormElement): RenderedField {
    const added = renderedSecretField(cloned('passphrase'), () => cloned('eye'));
    added.input.value = typed;
    form.prepend(added.element);
    added.input.addEventListener('input', () => added.say(null), { signal });
    onField();
    return added;
  }

  return {
    passphrase: () => field?.input.value ?? '',

    /** Another view comes in the place of the form. */
    takeAway(): void {
      typed = field?.input.value ?? '';
      field?.element.remove();
      field = null;
    },

    show(form: HTMLFormElement, { view, busy, problem }: Standing): void {
      const button = found<HTMLButtonElement>(form, '[type="submit"]');
      if (view.at === 'waiting' && view.stretching) field ??= addField(form);
      button.disabled = false;
      setBusy(button, busy);
      field?.say(problem?.passphrase ? problem.sentence : null);
      if (problem?.passphrase === 'missing') field?.input.focus();
      form.querySelector('[role="alert"]')?.remove();
      if (problem && !problem.passphrase) {
        const line = cloned('problem');
        line.textContent = problem.sentence;
        form.append(line);
      }
    },
  };
}

/** Brings the document to life. Returns how to take that away again. */
export function openSharePage({ fetch, loadPart, loadStyles }: SharePage): () => void {
  const main = found(document, '[data-share]');
  const place = found(main, '[data-place]');
  const waiting = found(place, '*');
  const closing = new AbortController();
  const { signal } = closing;
  const link = readBar(readLink);
  watchBar(readLink, link, { signal });
  repairBar(link, (keyId) => `/share/${keyId}`);

  let shown: View['at'] | 'begun' | null = null;
  const fetchPart = () =>
    loadPart().catch(() => {
      throw new NotLoaded();
    });
  const cloned = (name: string) => {
    const template = found<HTMLTemplateElement>(main, `[data-view="${name}"]`);
    return (template.content.cloneNode(true) as DocumentFragment).firstElementChild as HTMLElement;
  };
  const form = createForm(cloned, signal, () => void fetchPart().catch(() => {}));
  const wantStyles = () => void loadStyles().catch(() => {});

  /** Puts another view in the place of the one that is shown. @returns whether the focus goes along */
  function turnTo(name: NonNullable<typeof shown>): boolean {
    const room = name === 'waiting' ? waiting : cloned(name);
    const isFirst = shown === null;
    shown = name;
    form.takeAway();
    const { activeElement } = document;
    const isHeld = activeElement !== document.body && !place.contains(activeElement);
    if (!place.contains(room)) place.replaceChildren(room);
    for (const note of room.querySelectorAll<HTMLElement>('[data-exposed]')) note.hidden = !link.exposed;
    return !isFirst && !isHeld;
  }

  /** Whoever pressed what is gone now stands before the first field, whose heading is said, or before the heading. */
  function arrive(): void {
    const heading = found(place, 'h1');
    const input = place.querySelector('input');
    found(main, '[data-said]').textContent = input ? heading.textContent : '';
    (input ?? heading).focus({ preventScroll: input === null });
  }

  function show(standing: Standing): void {
    const { view } = standing;
    if (view.at === 'opened') {
      if (shown === 'opened') return;
      shown = 'opened';
      const words = cloned('opened');
      main.replaceChildren(words);
      showWords(words, view.entry, signal);
      found(words, '[data-files]').hidden = !view.entry.files;
      // Until it is there, and where it cannot be fetched, the text stands as it was written; a press tries again.
      main.onclick = () =>
        Promise.all([fetchPart(), loadStyles()])
          .then(([part]) => part.showMore(words, view, fetch, link, signal))
          .catch(() => {});
      main.click();
      return;
    }
    const name = view.at === 'looking' ? 'waiting' : view.at === 'waiting' && view.begun ? 'begun' : view.at;
    const arrives = name !== shown && turnTo(name);
    if (view.at === 'unreachable') found(place, '[data-told]').textContent = view.problem;
    if (view.at === 'unreadable') found(place, '[data-told]').textContent = formatMoment(view.leaseUntil);
    if (name === 'waiting' || name === 'begun') form.show(found<HTMLFormElement>(place, 'form'), standing);
    const look = place.querySelector<HTMLButtonElement>('[data-look]');
    if (look) setBusy(look, standing.looking);
    if (arrives) arrive();
  }

  place.addEventListener(
    'submit',
    (event) => {
      event.preventDefault();
      void ceremony.breakSeal(form.passphrase());
    },
    { signal },
  );
  place.addEventListener(
    'click',
    ({ target }) => {
      if ((target as Element).closest('[data-look]')) void ceremony.lookAgain();
    },
    { signal },
  );
  // The words can have any letter, and their faces may be there before somebody has pressed.
  for (const approach of ['pointerover', 'touchstart', 'focusin']) {
    place.addEventListener(approach, wantStyles, { signal, once: true, passive: true });
  }
  const ceremony = beginCeremony(link, {
    fetch,
    deriveLink: async (...given) => (await fetchPart()).deriveLink(...given),
    show,
  });
  return () => closing.abort();
}

function found<E extends HTMLElement = HTMLElement>(within: ParentNode, selector: string): E {
  const element = within.querySelector<E>(selector);
  if (!element) throw new Error(`the document lacks ${selector}`);
  return element;
}
