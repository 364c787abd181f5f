// Opens the example of the landing page by what the page of a one-time link uses: from the sealed text and the key that the page
// shows, so that what was changed there does not open. It asks no server.
import { deriveShare, shareSecretFromText } from '../../../crypto/claim.ts';
import { openShared } from '../../../vault/sharing/share.ts';

/**
 * Shows the words of an example (example.tsx) in its place, and gives them the focus.
 * @throws Error when they do not open; then nothing is shown
 */
export async function openExample(figure: HTMLElement): Promise<void> {
  const part = (name: string) => {
    const found = figure.querySelector<HTMLElement>(`[data-${name}]`);
    if (!found) throw new Error(`the example has no ${name}`);
    return found;
  };
  const { contentKey } = await deriveShare(shareSecretFromText(part('secret').textContent), null);
  const entry = await openShared(part('sealed').textContent, contentKey, figure.dataset.example ?? '');
  const title = part('title');
  title.textContent = entry.entryType === 'relationship' ? entry.personName : entry.title;
  part('content').textContent = entry.content;
  part('shut').hidden = true;
  part('opened').hidden = false;
  title.focus({ preventScroll: true });
}
