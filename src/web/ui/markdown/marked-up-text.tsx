// A text that is read as Markdown, in elements of this page: no HTML string is made on the way. Loaded when a text wants it.
import { type ReactNode, useMemo } from 'react';
import { classes } from '../classes.ts';
import { takesDropCapital } from '../paragraphs.ts';
import { WrittenText } from '../written-text.tsx';
import { type Branch, type Leaf, type Part, readMarkdown } from './parse-markdown.ts';

/** Paragraphs as `WrittenText` sets them, and what its author has marked. */
export default function MarkedUpText({ children }: { children: string }) {
  const parts = useMemo(() => readMarkdown(children).parts, [children]);
  if (parts === null) return <WrittenText>{children}</WrittenText>;
  const [first, ...others] = parts;
  return (
    <div className="running-text grid grid-cols-1 gap-[1em] text-read">
      {first !== undefined && <Shown part={first} isFirst />}
      {shown(others)}
    </div>
  );
}

const shown = (parts: readonly Part[]): ReactNode[] =>
  // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a text have no other identity
  parts.map((part, i) => <Shown key={i} part={part} />);

function Shown({ part, isFirst = false }: { part: Part; isFirst?: boolean }): ReactNode {
  if (typeof part === 'string') return part;
  return 'children' in part ? <BranchShown branch={part} isFirst={isFirst} /> : <LeafShown leaf={part} />;
}

const written = 'min-w-0 whitespace-pre-wrap wrap-anywhere';
const block = 'grid min-w-0 grid-cols-1';

function BranchShown({ branch, isFirst }: { branch: Branch; isFirst: boolean }) {
  const { kind, children, href = '', title = '', level = 1, start = 1 } = branch;
  const inside = shown(children);
  switch (kind) {
    case 'paragraph':
      return (
        <p dir="auto" className={classes(written, isFirst && hasDropCapital(children) && 'drop-capital')}>
          {inside}
        </p>
      );
    case 'heading':
      return <Heading level={level}>{inside}</Heading>;
    case 'quote':
      return (
        <blockquote className={classes(block, 'gap-[0.5em] border-l border-ember/55 pl-5 text-dust')}>
          {inside}
        </blockquote>
      );
    case 'bullets':
      return <ul className={classes(block, 'gap-[0.2em] list-["–__"] pl-6 marker:text-shade')}>{inside}</ul>;
    case 'numbers':
      return (
        <ol start={start} className={classes(block, 'gap-[0.2em] list-decimal pl-6 marker:text-shade')}>
          {inside}
        </ol>
      );
    case 'item':
      return (
        <li dir="auto" className={classes(written, '[&>*+*]:mt-[0.5em]')}>
          {inside}
        </li>
      );
    case 'emphasis':
      return <em>{inside}</em>;
    case 'strong':
      return <strong className="font-semibold">{inside}</strong>;
    case 'struck':
      return <s>{inside}</s>;
    case 'link':
      return <Address href={href} title={title} words={children} />;
  }
}

function hasDropCapital([first]: Part[]): boolean {
  const text = typeof first === 'string' ? first : first?.kind === 'plain' ? first.text : '';
  return takesDropCapital(text.trim());
}

/** Beneath the title of what is read, which is the page's second level. */
function Heading({ level, children }: { level: number; children: ReactNode }) {
  const name = classes(
    'mt-[0.4em] font-display text-balance wrap-anywhere',
    level === 1 ? 'text-heading' : 'text-[1.3em]/[1.25] font-medium',
  );
  if (level === 1) return <h3 className={name}>{children}</h3>;
  return level === 2 ? <h4 className={name}>{children}</h4> : <h5 className={name}>{children}</h5>;
}

/** Whether words say by themselves where their link leads, letter for letter, as they are read. */
function areAddress(words: readonly Part[], href: string): boolean {
  const [said] = words;
  if (words.length === 0 || said === href) return words.length < 2;
  // Letters beyond ASCII may stand as they are, except in the name of the host, and none that is not seen.
  if (words.length > 1 || typeof said !== 'string' || /[\p{C}\p{Z}]/u.test(said)) return false;
  try {
    return decodeURI(href) === said;
  } catch {
    return false;
  }
}

/** The words of a link without the spaces at their ends, which would be underlined. */
function withoutEdges(words: readonly Part[]): Part[] {
  const last = words.length - 1;
  return words.map((word, i) => {
    if (typeof word !== 'string') return word;
    const begun = i === 0 ? word.trimStart() : word;
    return i === last ? begun.trimEnd() : begun;
  });
}

/** A link with its whole address, which opens elsewhere and tells nobody where it was. */
function Address({ href, title, words }: { href: string; title: string; words: readonly Part[] }) {
  const isBare = title === '' && areAddress(words, href);
  return (
    <a
      href={href}
      target="_blank"
      rel="noopener noreferrer"
      referrerPolicy="no-referrer"
      // Spaces that were kept at the end of a line would be underlined.
      className="whitespace-normal text-ember underline decoration-ember/55 underline-offset-4 wrap-anywhere hover:decoration-ember"
    >
      {isBare ? (
        shown(words.length > 0 ? words : [href])
      ) : (
        <>
          <bdi>{shown(withoutEdges(words))}</bdi>{' '}
          <span className="font-machine text-[0.75em] text-dust">({href})</span>
          {title !== '' && <bdi> “{title}”</bdi>}
        </>
      )}
    </a>
  );
}

function LeafShown({ leaf }: { leaf: Leaf }) {
  switch (leaf.kind) {
    case 'plain':
      return leaf.text;
    case 'code':
      return <code className="wrap-anywhere">{leaf.text}</code>;
    case 'code-block':
      return (
        <div className="min-w-0">
          {leaf.label !== '' && <p className="label mb-1 text-shade wrap-anywhere">{leaf.label}</p>}
          <pre
            className="overflow-x-auto border-l border-line pl-5"
            // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, so the keyboard has to reach it
            tabIndex={0}
          >
            <code>{leaf.text}</code>
          </pre>
        </div>
      );
    case 'picture':
      return (
        <span className="text-dust">
          Picture, not loaded:{' '}
          <Address href={leaf.href} title={leaf.title} words={leaf.text === '' ? [] : [leaf.text]} />
        </span>
      );
    case 'rule':
      return <hr className="mx-auto my-[0.5em] w-24 border-line" />;
  }
}
