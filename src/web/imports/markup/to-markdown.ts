// A tree of HTML as Markdown: every word stays, styles and scripts go, media are named where they stood. Pure.
import { linkText, mediaText } from './links-and-media.ts';
import type { Block, MarkdownRules, Walk } from './markdown-rules.ts';
import { hasClass, type MarkupElement, type MarkupNode, rawText } from './parse-markup.ts';
import { tableBlock } from './table.ts';

/** What is in a tree, as Markdown. */
export function toMarkdown(root: MarkupElement, rules: MarkdownRules): string {
  return new Writer(rules).blocks(root.children).trim();
}

const DROPPED = new Set(['script', 'style', 'head', 'title', 'meta', 'link', 'base']);
const CONTAINERS = new Set(
  (
    'address article aside body center details dd div dl dt en-note fieldset figcaption figure footer form header ' +
    'html legend main nav section summary tbody td tfoot th thead tr'
  ).split(' '),
);
const LEAVES = new Set('blockquote h1 h2 h3 h4 h5 h6 hr li ol p pre table ul'.split(' '));
const MEDIA = new Set(['img', 'video', 'audio', 'object', 'embed', 'iframe', 'picture']);

const isBlock = (name: string) => CONTAINERS.has(name) || LEAVES.has(name);

class Writer implements Walk {
  private readonly rules: MarkdownRules;
  private readonly withBlocks = new Map<MarkupElement, boolean>();
  private readonly specials = new Map<MarkupElement, string | Block | undefined>();
  /** Emphasis that is open already: within it, the same says nothing more. */
  private readonly emphasis = new Set<string>();

  constructor(rules: MarkdownRules) {
    this.rules = rules;
  }

  blocks(nodes: readonly MarkupNode[], inItem = false): string {
    return join(this.blocksOf(nodes), inItem);
  }

  /** Asked once for each element: what is counted by it is counted once. */
  private special(element: MarkupElement): string | Block | undefined {
    if (!this.specials.has(element)) this.specials.set(element, this.rules.special?.(element, this));
    return this.specials.get(element);
  }

  private blocksOf(nodes: readonly MarkupNode[], line = false): Block[] {
    const blocks: Block[] = [];
    let run: MarkupNode[] = [];
    const flush = () => {
      const text = tidyLines(this.inline(run));
      // White space between blocks is nothing; an element of its own may be an empty line.
      if (text !== '' || run.some((node) => typeof node !== 'string'))
        blocks.push({ text: asTodo(text), line });
      run = [];
    };
    for (const node of nodes) {
      const own = typeof node === 'string' ? null : this.blocksOfElement(node);
      if (own === null) run.push(node);
      else {
        if (run.length > 0) flush();
        for (const block of own) blocks.push(block);
      }
    }
    if (run.length > 0) flush();
    return blocks;
  }

  /** Null for what stands in a line. */
  private blocksOfElement(element: MarkupElement): Block[] | null {
    const { name, children } = element;
    if (DROPPED.has(name)) return [];
    const special = this.special(element);
    if (special !== undefined) return typeof special === 'string' ? null : [special];
    if (hasClass(element, 'checkbox')) return null;
    if (name === 'table') return tableBlock(element, this) ?? this.blocksOf(children, true);
    if (LEAVES.has(name)) return [this.leaf(element)];
    if (CONTAINERS.has(name)) return this.container(element);
    return name !== 'a' && !MEDIA.has(name) && this.hasBlocks(element) ? this.blocksOf(children) : null;
  }

  /** A `div` is a line to those who write with it. An empty one is an empty line. */
  private container(element: MarkupElement): Block[] {
    const blocks = this.blocksOf(element.children, true);
    return blocks.length === 0 && element.name === 'div' && element.children.length === 0
      ? [{ text: '', line: true }]
      : blocks;
  }

  private leaf(element: MarkupElement): Block {
    const { name, children } = element;
    if (name === 'hr') return { text: '---' };
    if (name === 'pre') return { text: codeBlock(codeText(element), languageOf(element)) };
    if (name === 'ul' || name === 'ol') return this.list(element);
    if (name === 'li') return { text: this.item(element, '- '), list: true };
    const text = this.blocks(children);
    if (name === 'blockquote') return { text: prefixed(text, '> ', '> ') };
    const level = /^h([1-6])$/.exec(name)?.[1];
    if (level && text !== '') return { text: `${'#'.repeat(Number(level))} ${inOneLine(text)}` };
    return { text: asTodo(text) };
  }

