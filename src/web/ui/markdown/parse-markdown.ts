// Plain text, read as Markdown (CommonMark by markdown-it, and struck-out words). It gives a tree of known parts, never
// HTML: what is not one of them stays text, so that nothing has to be sanitised and nothing that was written is lost.
// Decision record 0093.
import MarkdownIt from 'markdown-it';
import { bareAddressAt } from './bare-address.ts';

type Parser = ReturnType<typeof MarkdownIt>;
type InlineState = Parameters<Parameters<Parser['inline']['ruler']['at']>[1]>[0];
type Token = ReturnType<Parser['parse']>[number];

/** What holds other parts. A link has its address, a list where it begins to count. */
export interface Branch {
  kind:
    | 'paragraph'
    | 'heading'
    | 'quote'
    | 'bullets'
    | 'numbers'
    | 'item'
    | 'emphasis'
    | 'strong'
    | 'struck'
    | 'link';
  children: Part[];
  /** Of a link: an absolute address of a kind that is safe to follow, as it is opened. */
  href?: string;
  /** Of a link: what its author says of where it leads. */
  title?: string;
  /** Of numbers: the first. */
  start?: number;
  /** Of a heading: 1 to 6. */
  level?: number;
}

/** What stands for itself. A picture is never fetched: its words and its address are shown. */
export type Leaf =
  | { kind: 'plain'; text: string }
  | { kind: 'code'; text: string }
  /** Its label names the language, or whatever its author put there. */
  | { kind: 'code-block'; text: string; label: string }
  | { kind: 'picture'; text: string; href: string; title: string }
  | { kind: 'rule' };

/** A string is text as it was written, line breaks included. */
export type Part = string | Branch | Leaf;

/** How deep parts may stand within each other. What people write stays below ten. */
export const DEPTH_MAX = 24;
/** How many parts are drawn. A long book has some thousands. */
export const PARTS_MAX = 10_000;
/** How many places of a text the parser may look at: some tenths of a second. */
export const STEPS_MAX = 120_000;

/** The text costs more than reading it as Markdown is worth. */
class TooMuch extends Error {}

/** Where links may lead: addresses that are whole, of kinds that run nothing. Others stay text. */
function isSafe(href: string): boolean {
  if (!/^(?:https?:\/\/|mailto:|tel:)[^\s]/i.test(href)) return false;
  try {
    return ['http:', 'https:', 'mailto:', 'tel:'].includes(new URL(href).protocol);
  } catch {
    return false;
  }
}

/** How many steps the text under way has taken. The parser is synchronous, so there is one text at a time. */
let steps = 0;

function step(state: { level: number }): false {
  steps += 1;
  if (steps > STEPS_MAX || state.level > DEPTH_MAX) throw new TooMuch();
  return false;
}

/** An address without marks is a link to itself. The letters before its colon were taken for text. */
function linkAddress(state: InlineState, silent: boolean): boolean {
  if (state.linkLevel > 0 || state.src[state.pos] !== ':') return false;
  const found = bareAddressAt(state.src, state.pos);
  if (!found) return false;
  const { from, to } = found;
  const written = state.src.slice(from, to);
  const href = state.md.normalizeLink(written);
  if (!isSafe(href)) {
    // What was looked at in vain is looked at again.
    steps = Math.min(steps + to - from, STEPS_MAX);
    return false;
  }
  if (!silent) {
    const scheme = state.src.slice(from, state.pos);
    if (!state.pending.endsWith(scheme)) return false;
    state.pending = state.pending.slice(0, -scheme.length);
    state.push('link_open', 'a', 1).attrs = [['href', href]];
    state.push('text', '', 0).content = written;
    state.push('link_close', 'a', -1);
  }
  state.pos = to;
  return true;
}

function createParser(): Parser {
  const parser = new MarkdownIt('commonmark', { html: false, maxNesting: DEPTH_MAX * 4 })
    .enable('strikethrough')
    .disable([
      // Indents are somebody's verse, and a line above dashes is not a heading.
      'code',
      'lheading',
      // A definition of a link would vanish from the page.
      'reference',
      // Neither HTML nor its names for characters mean anything here.
      'html_block',
      'html_inline',
      'entity',
    ]);
  parser.validateLink = isSafe;
  parser.block.ruler.before('fence', 'steps', step, { alt: ['paragraph', 'blockquote', 'list'] });
  parser.inline.ruler.before('text', 'steps', step);
  parser.inline.ruler.after('text', 'bare-address', linkAddress);
  // Lines end where they were written to end, and begin as far in as they began.
  parser.inline.ruler.at('newline', (state, silent) => {
    if (state.src[state.pos] !== '\n') return false;
    if (!silent) state.pending += '\n';
    state.pos += 1;
    return true;
  });
  return parser;
}

