// What is sealed in an Ark: everything that its author can read, as canonical JSON, so that the same vault gives the same bytes.
import type { EntriesFile } from '../vault/archive/entries-file.ts';
import { newestOf, type ReadableEntry, readableEntries } from '../vault/archive/readable-entries.ts';

/** Members in the order of their names, whatever made them. What is not there stays away. */
export function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  const members = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(members.map(([name, member]) => [name, sorted(member)]));
}

/** As much of a file as it is recognised and shown by. */
const fileOf = ({ id, key, root, name, type, bytes, thumbnail }: ReadableEntry['files'][number]) => ({
  ...{ id, key, root, name, type, bytes },
  ...(thumbnail && { thumbnail }),
});

/** Of something, as canonical JSON. */
const textOf = (value: unknown) => JSON.stringify(sorted(value));

/**
 * The text that is sealed. Each entry stands on a line of its own, so that a reader need not take a large vault as a whole.
 * @param asOf when anything of it was written or changed last
 * @param leftOut what is not in it, a sentence each
 */
export function arkText(asOf: string, entries: readonly unknown[], leftOut: readonly string[]): string {
  const lines = entries.length === 0 ? '' : `\n${entries.map(textOf).join(',\n')}\n`;
  return `{"asOf":${textOf(asOf)},"entries":[${lines}],"format":"latebra/ark-entries","leftOut":${textOf(leftOut)},"v":1}`;
}

/** The text that is sealed for a vault. Parameters as of `arkText`. */
export function arkContents(entries: EntriesFile, leftOut: readonly string[]): string {
  const readable = readableEntries(entries).map((entry) => ({ ...entry, files: entry.files.map(fileOf) }));
  return arkText(newestOf(entries), readable, leftOut);
}
