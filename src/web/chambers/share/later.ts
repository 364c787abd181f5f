// What the page of a one-time link needs seldom, and never before somebody has come near: stretching a passphrase, and setting
// words that have marks.
export { deriveLink } from '../../vault/sharing/derive-link.ts';

/** Sets a text as Markdown in place of what stands there. */
export async function showMarkedUp(place: Element, text: string): Promise<void> {
  const { renderMarkedUp } = await import('./marked-up.tsx');
  renderMarkedUp(place, text);
}