const parser = createParser();

const branches: Record<string, Branch['kind']> = {
  paragraph_open: 'paragraph',
  heading_open: 'heading',
  blockquote_open: 'quote',
  bullet_list_open: 'bullets',
  ordered_list_open: 'numbers',
  list_item_open: 'item',
  em_open: 'emphasis',
  strong_open: 'strong',
  s_open: 'struck',
  link_open: 'link',
};

const addressOf = (token: Token, attribute: 'href' | 'src') => ({
  href: String(token.attrGet(attribute) ?? ''),
  title: String(token.attrGet('title') ?? ''),
});

function branchOf(kind: Branch['kind'], token: Token): Branch {
  const branch: Branch = { kind, children: [] };
  if (kind === 'link') Object.assign(branch, addressOf(token, 'href'));
  if (kind === 'numbers') branch.start = Number(token.attrGet('start') ?? 1);
  if (kind === 'heading') branch.level = Number(token.tag.slice(1));
  return branch;
}

function leafOf(token: Token): Part | null {
  switch (token.type) {
    case 'code_inline':
      return { kind: 'code', text: token.content };
    case 'fence':
      return { kind: 'code-block', text: token.content.replace(/\n$/, ''), label: token.info.trim() };
    case 'image':
      return { kind: 'picture', text: token.content, ...addressOf(token, 'src') };
    case 'hr':
      return { kind: 'rule' };
    case 'softbreak':
    case 'hardbreak':
      return '\n';
    default:
      // `text`, what was escaped, and whatever else has words.
      return token.content === '' ? null : token.content;
  }
}

interface Tree {
  parts: Part[];
  /** Whether anything but plain paragraphs stands there. */
  isMarked: boolean;
}

/** Makes a tree of the flat list that the parser gives. Nothing here calls itself, however deep the text goes. */
function treeOf(tokens: readonly Token[], lines: readonly string[]): Tree {
  const root: Part[] = [];
  const open: Part[][] = [root];
  let isMarked = false;
  let count = 0;

  function add(part: Part): void {
    count += 1;
    if (count > PARTS_MAX) throw new TooMuch();
    const siblings = open.at(-1) ?? root;
    const last = siblings.at(-1);
    if (typeof part === 'string' && typeof last === 'string') siblings[siblings.length - 1] = last + part;
    else siblings.push(part);
  }

  function take(token: Token): void {
    const kind = branches[token.type];
    if (token.nesting < 0) {
      // The end of a paragraph in a tight list has no beginning here.
      if (!token.hidden) open.pop();
    } else if (kind) {
      if (token.hidden) return;
      isMarked ||= kind !== 'paragraph';
      const branch = branchOf(kind, token);
      add(branch);
      open.push(branch.children);
      if (open.length > DEPTH_MAX) throw new TooMuch();
    } else {
      const part = leafOf(token);
      isMarked ||= typeof part === 'object' || token.type === 'text_special' || token.type === 'hardbreak';
      if (part !== null) add(part);
    }
  }

  for (const [i, token] of tokens.entries()) {
    if (token.type !== 'inline') {
      take(token);
      continue;
    }
    const children = token.children ?? [];
    const isPlain = children.every(({ type }) => type === 'text');
    // A paragraph without markup keeps every space that it has.
    if (isPlain && open.length === 2 && tokens[i - 1]?.type === 'paragraph_open' && token.map) {
      add({
        kind: 'plain',
        text: lines
          .slice(...token.map)
          .join('\n')
          .trimEnd(),
      });
    } else for (const child of children) take(child);
  }
  return { parts: root, isMarked };
}

export interface Reading {
  /** Null for a text that is shown as it was written: it has no markup, or too much of it. */
  parts: Part[] | null;
  /** How many places were looked at. */
  steps: number;
}

/** Reads a text as Markdown. What it costs is bounded, whatever stands there. */
export function readMarkdown(text: string): Reading {
  const source = text.replace(/\r\n?|\u2028/g, '\n').replace(/\u2029/g, '\n\n');
  steps = 0;
  try {
    const tokens = parser.parse(source, {});
    const { parts, isMarked } = treeOf(tokens, source.split('\n'));
    return { parts: isMarked ? parts : null, steps };
  } catch (error) {
    if (error instanceof TooMuch) return { parts: null, steps };
    throw error;
  }
}
