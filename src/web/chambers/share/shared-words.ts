// Words that were opened, put into their place in the document. They live in this page alone and leave with it.
import { type EventType, eventLabel, weightOf } from '../../../shared/nouns/moment-kinds.ts';
import { type StoryType, storyLabel } from '../../../shared/nouns/story-types.ts';
import { happenedAt } from '../../../vault/entries/details.ts';
import type { SharedEntry } from '../../../vault/sharing/share.ts';
import { formatDay } from '../../ui/moments.ts';
import { splitParagraphs, takesDropCapital } from '../../ui/paragraphs.ts';
import { formatHappened } from '../../vault/entries/happened.ts';

/** A heading, and facts that stand beneath it. */
function headOf(entry: SharedEntry): { title: string; facts: string[] } {
  const { happenedOn = '' } = entry;
  const day = [
    ...(happenedAt(happenedOn) === null ? [] : [`Happened ${formatHappened(happenedOn)}`]),
    ...(Number.isNaN(Date.parse(entry.createdAt)) ? [] : [`Sealed ${formatDay(entry.createdAt)}`]),
  ];
  if (entry.entryType === 'memory') return { title: entry.title, facts: day };
  if (entry.entryType === 'myth') {
    return { title: entry.title, facts: [storyLabel(entry.storyType as StoryType), ...day] };
  }
  const { personName: title, eventType, emotionalWeight } = entry;
  if (eventType === undefined || emotionalWeight === undefined) return { title, facts: day };
  const { label, value } = weightOf(emotionalWeight);
  return { title, facts: [eventLabel(eventType as EventType), `${label}, ${value} of 5`, ...day] };
}

/**
 * Shows an entry as it was written, and gives it the focus.
 * @param place the document's own place for it, which is on the page
 * @param signal ends what asks before the words are left
 */
export function showWords(place: HTMLElement, entry: SharedEntry, signal: AbortSignal): void {
  const { title, facts } = headOf(entry);
  const paragraph = place.querySelector<HTMLElement>('[data-content] p');
  const [article, button] = [
    place.querySelector('article'),
    place.querySelector<HTMLElement>('footer button'),
  ];
  if (!paragraph || !article || !button) throw new Error('the document has no place for words');
  for (const heading of article.querySelectorAll('h1')) heading.textContent = title;
  article.querySelector('[data-facts]')?.replaceChildren(...facts.map(inSpan));
  paragraph.replaceWith(...splitParagraphs(entry.content).map((text, i) => asParagraph(paragraph, text, i)));
  const keep = new AbortController();
  addEventListener('beforeunload', (event) => event.preventDefault(), {
    signal: AbortSignal.any([signal, keep.signal]),
  });
  letCopy(button, [title, facts.join(' · '), '', entry.content].join('\n'), () => keep.abort());
  place.querySelector('[data-print]')?.addEventListener('click', () => print(), { signal });
  article.focus({ preventScroll: true });
  scrollTo(0, 0);
}

function inSpan(text: string): HTMLElement {
  const span = document.createElement('span');
  span.textContent = text;
  return span;
}

/** @param pattern a paragraph with a drop capital */
function asParagraph(pattern: HTMLElement, text: string, at: number): HTMLElement {
  const paragraph = pattern.cloneNode() as HTMLElement;
  paragraph.textContent = text;
  if (at > 0 || !takesDropCapital(text)) paragraph.classList.remove('drop-capital');
  return paragraph;
}

/** As `CopyButton` does it, which has drawn the button. */
function letCopy(button: HTMLElement, text: string, onCopied: () => void): void {
  const words = button.textContent;
  const status = button.nextElementSibling;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const tell = (answer: string | null) => {
    button.textContent = answer ?? words;
    if (status) status.textContent = answer;
  };
  button.addEventListener('click', async () => {
    try {
      await navigator.clipboard.writeText(text);
      tell('Copied');
      onCopied();
    } catch {
      tell('Could not copy');
    }
    clearTimeout(timer);
    timer = setTimeout(() => tell(null), 2_000);
  });
}
