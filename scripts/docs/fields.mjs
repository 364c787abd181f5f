// The block of docs/threat-model.md that lists what the server sees, from the classes of the contract's fields.

const BEGIN = '<!-- fields:begin -->';
const END = '<!-- fields:end -->';

/** Every class, and the words that stand before its fields. */
const CLASSES = {
  clear: 'Reads and stores as it is',
  public: 'May be known to everybody',
  credential: 'Sees in passing, uses once or keeps as a hash',
  wrapped: 'Holds, and cannot open without a secret it never sees',
  sealed: 'Holds as ciphertext, and cannot open',
};

/**
 * @param {string} document its text with the two markers
 * @param sources what scripts/docs/sources.mjs exports
 */
export function fillFields(document, { contractRows, fieldsOf }) {
  const [begin, end] = [document.indexOf(BEGIN), document.indexOf(END)];
  if (begin < 0 || end < begin)
    throw new Error('docs/threat-model.md has lost the markers of its generated block');
  const found = new Map(Object.keys(CLASSES).map((name) => [name, new Set()]));
  for (const { row } of contractRows()) {
    for (const schema of [row.query, row.body, row.reply]) {
      for (const { meta } of schema ? fieldsOf(schema) : []) if (meta) found.get(meta.class)?.add(meta.says);
    }
  }
  const blocks = Object.entries(CLASSES).map(
    ([name, words]) => `**${words}** (\`${name}\`): ${[...(found.get(name) ?? [])].join('; ')}.`,
  );
  return `${document.slice(0, begin)}${BEGIN}\n${blocks.join('\n\n')}\n${document.slice(end)}`;
}
