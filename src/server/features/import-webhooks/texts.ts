// What a delivery becomes: the texts of a memory. Pure; it keeps nothing.
import type { Delivery } from '../../../shared/nouns/import-webhooks.ts';

/** The longest title that is taken from a text, in characters. */
const TITLE_FROM_TEXT = 80;

/** Plain texts, by the names of a memory's sealed fields. */
export interface Texts {
  title: string;
  encryptedContent: string;
  details: string;
}

/** @param webhookId what it came by: the browser shows that, and keeps it */
export function textsOf({ data }: Delivery, webhookId: number): Texts {
  const content = data.content ?? data.text ?? '';
  const title = data.title?.trim() || titleFrom(content);
  // Canonical JSON, with its keys in order (docs/formats.md, "Details").
  const details = JSON.stringify({
    arrived: { by: 'webhook', id: webhookId },
    ...(data.happenedOn && { happenedOn: data.happenedOn }),
    ...(data.tags && data.tags.length > 0 && { tags: data.tags }),
    v: 1,
  });
  return { title, encryptedContent: content, details };
}

/** The first line that has something in it, cut at a word if it is long. */
function titleFrom(content: string): string {
  const line = (content.split(/\r?\n/).find((one) => one.trim() !== '') ?? '').replace(/\s+/g, ' ').trim();
  const characters = [...line];
  if (characters.length <= TITLE_FROM_TEXT) return line;
  const cut = characters.slice(0, TITLE_FROM_TEXT - 1).join('');
  const word = cut.lastIndexOf(' ');
  return `${(word > TITLE_FROM_TEXT / 2 ? cut.slice(0, word) : cut).trimEnd()}…`;
}
