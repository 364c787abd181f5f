// What the page of a one-time link needs seldom, and never before somebody has come near: stretching a passphrase, and setting
// words that have marks.
import type { ShareStretching } from '../../../shared/nouns/sacred-key.ts';
import { deriveLink as derive } from '../../../vault/sharing/derive-link.ts';
import { stretchPassphrase } from '../../vault/key/stretch-passphrase.ts';

/** As the engine's, in this browser's worker. */
export const deriveLink = (secret: Uint8Array, passphrase: string, stretching: ShareStretching) =>
  derive(secret, passphrase, stretching, stretchPassphrase);

/** Sets a text as Markdown in place of what stands there. */
export async function showMarkedUp(place: Element, text: string): Promise<void> {
  const { renderMarkedUp } = await import('./marked-up.tsx');
  renderMarkedUp(place, text);
}
