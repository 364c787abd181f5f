// What of an import the vault has already.
import { readImported } from '../../../vault/entries/details.ts';
import { isEntryHere, noteHere } from '../../../vault/outbox/here-already.ts';
import { entryListOf } from '../../../vault/replica/entry-list.ts';
import type { PreviewRow, ReadReply } from '../../imports/import-messages.ts';
import type { LeftOut } from '../../imports/imported-entry.ts';
import { memoryKind } from '../../vault/entries/memories.ts';
import type { OpenVault } from '../../vault/session/vault-context.ts';

/** Rows that a vault has already, and rows of a conversation that was shorter when it was imported before. */
export interface Known {
  here: ReadonlySet<number>;
  grown: ReadonlySet<number>;
}

/** What was read of some files, beside what the vault has. */
export interface Preview extends Known {
  read: ReadReply;
  rows: PreviewRow[];
  leftOut: LeftOut[];
}

const idOf = (from: string, id: string) => `${from} ${id}`;
/** Of what grows, the part of its number that stays. */
const stem = (sourceId: string) =>
  sourceId.includes('#') ? sourceId.slice(0, sourceId.lastIndexOf('#')) : null;

/**
 * By the number of its seal, and, where the key was changed since, by what its details say. What does not open is not here; what
 * is counts as written from now on.
 * @throws ApiError, TypeError
 */
export async function compareWithVault(rows: readonly PreviewRow[], vault: OpenVault): Promise<Known> {
  const memories = (await vault.lists.load(entryListOf(memoryKind))).filter(isEntryHere);
  const sealIds = new Set(memories.map(({ sealId }) => sealId));
  const imported = memories.flatMap(({ detailsText }) => readImported(detailsText) ?? []);
  const ids = new Set(imported.map(({ from, id }) => idOf(from, id)));
  const stems = new Set(imported.map(({ from, id }) => idOf(from, stem(id) ?? '')));
  const isHere = ({ sealId, format, sourceId }: PreviewRow) =>
    sealIds.has(sealId) || ids.has(idOf(format, sourceId));
  const here = new Set(rows.filter(isHere).map(({ id }) => id));
  const numbers = new Set(rows.map(({ sealId }) => sealId));
  const own = memories.filter(({ sealId }) => numbers.has(sealId ?? ''));
  await noteHere(vault, 'memory', own);
  const hasGrown = ({ id, format, sourceId }: PreviewRow) =>
    !here.has(id) && stem(sourceId) !== null && stems.has(idOf(format, stem(sourceId) ?? ''));
  return { here, grown: new Set(rows.filter(hasGrown).map(({ id }) => id)) };
}
