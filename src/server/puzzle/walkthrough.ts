// The way through the puzzle in force, for its operator. It is printed on the server's machine and served to nobody.
import { SHADOW_SCROLL_FILE, scrollFiles } from '../../shared/nouns/game.ts';
import { LINE_WIDTH, wrap, wrapParagraphs } from '../../shared/plain-text.ts';
import { hexLines, hexOf } from './hex.ts';
import { createPuzzle } from './puzzle.ts';
import type { HiddenText, PuzzleFile } from './puzzle-file.ts';

const INDENT = '    ';

/** Lays the shares in three files upon each other. Debian and macOS have perl. */
const XOR = [
  `perl -e '$x = ""; for (1, 7, 13) { open F, $_; local $/;'`,
  `     -e '($h = <F>) =~ s/\\s//g; $x ^= pack "H*", $h } print $x'`,
]
  .map((line) => INDENT + line)
  .join(' \\\n');

/** @param origin where the puzzle is from, such as a path */
export function walkthrough(file: PuzzleFile, origin: string): string {
  const { strings, others } = file;
  const { phrase, shadowScroll, shares } = createPuzzle(file);
  const { text, signature, publicKey } = scrollFiles;
  const parts = [
    wrap(`The way through the puzzle of this server, which is ${origin}. It spoils everything.`),
    step(
      1,
      `The seal. Import ${publicKey}, and ask the signature of the manifesto for its notations:`,
      `${INDENT}gpg --verify --verify-options show-notations \\\n${INDENT}  ${signature} ${text}`,
      ...hiddenIn(strings.signature),
    ),
    step(
      2,
      'The shadow. At /shadow a text that contains this phrase reveals the second scroll, and so does exactly its hex:',
      `${INDENT}${phrase}`,
      hexLines(hexOf(phrase), INDENT),
      wrap(`The phrase opens the file as well: gpg --decrypt ${SHADOW_SCROLL_FILE}`),
      indent(wrapParagraphs(shadowScroll)),
    ),
    step(3, 'The hex string in the second scroll.', ...hiddenIn(strings.shadowScroll)),
    step(
      4,
      'The shares in the artifacts of the positions 1, 7 and 13. Each artifact also has a column of the same lines.',
      ...[...shares].flatMap(([position, { hex, lines }]) => [
        `Position ${position}:`,
        lines.map((line) => INDENT + line).join('\n'),
        hexLines(hex, INDENT),
      ]),
      'With the three in files named 1, 7 and 13, exclusive or gives the text:',
      XOR,
    ),
    step(5, 'The last text. Its hex is what the three shares make.', ...hiddenIn(strings.artifacts)),
    ...(others.length > 0
      ? [step(6, 'What its operator hides elsewhere.', ...others.flatMap((each) => hiddenIn(each)))]
      : []),
  ];
  return `${parts.join('\n\n\n')}\n`;
}

const step = (number: number, title: string, ...rest: string[]) =>
  [wrap(`${number}. ${title}`), ...rest].join('\n\n');

const indent = (text: string) =>
  text
    .trimEnd()
    .split('\n')
    .map((line) => (line === '' ? '' : INDENT + line))
    .join('\n');

function hiddenIn({ text, hint, unlocks, phase, source }: HiddenText): string[] {
  return [
    hexLines(hexOf(text), INDENT),
    `The decoder says (phase ${phase}, from ${source}):`,
    indent(wrapParagraphs(text)),
    ...(hint === undefined ? [] : ['With the hint:', wrap(hint, { indent: INDENT, width: LINE_WIDTH })]),
    `It unlocks ${unlocks.length > 0 ? unlocks.join(' and ') : 'nothing'}.`,
  ];
}
