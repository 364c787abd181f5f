// The signs of Markdown taken out of a few lines, where there is no room to show what they mean. It is a guess by rules,
// without the parser: what is not clearly a sign stays.

/** A sign that its author has escaped is text: it stands as a letter of no alphabet until the others are gone. */
const ESCAPED = 0xe000;
const signs = /\\([!-/:-@[-`{-~])/g;

/** What stands at the beginning of a line, and says what the line is. */
const lines = /^[ \t]*(?:(?:[*_-][ \t]*){3,}$|(?:>[ \t]?|#{1,6}[ \t]+|[-*+][ \t]+)+|```+|~~~+)/gm;

/** What stands around words. Each in its pair, on one line. */
const pairs: [RegExp, string][] = [
  [/!?\[([^[\]\n]*)\]\(<?([^\s()<>]+)>?(?:( )"([^"\n]*)")?\)/g, '$1 ($2)$3$4'],
  [/<((?:https?|mailto|tel):[^\s<>]+)>/g, '$1'],
  [/(`+)([^`\n]+)\1/g, '$2'],
  [/(\*{1,3}|~~)(?=[^\s*~])([^\n]*?[^\s*~])\1/g, '$2'],
  [/(?<![\p{L}\p{N}_])(_{1,3})(?=[^\s_])([^\n]*?[^\s_])\1(?![\p{L}\p{N}_])/gu, '$2'],
];

/** The words of some lines of Markdown. Only for short texts: it looks at them several times. */
export function withoutSigns(text: string): string {
  let plain = text.replace(signs, (_, sign: string) => String.fromCharCode(ESCAPED + sign.charCodeAt(0)));
  plain = plain.replace(lines, '');
  for (const [pair, words] of pairs) {
    // Once more for what stands within it.
    for (let i = 0; i < 2; i += 1) plain = plain.replace(pair, words);
  }
  return plain.replace(/[\ue021-\ue07e]/g, (sign) => String.fromCharCode(sign.charCodeAt(0) - ESCAPED));
}
