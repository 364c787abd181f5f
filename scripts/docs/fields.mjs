// The block of docs/threat-model.md that lists what the server sees, from the classes of the contract's fields.

const BEGIN = '<!-- fields:begin -->';
const END = '<!-- fields:end -->';

/**
 * @param {string} document its text with the two markers
 * @param sources what scripts/docs/sources.mjs exports
 */
export function fillFields(document, { whatTheServerSees }) {
  const [begin, end] = [document.indexOf(BEGIN), document.indexOf(END)];
  if (begin < 0 || end < begin)
    throw new Error('docs/threat-model.md has lost the markers of its generated block');
  const blocks = whatTheServerSees().map(
    ({ class: name, words, fields }) => `**${words}** (\`${name}\`): ${fields.join('; ')}.`,
  );
  return `${document.slice(0, begin)}${BEGIN}\n${blocks.join('\n\n')}\n${document.slice(end)}`;
}
