// Before a vault is destroyed, the sisters of its letters are to erase them: afterwards nobody could tell them.
import { legacyScrollKind } from '../../../vault/kinds/legacy-scroll.ts';
import { openScroll } from '../../../vault/legacy/scroll-list.ts';
import { endEverywhere } from '../../../vault/legacy/signs-of-life.ts';
import { originsOfOthers, readMemory } from '../../../vault/legacy/sister-memory.ts';
import { letterWithSisters } from '../../../vault/legacy/with-sisters.ts';
import type { OpenVault } from '../session/vault-context.ts';
import { mayLackLetters } from './row-in-question.ts';
import { sisterPorts } from './sister-device.ts';

/** Of whom it is not known that they keep no letter any more. */
export interface Untold {
  /** The hosts that were not reached, or have a letter of which this device knows and which the server does not show. */
  hosts: string[];
  /** Whether a letter could not be fetched or opened, or is not shown as the vault's book has it: sisters may keep it. */
  mayBeMore: boolean;
}

/**
 * Ends every letter at every sister. Where letters cannot be fetched at all, that holds up nobody for longer than this is said.
 */
export async function endAllSisters(vault: OpenVault): Promise<Untold> {
  // Not as a list: that is compared with the book meanwhile, which is gone with the vault.
  const rows = await legacyScrollKind.fetch(vault.api).catch(() => null);
  const ports = sisterPorts(vault);
  const opened = await Promise.all((rows ?? []).map((row) => openScroll(row, vault)));
  const letters = opened.flatMap((scroll) => letterWithSisters(scroll) ?? []);
  const away = await Promise.all(letters.map((letter) => endEverywhere(letter, ports)));
  const hidden = originsOfOthers(
    readMemory(ports.readMemory()),
    new Set(letters.map(({ sealId }) => sealId)),
  );
  const origins = [...away.flat().map(({ origin }) => origin), ...hidden];
  return {
    hosts: [...new Set(origins.map((origin) => new URL(origin).host))],
    mayBeMore: rows === null || letters.length < rows.length || mayLackLetters(vault),
  };
}
