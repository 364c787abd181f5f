// Makes plain text of what was pasted: no control characters, no markup, no character that hides or reorders others.
// Each pattern is bounded, so that no input takes longer than its length allows.

/** Characters that hide or reorder others. Joiners and direction marks stay: scripts and emoji are written with them. */
const HIDDEN =
  /[\u00AD\u200B\u2060-\u2064\u202A-\u202E\u2066-\u206F\uFEFF\uFFF9-\uFFFC]|\p{Surrogate}|(?!\n)\p{Cc}/gu;
const SPACES = /[\t\u00A0\u1680\u2000-\u200A\u202F\u205F\u3000]/g;
const TAGS =
  'a|abbr|article|b|blockquote|body|br|button|center|cite|code|del|div|em|embed|figure|font|footer|form|h[1-6]|head|header|hr|html|i|iframe|img|input|ins|label|li|link|main|meta|nav|object|ol|p|pre|q|s|script|section|small|span|strike|strong|style|sub|sup|svg|table|tbody|td|textarea|th|thead|title|tr|u|ul|video';
const PROGRAM = /<(script|style)\b[^>]{0,500}>[\s\S]{0,5000}?<\/\1\s{0,9}>/gi;
const BREAKING_TAG = /<\/?(?:br|p|div|li|tr|h[1-6]|blockquote|hr|ul|ol|table)\b[^<>]{0,500}>/gi;
const TAG = new RegExp(`</?(?:${TAGS})\\b[^<>]{0,500}>|<!--[\\s\\S]{0,2000}?-->`, 'gi');
const ENTITIES: Readonly<Record<string, string>> = {
  '&amp;': '&',
  '&nbsp;': ' ',
  '&quot;': '"',
  '&#39;': "'",
  '&apos;': "'",
};

function withoutMarkup(text: string): string {
  return text
    .replace(PROGRAM, ' ')
    .replace(BREAKING_TAG, '\n')
    .replace(TAG, '')
    .replace(/&(?:amp|nbsp|quot|apos|#39);/g, (entity) => ENTITIES[entity] ?? entity);
}

function withoutMarkdown(text: string): string {
  return text
    .replace(/^ {0,8}(?:`{3,}|~{3,})[^\n]{0,100}$/gm, '')
    .replace(/^ {0,8}(?:[-*_=] ?){3,}$/gm, '')
    .replace(/^ {0,8}(?:#{1,6} +|(?:> ?){1,9}|[-*+•] +(?=\S))/gm, '')
    .replace(/!?\[([^[\]\n]{0,300})\]\([^()\s]{0,2000}\)/g, '$1')
    .replace(/(?<!\*)\*{1,3}(?=\S)([^*\n]{1,400}?)(?<=\S)\*{1,3}(?!\*)/g, '$1')
    .replace(/(?<![\p{L}\p{N}_])_{1,3}(?=\S)([^_\n]{1,400}?)(?<=\S)_{1,3}(?![\p{L}\p{N}_])/gu, '$1')
    .replace(/`([^`\n]{1,400})`/g, '$1');
}

/**
 * @returns the paragraphs of a text, each as its lines. No line is empty, none begins or ends with a space or holds two in
 *   a row.
 */
export function readParagraphs(source: string): string[][] {
  const text = withoutMarkdown(
    withoutMarkup(source.replace(/\r\n?|[\u2028\u2029\u0085\v\f]/g, '\n').replace(SPACES, ' ')).replace(
      HIDDEN,
      '',
    ),
  )
    // Marks that are piled up on one letter.
    .replace(/(\p{M}{5})\p{M}+/gu, '$1')
    .replace(/ {2,}/g, ' ');
  return text
    .split(/\n *\n/)
    .map((paragraph) =>
      paragraph
        .split('\n')
        .map((line) => line.trim())
        .filter((line) => line !== ''),
    )
    .filter((lines) => lines.length > 0);
}

/** One line of a form, such as a name: empty when it holds no letter or digit, or is too long to be one. */
export function readField(value: string | null | undefined, maxLength = 80): string {
  const line = readParagraphs(value ?? '')
    .flat()
    .join(' ')
    .replace(/^[\s.,;:!?]+|[\s.,;:!?]+$/g, '');
  return line.length <= maxLength && /[\p{L}\p{N}]/u.test(line) && !/[{}<>\\|[\]]/.test(line) ? line : '';
}
