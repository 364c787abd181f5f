// HTML and XML of files as a small tree: no document, no scripts, nothing fetched, and no deeper or larger than can be
// walked safely. What a document declares (DOCTYPE, entities of its own) stays without effect. Pure.
import { Parser } from 'htmlparser2';
import { Refused } from '../imported-entry.ts';

export interface MarkupElement {
  /** In lower case, unless it is XML. */
  name: string;
  attributes: Readonly<Record<string, string>>;
  children: MarkupNode[];
}
export type MarkupNode = string | MarkupElement;

/** Elements within elements; what lies deeper belongs to the last of them. */
const DEPTH_MAX = 100;
/** The parser takes ever longer for each element that is open. */
const OPEN_MAX = 2000;
/** Elements and texts of one document: more than a person writes, and less than a browser's memory. */
const NODES_MAX = 2_000_000;

interface MarkupOptions {
  /** Names in either case are told apart, and no element is known to be empty. */
  xml?: boolean;
  /** `<div/>` is an element that ends, as in XHTML. */
  selfClosing?: boolean;
  nodesMax?: number;
}

/** @returns an element without a name around all of it. @throws Refused when it has too many elements */
export function parseMarkup(
  text: string,
  { xml = false, selfClosing = xml, nodesMax = NODES_MAX }: MarkupOptions = {},
): MarkupElement {
  const root: MarkupElement = { name: '', attributes: {}, children: [] };
  const open: MarkupElement[] = [root];
  let [deeper, nodes] = [0, 0];
  const add = (node: MarkupNode) => {
    nodes += 1;
    if (nodes > nodesMax) throw new Refused('too-large');
    open.at(-1)?.children.push(node);
  };
  const parser = new Parser(
    {
      onopentag(name, attributes) {
        if (open.length >= DEPTH_MAX) {
          deeper += 1;
          if (deeper > OPEN_MAX) throw new Refused('too-large');
          return;
        }
        const element: MarkupElement = { name, attributes, children: [] };
        add(element);
        open.push(element);
      },
      ontext: add,
      onclosetag() {
        if (deeper > 0) deeper -= 1;
        else if (open.length > 1) open.pop();
      },
    },
    { xmlMode: xml, recognizeSelfClosing: selfClosing, recognizeCDATA: true, decodeEntities: true },
  );
  parser.end(text);
  return root;
}

/** Every element in a tree that satisfies a condition, in the order of the document. */
export function elementsIn(
  element: MarkupElement,
  is: (element: MarkupElement) => boolean,
  found: MarkupElement[] = [],
): MarkupElement[] {
  for (const child of element.children) {
    if (typeof child === 'string') continue;
    if (is(child)) found.push(child);
    elementsIn(child, is, found);
  }
  return found;
}

export const firstIn = (
  element: MarkupElement,
  is: (element: MarkupElement) => boolean,
): MarkupElement | null => elementsIn(element, is)[0] ?? null;

/** Whether an element has a class. */
export const hasClass = ({ attributes }: MarkupElement, name: string): boolean =>
  (attributes.class ?? '').split(/\s+/).includes(name);

export const withClass = (name: string) => (element: MarkupElement) => hasClass(element, name);

/** All the text in it, as it stands there. */
export const rawText = (node: MarkupNode): string =>
  typeof node === 'string' ? node : node.children.map(rawText).join('');

/** The same on one line. */
export const lineText = (node: MarkupNode): string => rawText(node).replace(/\s+/g, ' ').trim();
