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

/**
 * The text that is sealed.
 * @param leftOut what is not in it, a sentence each
 */
export function arkContents(entries: EntriesFile, leftOut: readonly string[]): string {
  return JSON.stringify(
    sorted({
      format: 'latebra/ark-entries',
      v: 1,
      asOf: newestOf(entries),
      entries: readableEntries(entries).map((entry) => ({ ...entry, files: entry.files.map(fileOf) })),
      leftOut,
    }),
  );
}
