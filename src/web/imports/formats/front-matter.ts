// The block of YAML in front of a note. A library reads it, within limits: what is too large, refers to itself too often
// or is no YAML stays in the text as it is. Pure.
import { isAlias, isMap, isScalar, isSeq, type Node, parseDocument } from 'yaml';
import type { Property } from '../properties.ts';

export interface FrontMatter {
  /** Every member in its order, also where a name stands twice. */
  members: Member[];
  /** Remarks, `# …`. */
  remarks: string[];
  /** The text below; all of it where there is no block that can be read. */
  body: string;
}

export interface Member {
  /** As it is written. */
  name: string;
  /** Each value of a list, or the one value; empty where there is none. */
  values: string[];
  isList: boolean;
  /** All of it, as one text. */
  text: string;
}

const BLOCK_MAX = 64 * 1024;
/** Values that one block may come to, with what it refers to. */
const VALUES_MAX = 2000;
const CHARACTERS_MAX = 2 * BLOCK_MAX;
const DEPTH_MAX = 12;

/** Brackets that stand open in a block at a time, and marks of a list or a key behind each other in a line. */
const OPEN_MAX = 50;
const MARKS_IN_LINE = /^[ \t]*(?:[-?:][ \t]+){9}/m;

/**
 * Whether a block is deeper than the library may be given, which calls itself for each level: a stack that runs out while a
 * regular expression is compiled ends the whole page, and nothing can catch that.
 */
function isTooDeep(block: string): boolean {
  if (MARKS_IN_LINE.test(block)) return true;
  let open = 0;
  for (const [bracket] of block.matchAll(/[[\]{}]/g)) {
    open = Math.max(0, open + ('[{'.includes(bracket) ? 1 : -1));
    if (open > OPEN_MAX) return true;
  }
  return false;
}

/** More than a note says of itself, or an alias of nothing. */
class Unreadable extends Error {}

/** Parts a note into its front matter and the text below. */
export function splitFrontMatter(text: string): FrontMatter {
  const whole = { members: [], remarks: [], body: text };
  const end = text.startsWith('---\n') ? /\n(?:---|\.\.\.)[ \t]*(?:\n|$)/.exec(text.slice(3)) : null;
  if (!end || end.index > BLOCK_MAX) return whole;
  const read = readBlock(text.slice(4, 3 + end.index + 1));
  return read ? { ...read, body: text.slice(3 + end.index + end[0].length) } : whole;
}

function readBlock(block: string): Omit<FrontMatter, 'body'> | null {
  if (isTooDeep(block)) return null;
  // A tag with its sign would be a remark: `tags: #garden`.
  const source = block.replace(
    /^(tags?:[ \t]+)(#.*)$/gim,
    (_, key: string, tags: string) => key + JSON.stringify(tags),
  );
  try {
    // Every value is a text: a number or a date stays as it is written.
    const document = parseDocument(source, {
      schema: 'failsafe',
      uniqueKeys: false,
      prettyErrors: false,
      logLevel: 'silent',
    });
    const { contents } = document;
    if (document.errors.length > 0) return null;
    if (contents === null)
      return { members: [], remarks: [document.commentBefore, document.comment].flatMap(lines) };
    if (!isMap(contents)) return null;
    const reading = new BlockReading((node) => {
      if (!isAlias(node)) return node;
      const meant = node.resolve(document);
      if (!meant) throw new Unreadable();
      return meant;
    });
    const members = contents.items.map(({ key, value }) => reading.member(key as Node, value as Node | null));
    return {
      members,
      remarks: [document.commentBefore, ...reading.remarks, document.comment].flatMap(lines),
    };
  } catch {
    // An alias of itself ends in a stack that overflows, where it is not found to be too much before.
    return null;
  }
}

const lines = (remark: string | null | undefined) =>
  (remark ?? '')
    .split('\n')
    .map((line) => line.trim())
    .filter(Boolean);

class BlockReading {
  readonly remarks: (string | null | undefined)[] = [];
  private values = 0;
  private characters = 0;
  private readonly resolve: (node: Node | null) => Node | null;

  constructor(resolve: (node: Node | null) => Node | null) {
    this.resolve = resolve;
  }

  member(key: Node, value: Node | null): Member {
    const name = this.text(key, 0);
    const node = this.resolve(value);
    if (!isSeq(node)) {
      const text = this.text(value, 0);
      return { name, values: text === '' ? [] : [text], isList: false, text };
    }
    this.note(value);
    const values = node.items.map((item) => this.text(item as Node, 1));
    return { name, values, isList: true, text: values.join(', ') };
  }

  /** A value as one text: a list in a line, what is in it as lines below. */
  private text(given: Node | null, depth: number): string {
    this.values += 1;
    if (this.values > VALUES_MAX || depth > DEPTH_MAX) throw new Unreadable();
    this.note(given);
    const node = this.resolve(given);
    if (isScalar(node)) return this.measured(typeof node.value === 'string' ? node.value : '');
    if (isSeq(node)) return `[${node.items.map((item) => this.text(item as Node, depth + 1)).join(', ')}]`;
    if (!isMap(node)) return '';
    const inside = node.items.map(
      ({ key, value }) =>
        `- ${this.text(key as Node, depth + 1)}: ${this.text(value as Node | null, depth + 1).replaceAll('\n', '\n  ')}`,
    );
    return inside.join('\n');
  }

  private measured(text: string): string {
    this.characters += text.length;
    if (this.characters > CHARACTERS_MAX) throw new Unreadable();
    return text;
  }

  private note(node: Node | null): void {
    if (node) this.remarks.push(node.commentBefore, node.comment);
  }
}

/** The members that have no place of their own, and the remarks, as properties. */
export const propertiesOf = (front: FrontMatter, used: ReadonlySet<Member>): Property[] => [
  ...front.members.filter((member) => !used.has(member)).map(({ name, text }) => ({ name, value: text })),
  ...front.remarks.map((remark) => ({ name: 'Remark', value: remark })),
];
