// What an entry says beside its words, sealed like them: when it happened, and its tags (docs/formats.md, "Details").
// Pure. Whatever else stands there is kept as it is.
import { isEdtf, parseEdtf } from '../../shared/edtf.ts';

export interface Details {
  /** As exactly as it is known (shared/edtf.ts): a day `2019-05-17`, a minute, a month, a season, a year, or about then. */
  happenedOn: string | null;
  tags: readonly string[];
  /** How a myth was made; absent where nothing says so. */
  made?: Made;
}

/** What made a myth, and what it was asked for. */
export interface Made {
  by: 'loom' | 'model';
  /** The model, as it was named before it read the words. */
  writer?: string;
  /** One of the tones, or one that a later version knows. */
  tone?: string;
  person?: string;
  duration?: string;
}

/** What put an entry into the vault that its owner has not written: who, as far as that is known. */
export type Arrival =
  | { by: 'webhook'; id: number | null }
  | { by: 'model'; model: string | null }
  /** A server that does not say why. */
  | { by: 'server' };

const VERSION = 1;
/** As many tags, and as long ones, as an entry has room for. */
export const TAGS_MAX = 12;
export const TAG_LENGTH_MAX = 40;
/** The longest JSON whose seal still fits into the contract's field, in UTF-8 bytes. */
const BYTES_MAX = 195_000;

const byteLength = (text: string) => new TextEncoder().encode(text).length;

type Json = Record<string, unknown>;

function parsed(text: string | null): Json | null {
  if (text === null) return {};
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Json) : null;
  } catch {
    return null;
  }
}

/** Details as an export has them; null for none, and for what is no object of JSON. */
export const detailsToJson = (text: string | null | undefined): Json | null =>
  typeof text === 'string' ? parsed(text) : null;

/**
 * What `detailsToJson` gave, an archive of elsewhere or somebody else's letter, as it is sealed.
 * @returns null for none, and for more than can be kept, or what is nested so deeply that it cannot be written
 */
export function detailsFromJson(json: Json | null | undefined): string | null {
  if (!json) return null;
  try {
    const text = canonical(json);
    return byteLength(text) > BYTES_MAX ? null : text;
  } catch (error) {
    if (error instanceof RangeError) return null;
    throw error;
  }
}

const isKnown = (json: Json | null): json is Json => json !== null && (json.v ?? VERSION) === VERSION;

/**
 * Whether details can be changed here: those of a later version are kept, and not understood.
 * @param text as `detailsText` of an entry
 */
export const canEditDetails = (text: string | null | undefined): boolean =>
  text !== undefined && isKnown(parsed(text));

/** What opened details say, as far as it is understood. */
export function readDetails(text: string | null): Details {
  const json = parsed(text);
  if (!isKnown(json)) return { happenedOn: null, tags: [] };
  const { happenedOn, tags, made } = json;
  return {
    happenedOn: isEdtf(happenedOn) ? happenedOn : null,
    tags: Array.isArray(tags) ? tidyTags(tags.filter((tag) => typeof tag === 'string')) : [],
    ...madeOf(made),
  };
}

/** Where an entry arrived from; null for one that was written in this vault, or when it does not say. */
export function readArrival(text: string | null): Arrival | null {
  const json = parsed(text);
  // Of whatever version: nobody gets rid of the mark by one that is not understood.
  if (json === null || json.arrived === undefined) return null;
  const { by, id, model } = (json.arrived ?? {}) as Json;
  if (by === 'webhook') return { by, id: Number.isSafeInteger(id) ? (id as number) : null };
  if (by === 'model') return { by, model: typeof model === 'string' && model.length <= 200 ? model : null };
  return { by: 'server' };
}

/**
 * The details of what a server has sealed: they say that it arrived, also where the server left that out. What is no object,
 * or leaves no room for the mark, gives way to it: nothing that this server has sealed becomes an entry without one.
 */
export function withArrival(text: string | null): string {
  const bare = { arrived: { by: 'server' }, v: VERSION };
  const json = parsed(text);
  if (json === null) return canonical(bare);
  try {
    const marked = canonical({ ...bare, ...json });
    return byteLength(marked) > BYTES_MAX ? canonical(bare) : marked;
  } catch {
    // It is nested so deep that nothing here can write it.
    return canonical(bare);
  }
}

function madeOf(made: unknown): Pick<Details, 'made'> {
  if (typeof made !== 'object' || made === null) return {};
  const { by, ...others } = made as Json;
  if (by !== 'loom' && by !== 'model') return {};
  const said = (['writer', 'tone', 'person', 'duration'] as const).filter(
    (member) => typeof others[member] === 'string' && others[member] !== '',
  );
  return { made: { by, ...Object.fromEntries(said.map((member) => [member, others[member]])) } };
}

