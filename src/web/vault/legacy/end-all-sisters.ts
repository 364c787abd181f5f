// Before a vault is destroyed, the sisters of its letters are to erase them: afterwards nobody could tell them.
import { legacyScrollKind } from '../../../vault/kinds/legacy-scroll.ts';
import { openScroll } from '../../../vault/legacy/scroll-list.ts';
import { endEverywhere } from '../../../vault/legacy/signs-of-life.ts';
import { letterWithSisters } from '../../../vault/legacy/with-sisters.ts';
import type { OpenVault } from '../session/vault-context.ts';
import { sisterPorts } from './sister-device.ts';

/**
 * Ends every letter at every sister.
 * @returns the hosts that were not reached; none where the letters themselves could not be fetched, which must hold up nobody
 */
export async function endAllSisters(vault: OpenVault): Promise<string[]> {
  // Not as a list: that is compared with the book meanwhile, which is gone with the vault.
  const rows = await legacyScrollKind.fetch(vault.api).catch(() => []);
  const away = await Promise.all(
    rows.map(async (row) => {
      const letter = letterWithSisters(await openScroll(row, vault));
      return letter ? endEverywhere(letter, sisterPorts(vault)) : [];
    }),
  );
  return [...new Set(away.flat().map(({ origin }) => new URL(origin).host))];
}
