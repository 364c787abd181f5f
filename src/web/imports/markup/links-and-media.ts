// Links and media of HTML as they stand in a text. Pure.
import type { MarkdownRules } from './markdown-rules.ts';
import { elementsIn, type MarkupElement } from './parse-markup.ts';

/** A link with its address, where that leads anywhere outside of the export. */
export function linkText({ attributes }: MarkupElement, inner: string): string {
  const text = inner.replace(/\s+/g, ' ').trim();
  const address = (attributes.href ?? '').trim();
  if (!/^(https?:\/\/|mailto:|tel:)\S/i.test(address)) return inner;
  const plain = address.replace(/^(mailto|tel):/i, '');
  if (text === '' || text === address || text === plain) return plain;
  // A picture that is a link stands for itself.
  if (/^\[[^\]]*\]$/.test(text) && / left out\b/.test(text)) return text;
  return `[${text}](${address.replace(/[ ()]/g, (c) => `%${c.charCodeAt(0).toString(16)}`)})`;
}

const KINDS: Record<string, string> = { img: 'Image', picture: 'Image', video: 'Video', audio: 'Recording' };

/** A picture or a recording by its name, in the place where it stood. */
export function mediaText(element: MarkupElement, onMedia: MarkdownRules['onMedia']): string {
  const inside = elementsIn(element, ({ attributes }) => Boolean(attributes.src));
  const source =
    element.attributes.src ??
    element.attributes.data ??
    inside[0]?.attributes.src ??
    element.attributes.href ??
    '';
  const alt = (element.attributes.alt ?? inside[0]?.attributes.alt ?? '').replace(/[\s[\]]+/g, ' ').trim();
  // Applications draw emoji as pictures.
  if (/^\p{Extended_Pictographic}[\p{Emoji_Component}\p{Extended_Pictographic}]*$/u.test(alt)) return alt;
  const tell = (name: string) => onMedia(name, source);
  if (element.name === 'iframe' || element.name === 'embed')
    return /^https?:/i.test(source) ? source : leftOut('Document', nameOf(source) || alt, tell);
  return leftOut(KINDS[element.name] ?? 'Document', nameOf(source) || alt, tell);
}

/** `[Photo left out: bees.jpg]` */
export function leftOut(kind: string, name: string, onMedia: (name: string) => void): string {
  onMedia(name || kind.toLowerCase());
  return name ? `[${kind} left out: ${name}]` : `[${kind} left out]`;
}

/** The name of a file by its address; an address on the web stays whole. */
function nameOf(source: string): string {
  if (/^(data|blob|cid|javascript):/i.test(source)) return '';
  if (/^https?:/i.test(source)) return source;
  return decoded(source.split(/[?#]/)[0]?.split('/').at(-1) ?? '');
}

/** A part of an address in plain letters; as it is where it is none. */
export function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** What a type of media is called in a text. */
export const kindOfType = (mime: string): string =>
  mime.startsWith('image/')
    ? 'Image'
    : mime.startsWith('video/')
      ? 'Video'
      : mime.startsWith('audio/')
        ? 'Recording'
        : 'Document';
