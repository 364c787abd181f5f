// Names and types of files, as they are sealed and shown. Pure. A name comes from anywhere: it must not be able to look like
// another one, to leave a folder, or to fill the room of the words.

/** The longest name, in bytes of UTF-8: as much as file systems have room for. */
export const NAME_BYTES_MAX = 255;
/** What a file is called that has no name, and the type of one whose type is not said. */
export const UNNAMED = 'file';
export const UNKNOWN_TYPE = 'application/octet-stream';

/** Control characters, line and paragraph separators, and what turns the direction of writing around or cannot be seen. */
const UNSEEN = /[\p{Cc}\p{Zl}\p{Zp}\u061c\u200b\u200e\u200f\u202a-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb]/gu;
const LONE_SURROGATES = /\p{Cs}/gu;
/** What stands in paths, or means something to a file system. */
const RESERVED = /[/\\:*?"<>|]/g;
const TYPE = /^[a-z0-9][a-z0-9!#$&^_.+-]{0,63}\/[a-z0-9][a-z0-9!#$&^_.+-]{0,63}$/;
/** An ending that is one, and not the rest of a sentence. */
const ENDING = /\.[\p{L}\p{N}]{1,16}$/u;

/**
 * A name as it is sealed and shown: in NFC, on one line, without what cannot be seen or means a folder, and of
 * NAME_BYTES_MAX at most, of which its ending is kept. A name that nothing is left of is `file`.
 */
export function tidyName(name: string): string {
  const seen = name
    .replace(LONE_SURROGATES, '\ufffd')
    .replace(UNSEEN, '')
    .normalize('NFC')
    .replace(RESERVED, '_');
  const trimmed = seen.replace(/\s+/gu, ' ').replace(/^[. ]+|[. ]+$/g, '');
  if (trimmed === '') return UNNAMED;
  if (byteLength(trimmed) <= NAME_BYTES_MAX) return trimmed;
  const [ending = ''] = ENDING.exec(trimmed) ?? [];
  const room = NAME_BYTES_MAX - byteLength(ending);
  return cut(trimmed.slice(0, trimmed.length - ending.length), room).replace(/[. ]+$/, '') + ending;
}

/** A media type as it is sealed: in lower case, without parameters; `application/octet-stream` where it is none. */
export function tidyType(type: string): string {
  const [bare = ''] = type.toLowerCase().split(';');
  return TYPE.test(bare.trim()) ? bare.trim() : UNKNOWN_TYPE;
}

const byteLength = (text: string) => new TextEncoder().encode(text).length;

/** As many whole characters as `room` bytes hold. */
function cut(text: string, room: number): string {
  const bytes = new Uint8Array(room);
  return text.slice(0, new TextEncoder().encodeInto(text, bytes).read);
}
