// The key in what somebody typed or pasted from a card: the key alone, in groups or not, or the whole link.
import { readSecretLink } from '../../vault/sharing/secret-link.ts';

/** Null when there is no whole key in it. */
export function keyIn(typed: string): string | null {
  const text = typed.replace(/\s/g, '');
  const key = text.slice(text.lastIndexOf('#') + 1).replace(/^.*%(?:25)*23/i, '');
  return readSecretLink({ pathname: '', hash: `#${key}` }, '').secret;
}
