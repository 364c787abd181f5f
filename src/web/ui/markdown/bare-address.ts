// Addresses of the web that stand in a text without any marks, found as GitHub's Markdown finds them ("extended autolinks").
// The parser brings a finder of its own, whose work on hostile texts nothing can count.

/** How long an address may be that becomes a link, in characters. */
const LENGTH_MAX = 2_000;

// Brackets end an address: one may stand in the words of a link.
const address = new RegExp(
  `[^\\s\\p{C}<>[\\]"\`|\\\\^“”„«»‹›\\u3000-\\u303f\\uff00-\\uff0f\\uff1a-\\uff20]{1,${LENGTH_MAX}}`,
  'uy',
);

/** What ends a sentence, or what it stresses, is not the address's. A closing bracket is, if it was opened there. */
function withoutTail(found: string): string {
  let closed = found.split(')').length - found.split('(').length;
  let end = found.length;
  for (; end > 0; end -= 1) {
    const last = found.charAt(end - 1);
    if (last === ')' && closed > 0) closed -= 1;
    else if (!"?!.,:;*_~'’…".includes(last)) break;
  }
  return found.slice(0, end);
}

/**
 * The address whose `://` stands at a place of a text, if one does.
 * @param at the place of the colon
 * @returns where it begins and ends; null where none stands. It looks at 2,000 characters at most, and only where the text
 *   before the colon is `http` or `https`, and nothing stands before that that could belong to a longer scheme.
 */
export function bareAddressAt(text: string, at: number): { from: number; to: number } | null {
  if (!text.startsWith('://', at)) return null;
  const scheme = /(?<![a-z\d+.:-])https?$/i.exec(text.slice(Math.max(0, at - 7), at))?.[0];
  if (!scheme) return null;
  // The name of a host, or its number.
  if (!/^[\p{L}\p{N}]/u.test(text.slice(at + 3, at + 5))) return null;
  address.lastIndex = at + 3;
  const found = address.exec(text)?.[0];
  if (!found || /^[^/?#]*@/.test(found)) return null;
  return { from: at - scheme.length, to: at + 3 + withoutTail(found).length };
}
