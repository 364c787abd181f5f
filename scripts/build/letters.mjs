// Which letters a document needs of which face, read from its finished markup. It knows the few class names by which
// our styles change a face, and nothing else of CSS.

const machine = /(?:^|\s)(?:caps|label|font-machine!?)(?:\s|$)/;
const upper = /(?:^|\s)(?:caps|label)(?:\s|$)/;
const machineTags = new Set(['code', 'pre', 'kbd', 'samp']);
const italicTags = new Set(['em', 'i', 'cite']);
const voidTags = new Set(['br', 'hr', 'img', 'input', 'link', 'meta']);
const entities = { amp: '&', lt: '<', gt: '>', quot: '"', '#x27': "'" };

/**
 * The letters of a document by face: `display`, `text` and `machine`, each with `-italic` where it leans.
 * @param {string} markup as React's static renderer writes it: every element closed, quotes around every attribute
 * @returns {Map<string, Set<string>>}
 */
export function lettersByFace(markup) {
  const letters = new Map();
  const open = [{ tag: '', face: 'text', italic: false, caps: false }];
  for (const [, closing, tag, attributes, selfClosed, text] of markup.matchAll(
    /<(\/?)([a-z][a-z0-9]*)((?:\s+[^\s=>/]+(?:="[^"]*")?)*)\s*(\/?)>|([^<]+)/gi,
  )) {
    const here = open.at(-1);
    if (text !== undefined) {
      const plain = text.replace(/&([a-z#0-9]+);/gi, (_, name) => {
        if (entities[name] === undefined) throw new Error(`the markup holds an unknown entity: ${name}`);
        return entities[name];
      });
      const key = here.italic ? `${here.face}-italic` : here.face;
      const set = letters.get(key) ?? letters.set(key, new Set()).get(key);
      for (const letter of here.caps ? plain.toUpperCase() : plain) if (letter !== '\n') set.add(letter);
    } else if (closing) {
      if (here.tag !== tag) throw new Error(`the markup closes <${tag}> where <${here.tag}> is open`);
      open.pop();
    } else if (!selfClosed && !voidTags.has(tag)) {
      open.push({ tag, ...styleOf(tag, /\sclass="([^"]*)"/.exec(attributes)?.[1] ?? '', here) });
    }
  }
  return letters;
}

function styleOf(tag, names, above) {
  let face = above.face;
  if (machine.test(names) || machineTags.has(tag)) face = 'machine';
  else if (/(?:^|\s)font-display(?:\s|$)/.test(names)) face = 'display';
  else if (/(?:^|\s)font-text(?:\s|$)/.test(names)) face = 'text';
  const fontSet = face !== above.face;
  return {
    face,
    italic: above.italic || italicTags.has(tag) || /(?:^|\s)italic(?:\s|$)/.test(names),
    caps: upper.test(names) || (above.caps && !(fontSet && face !== 'machine')),
  };
}
