// The tables of docs/imports.md: in numbers, what becomes of an export of each application, and what is refused by name.
import { fill } from './fields.mjs';

/** What the page says of a reason, without its count: the first words are enough. */
const leftOutOf = (leftOut, sentences) =>
  Object.entries(leftOut)
    .map(([reason, count]) => sentences({ reason, count, names: [] }))
    .join('; ') || 'nothing';

/**
 * @param {string} document its text with the markers
 * @param sources what scripts/docs/sources.mjs exports
 */
export function fillImports(
  document,
  { expectedCounts, expectedRefusals, foreignFiles, formatNames, leftOutSentence, refusalSentence },
) {
  const rows = Object.entries(expectedCounts).map(
    ([name, { format, memories, dated, tags, files, leftOut }]) =>
      `| ${formatNames[format]} | \`${name}\` | ${memories} | ${dated} | ${tags} | ${files} | ${leftOutOf(leftOut, leftOutSentence)} |`,
  );
  const refusals = Object.entries(expectedRefusals).map(
    ([name, why]) => `| refused | \`${name}\` | 0 | 0 | 0 | 0 | all of it: ${refusalSentence(why)} |`,
  );
  const head = [
    '| application | file | memories | with a date | tags | files | left out |',
    '|---|---|---|---|---|---|---|',
  ];
  const foreign = Object.values(foreignFiles).map(({ seems, instead }) => `| ${seems} | ${instead} |`);
  const tables = {
    counts: [...head, ...rows, ...refusals],
    foreign: ['| what it seems to be | what to choose instead |', '|---|---|', ...foreign],
  };
  return Object.entries(tables).reduce(
    (text, [name, lines]) => fill(text, name, lines.join('\n'), 'docs/imports.md'),
    document,
  );
}