  private list(list: MarkupElement): Block {
    let number = Number.parseInt(list.attributes.start ?? '1', 10) || 1;
    const lines: string[] = [];
    for (const child of list.children) {
      if (typeof child === 'string') {
        if (child.trim() !== '') lines.push(`- ${tidyLines(this.inline([child]))}`);
      } else if (child.name === 'li') {
        const text = this.item(child, list.name === 'ol' ? `${number++}. ` : '- ');
        if (text.trim() !== '') lines.push(text);
      } else {
        // A list that lies in a list instead of in its item belongs to the item before it.
        const text = this.blocks([child], true);
        if (text !== '') lines.push(lines.length > 0 ? prefixed(text, '  ', '  ') : text);
      }
    }
    return { text: lines.join('\n'), list: true };
  }

  private item(item: MarkupElement, mark: string): string {
    const text = this.blocks(item.children, true).replace(/^- (?=\[[ x]\] )/, '');
    const state = checkedState(item);
    const box = state === null || /^\[[ x]\]/.test(text) ? '' : `[${state ? 'x' : ' '}] `;
    if (text === '' && box === '') return '';
    return prefixed(`${box}${text}`, mark, ' '.repeat(mark.length));
  }

  inline(nodes: readonly MarkupNode[]): string {
    return nodes.map((node) => (typeof node === 'string' ? flowing(node) : this.span(node))).join('');
  }

  private span(element: MarkupElement): string {
    const { name, children, attributes } = element;
    if (DROPPED.has(name)) return '';
    const special = this.special(element);
    if (special !== undefined) return typeof special === 'string' ? special : ` ${special.text} `;
    if (name === 'br') return '\n';
    if (name === 'input')
      return attributes.type === 'checkbox' ? box('checked' in attributes) : (attributes.value ?? '');
    if (hasClass(element, 'checkbox')) return box(hasClass(element, 'checkbox-on'));
    if (MEDIA.has(name)) return mediaText(element, this.rules.onMedia);
    if (name === 'a') return linkText(element, this.inline(children));
    if (name === 'code' || name === 'kbd' || name === 'tt') return codeSpan(rawText(element));
    const formula = formulaOf(element);
    if (formula !== null) return formula;
    const mark = emphasisOf(element);
    if (mark && !this.emphasis.has(mark)) {
      this.emphasis.add(mark);
      const text = this.inline(children);
      this.emphasis.delete(mark);
      return emphasized(text, mark);
    }
    const text = this.inline(children);
    return isBlock(name) ? ` ${text} ` : text;
  }

  /** Whether lines or paragraphs lie in an element that itself stands in a line. */
  private hasBlocks(element: MarkupElement): boolean {
    const known = this.withBlocks.get(element);
    if (known !== undefined) return known;
    const has = element.children.some(
      (child) => typeof child !== 'string' && (isBlock(child.name) || this.hasBlocks(child)),
    );
    this.withBlocks.set(element, has);
    return has;
  }
}

/** Blocks one below the other: lines close together, paragraphs apart, never two empty lines. */
function join(blocks: readonly Block[], inItem: boolean): string {
  let text = '';
  let last: Block | null = null;
  for (const block of blocks) {
    if (block.text === '' && (last === null || last.text === '' || !block.line)) continue;
    const close = last && ((last.line && block.line) || (last.list && block.list) || (inItem && block.list));
    text += last === null ? block.text : `${close ? '\n' : last.text === '' ? '\n' : '\n\n'}${block.text}`;
    last = block;
  }
  return text.trimEnd();
}

/** White space of the source is one space. A line break of the text is one already (`br`). */
const flowing = (text: string) => text.replace(/[ \t\n\r\f\u00a0]+/g, ' ');

const tidyLines = (text: string) =>
  text
    .split('\n')
    .map((line) => line.replace(/ {2,}/g, ' ').trim())
    .join('\n')
    .replace(/\n{3,}/g, '\n\n')
    .replace(/^\n+|\n+$/g, '');

