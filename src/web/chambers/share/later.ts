// What the page of a one-time link needs after its first view: stretching a passphrase, and, once the words were opened, setting
// those that have marks and showing files.
import type { ShareStretching } from '../../../shared/nouns/sacred-key.ts';
import { deriveLink as derive } from '../../../vault/sharing/derive-link.ts';
import { mayHaveMarkup } from '../../ui/markdown/may-have-markup.ts';
import { stretchPassphrase } from '../../vault/key/stretch-passphrase.ts';
import type { SecretLink } from '../../vault/sharing/secret-link.ts';
import type { OpenedView } from './ceremony.ts';

/** As the engine's, in this browser's worker. */
export const deriveLink = (secret: Uint8Array, passphrase: string, stretching: ShareStretching) =>
  derive(secret, passphrase, stretching, stretchPassphrase);

/**
 * Shows what takes more than the first script: words that have marks, and files. Called again it does only what has failed.
 * @param words what the document has for opened words
 * @param link the one that was opened
 * @param signal ends when the page is taken away
 */
export async function showMore(
  words: HTMLElement,
  view: OpenedView,
  fetch: typeof globalThis.fetch,
  link: SecretLink,
  signal: AbortSignal,
): Promise<void> {
  const { content, files } = view.entry;
  const place = (name: string) => words.querySelector(`[data-${name}]`);
  await Promise.all([
    mayHaveMarkup(content) &&
      once(place('content'), async (text) => {
        const { renderMarkedUp } = await import('./marked-up.tsx');
        if (!signal.aborted) renderMarkedUp(text, content, signal);
      }),
    files !== undefined &&
      once(place('files'), async (list) => {
        const { renderFiles } = await import('./lent-files.tsx');
        if (!signal.aborted) renderFiles(list, view, fetch, link.name ?? '', signal);
      }),
  ]);
}

const drawn = new WeakSet<Element>();

/** Draws into a place, unless that was done or is being done. */
async function once(place: Element | null, draw: (place: Element) => Promise<void>): Promise<void> {
  if (!place || drawn.has(place)) return;
  drawn.add(place);
  try {
    await draw(place);
  } catch (error) {
    drawn.delete(place);
    throw error;
  }
}
