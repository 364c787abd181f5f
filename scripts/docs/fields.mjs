// The blocks of docs/threat-model.md that list what the server sees: the contract's fields by their classes, and what it
// has besides.

/** Puts text between the two markers of this name. @param path of the document, for the complaint */
export function fill(document, name, text, path = 'docs/threat-model.md') {
  const [before, after] = [`<!-- ${name}:begin -->`, `<!-- ${name}:end -->`];
  const [begin, end] = [document.indexOf(before), document.indexOf(after)];
  if (begin < 0 || end < begin) throw new Error(`${path} has lost its markers "${name}"`);
  return `${document.slice(0, begin)}${before}\n${text}\n${document.slice(end)}`;
}

/**
 * @param {string} document its text with the markers
 * @param sources what scripts/docs/sources.mjs exports
 */
export function fillFields(document, { whatTheServerSees, besideTheCalls }) {
  const classes = whatTheServerSees().map(
    ({ class: name, words, fields }) => `**${words}** (\`${name}\`): ${fields.join('; ')}.`,
  );
  const beside = besideTheCalls.map(({ what, says }) => `- **${what}** ${says};`);
  const filled = fill(document, 'fields', classes.join('\n\n'));
  return fill(filled, 'beside', beside.join('\n').replace(/;$/, '.'));
}
