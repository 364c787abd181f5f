// JSON Canvas (jsoncanvas.org), as Obsidian keeps it: cards on a plane, and arrows between them. Pure.
import { isObject, type Json, objectsIn, type ParsedEntry, textOf } from '../imported-entry.ts';
import { baseName } from '../titles.ts';

export const isCanvas = (json: unknown): json is Json =>
  isObject(json) &&
  Array.isArray(json.nodes) &&
  objectsIn(json.nodes).length === json.nodes.length &&
  objectsIn(json.nodes).every(({ type, x, y }) => typeof type === 'string' && isPlace(x) && isPlace(y)) &&
  (json.edges === undefined || Array.isArray(json.edges));

const isPlace = (value: unknown) => typeof value === 'number';

/** The whole canvas as one entry: its cards from top to bottom, and below them what its arrows say. */
export function parseCanvas(json: Json, path: string): ParsedEntry[] {
  const nodes = objectsIn(json.nodes).toSorted(
    (a, b) => Number(a.y) - Number(b.y) || Number(a.x) - Number(b.x),
  );
  const cards = nodes.map(cardText).filter(Boolean);
  const names = new Map(nodes.map((node) => [node.id, nameOf(node)]));
  const arrows = objectsIn(json.edges).flatMap(({ fromNode, toNode, label }) => {
    const [from, to] = [names.get(fromNode), names.get(toNode)];
    const said = textOf(label).replace(/\s+/g, ' ').trim();
    // Between cards that have no words, only what is said of the arrow is worth a line.
    if (said === '' && !(from && to)) return [];
    return `- ${from || '…'} → ${to || '…'}${said && `: ${said}`}`;
  });
  return [
    {
      format: 'markdown',
      title: baseName(path),
      content: [...cards, arrows.join('\n')].filter(Boolean).join('\n\n'),
      happenedOn: null,
      tags: [],
      sourceId: null,
    },
  ];
}

function cardText(node: Json): string {
  if (node.type === 'text') return textOf(node.text).trim();
  if (node.type === 'file') return `[[${textOf(node.file)}${textOf(node.subpath)}]]`;
  if (node.type === 'link') return `<${textOf(node.url)}>`;
  if (node.type === 'group') return textOf(node.label) && `## ${textOf(node.label)}`;
  return '';
}

/** What an arrow calls a card: its first line. */
function nameOf(node: Json): string {
  const line = cardText(node).split('\n', 1)[0] ?? '';
  return line.replace(/^#+\s+/, '').slice(0, 80);
}
