// What the page of a one-time link needs seldom, and never before somebody has come near: stretching a passphrase, setting
// words that have marks, and showing files.
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

/** The files of an opened link, as its words describe them, and what lends them to this browser. */
export interface LentFiles {
  files: unknown;
  fetch: typeof globalThis.fetch;
  keyId: string;
  redemptionId: string;
  leaseUntil: string;
}

/** Shows the files that came along in place of what stands there. */
export async function showFiles(place: Element, lent: LentFiles): Promise<void> {
  const { renderFiles } = await import('./lent-files.tsx');
  renderFiles(place, lent);
}