const inOneLine = (text: string) =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter(Boolean)
    .join(' ');

const prefixed = (text: string, first: string, rest: string) =>
  text
    .split('\n')
    .map((line, at) => (at === 0 ? `${first}${line}` : line === '' ? rest.trimEnd() : `${rest}${line}`))
    .join('\n');

const box = (checked: boolean) => (checked ? '[x] ' : '[ ] ');

/** Lines that begin with a box are a list of things to do. */
const asTodo = (text: string) => text.replace(/^(?=\[[ x]\] )/gm, '- ');

/** Whether an item of a list is done, as several applications say it; null where it is no thing to do. */
function checkedState({ attributes }: MarkupElement): boolean | null {
  if (attributes['data-checked'] !== undefined) return attributes['data-checked'] === 'true';
  const style = /--en-checked:\s*(true|false)/.exec(attributes.style ?? '');
  return style ? style[1] === 'true' : null;
}

function emphasisOf({ name, attributes }: MarkupElement): '**' | '*' | '~~' | null {
  const style = (attributes.style ?? '').replace(/\s+/g, '').toLowerCase();
  if (/font-weight:(bold|[6-9]00)/.test(style)) return '**';
  if (name === 'b' || name === 'strong') return /font-weight:(normal|400)/.test(style) ? null : '**';
  if (name === 'i' || name === 'em' || /font-style:italic/.test(style)) return '*';
  const struck = name === 's' || name === 'del' || name === 'strike';
  return struck || /text-decoration(-line)?:line-through/.test(style) ? '~~' : null;
}

/** Marks stand at words, on each line by itself. */
const emphasized = (text: string, mark: string) =>
  text
    .split('\n')
    .map((line) => {
      const words = line.trim();
      const at = line.indexOf(words);
      if (words === '') return line;
      return `${line.slice(0, at)}${mark}${words}${mark}${line.slice(at + words.length)}`;
    })
    .join('\n');

function codeSpan(text: string): string {
  const line = text.replace(/\s+/g, ' ').trim();
  if (line === '') return '';
  const fence = fenceFor(line, 1);
  return fence.length > 1 ? `${fence} ${line} ${fence}` : `${fence}${line}${fence}`;
}

/** More backticks than the text has in a row. */
const fenceFor = (text: string, least: number) =>
  '`'.repeat([...text.matchAll(/`+/g)].reduce((most, [run]) => Math.max(most, run.length + 1), least));

/** A block of code, which nothing in it can end. */
export function codeBlock(text: string, language = ''): string {
  const fence = fenceFor(text, 3);
  return `${fence}${language}\n${text.replace(/^\n+/, '').trimEnd()}\n${fence}`;
}

/** Code as it stands there, with its line breaks. */
export function codeText(node: MarkupNode): string {
  if (typeof node === 'string') return node.replaceAll('\u00a0', ' ');
  if (node.name === 'br') return '\n';
  const text = node.children.map(codeText).join('');
  return node.name === 'div' || node.name === 'p' ? `${text.replace(/\n$/, '')}\n` : text;
}

function languageOf(pre: MarkupElement): string {
  const code = pre.children.find((child) => typeof child !== 'string' && child.name === 'code');
  const named = [pre, code]
    .map((element) => (typeof element === 'object' ? element.attributes : {}))
    .map((attributes) => `${attributes['data-code-language'] ?? ''} ${attributes.class ?? ''}`)
    .join(' ');
  return (
    /(?:^|\s)(?:language-)?([\w+#-]{1,30})/
      .exec(named.replace(/\bcode(-wrap)?\b/g, ''))?.[1]
      ?.toLowerCase() ?? ''
  );
}

/** A formula by its source, which renderers keep beside what they draw. */
function formulaOf(element: MarkupElement): string | null {
  if (!hasClass(element, 'katex') && element.name !== 'math') return null;
  const source = annotationIn(element);
  return source === null ? null : `$${source.trim()}$`;
}

function annotationIn(element: MarkupElement): string | null {
  for (const child of element.children) {
    if (typeof child === 'string') continue;
    if (child.name === 'annotation') return rawText(child);
    const found = annotationIn(child);
    if (found !== null) return found;
  }
  return null;
}