/**
 * Details with these values in place of what `before` says; its other keys stay, and how a myth was made unless it is said.
 * @param before what was opened; null for none
 * @returns canonical JSON, or null where nothing is left to be said. What is not understood comes back as it was
 */
export function writeDetails(before: string | null, { happenedOn, tags, made }: Details): string | null {
  const json = parsed(before);
  if (!isKnown(json)) return before;
  const { v: _, happenedOn: oldDay, tags: __, ...others } = json;
  // A day that is not understood stays until another one is given.
  const day = happenedOn ?? (isEdtf(oldDay) ? undefined : oldDay);
  const next = {
    ...others,
    ...(day !== undefined && { happenedOn: day }),
    ...(tags.length > 0 && { tags }),
    ...(made && { made }),
  };
  return asDetails(next, before);
}

/** Members as they are sealed; null where there are none, and `otherwise` where they are too many. */
function asDetails(members: Json, otherwise: string | null): string | null {
  if (Object.keys(members).length === 0) return null;
  const text = canonical({ ...members, v: VERSION });
  return byteLength(text) > BYTES_MAX ? otherwise : text;
}

/** The members of opened details; null for those of a later version, and for what is no object of JSON. */
export function membersOf(text: string | null): Readonly<Json> | null {
  const json = parsed(text);
  return isKnown(json) ? json : null;
}

/**
 * Details with these members in place of what `before` says of them.
 * @returns canonical JSON; null where they cannot be changed here, or are too many
 */
export function withMembers(before: string | null, members: Json): string | null {
  const json = membersOf(before);
  return json && asDetails({ ...json, ...members }, null);
}

/** Details without some members: null where nothing is left, and as they were where they cannot be changed here. */
export function withoutMembers(before: string, names: readonly string[]): string | null {
  const json = membersOf(before);
  if (json === null) return before;
  const left = Object.entries(json).filter(([name]) => name !== 'v' && !names.includes(name));
  // They have become shorter, whatever they were.
  return asDetails(Object.fromEntries(left), before);
}

/** JSON with sorted keys and no spaces: the same details are always the same text. */
export function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const keys = Object.keys(value).sort();
  return `{${keys.map((key) => `${JSON.stringify(key)}:${canonical((value as Json)[key])}`).join(',')}}`;
}

/** Tags as they are kept: trimmed, none twice, and no more or longer ones than there is room for. */
export function tidyTags(tags: readonly string[]): string[] {
  const byKey = new Map<string, string>();
  for (const tag of tags) {
    const tidy = tag.normalize('NFC').replace(/\s+/g, ' ').trim();
    const key = tidy.toLowerCase();
    if (tidy !== '' && [...tidy].length <= TAG_LENGTH_MAX && !byKey.has(key)) byKey.set(key, tidy);
  }
  return [...byKey.values()].slice(0, TAGS_MAX);
}

/** What an imported entry was elsewhere. */
export interface ImportedFrom {
  /** The form that it came in, such as `day-one`. */
  from: string;
  /** What it is known by there. */
  id: string;
}

/** What opened details say of an import; null for entries that were written here, and where it cannot be read. */
export function readImported(text: string | null | undefined): ImportedFrom | null {
  const json = parsed(text ?? null);
  if (!isKnown(json)) return null;
  const { imported } = json;
  if (typeof imported !== 'object' || imported === null) return null;
  const { from, id } = imported as Json;
  return typeof from === 'string' && typeof id === 'string' ? { from, id } : null;
}

/** The details of a new entry that comes from elsewhere. */
export const writeImported = (imported: ImportedFrom, details: Details): string | null =>
  writeDetails(canonical({ imported: { from: imported.from, id: imported.id }, v: VERSION }), details);

/** The tags of a line in which commas part them. */
export const tagsFromLine = (line: string): string[] => tidyTags(line.split(','));

/** Why a line of tags cannot be kept whole; undefined when it can. */
export function tagsProblem(line: string): string | undefined {
  const tags = line.split(',').map((tag) => tag.trim());
  if (tags.some((tag) => [...tag].length > TAG_LENGTH_MAX))
    return `A tag has ${TAG_LENGTH_MAX} letters at most.`;
  return tags.filter(Boolean).length > TAGS_MAX ? `An entry has ${TAGS_MAX} tags at most.` : undefined;
}

/** When something happened in this device's own time, in epoch milliseconds: the first minute of the day, or of the year. */
export const happenedAt = (happenedOn: string): number | null =>
  parseEdtf(happenedOn)?.start.getTime() ?? null;
