// Finds rules in a source by its syntax tree, and puts a switch beside each that takes the rule away: for the tests of
// the simulation alone. The product has no such switches.
import { parseAst } from 'vite';

/** A rule as an expression within a function. */
export interface Place {
  /** The name of the function, method, or constant that holds a function. */
  within: string;
  /** An expression as it stands there. Each name with a dollar stands for any expression; spelled twice, for the same one. */
  find: string;
  /** What stands there without the rule; names with a dollar are what was found for them. */
  replace: string;
}

interface Node {
  type: string;
  start: number;
  end: number;
  [key: string]: unknown;
}

interface Edit {
  node: Node;
  parts: Map<string, Node>;
  rule: string;
  replace: string;
}

/** The global variable that names the rule that is taken away. */
export const SWITCH = 'latebraWithoutRule';

const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && typeof (value as Node).type === 'string';

const parse = (text: string) => parseAst(text, { lang: 'ts' }) as unknown as Node;

/** A node and all below it. */
function* nodesOf(value: unknown): Generator<Node> {
  if (Array.isArray(value)) {
    for (const one of value) yield* nodesOf(one);
  } else if (isNode(value)) {
    yield value;
    for (const child of Object.values(value)) yield* nodesOf(child);
  }
}

const nameOf = (id: unknown): unknown => (isNode(id) && id.type === 'Identifier' ? id.name : null);
const FUNCTION = /^(?:ArrowFunctionExpression|FunctionExpression)$/;

function isFunctionNamed(node: Node, name: string): boolean {
  if (node.type === 'FunctionDeclaration') return nameOf(node.id) === name;
  if (node.type === 'VariableDeclarator') return nameOf(node.id) === name && isNode(node.init);
  if (node.type !== 'Property' && node.type !== 'MethodDefinition') return false;
  const { key, value } = node;
  return nameOf(key) === name && isNode(value) && FUNCTION.test(value.type);
}

const isNothing = (value: unknown) => value == null || (Array.isArray(value) && value.length === 0);

/** Where something stands, and how it is spelled, is no part of its meaning. */
const SPELLING = new Set(['start', 'end', 'range', 'loc', 'raw', 'shorthand']);

function matches(pattern: unknown, found: unknown, parts: Map<string, Node>): boolean {
  if (isNothing(pattern) && isNothing(found)) return true;
  if (Array.isArray(pattern)) {
    return (
      Array.isArray(found) &&
      pattern.length === found.length &&
      pattern.every((one, i) => matches(one, found[i], parts))
    );
  }
  if (typeof pattern !== 'object' || pattern === null) return pattern === found;
  if (typeof found !== 'object' || found === null) return false;
  const name = isNode(pattern) ? nameOf(pattern) : null;
  if (typeof name === 'string' && name.startsWith('$') && isNode(found)) {
    const before = parts.get(name);
    parts.set(name, found);
    return before === undefined || matches(before, found, new Map());
  }
  const keys = new Set([...Object.keys(pattern), ...Object.keys(found)]);
  return [...keys].every(
    (key) =>
      SPELLING.has(key) ||
      matches((pattern as Record<string, unknown>)[key], (found as Record<string, unknown>)[key], parts),
  );
}

function one<T>(found: T[], what: string): T {
  const [first] = found;
  if (first === undefined || found.length > 1) throw new Error(`${what} is there ${found.length} times.`);
  return first;
}

function locate(tree: Node, rule: string, { within, find, replace }: Place): Edit {
  const room = one(
    [...nodesOf(tree)].filter((node) => isFunctionNamed(node, within)),
    `"${rule}": the function ${within}`,
  );
  const statement = one((parse(`(${find});`) as unknown as { body: Node[] }).body, find);
  const pattern = statement.expression;
  const edits = [...nodesOf(room)].flatMap((node) => {
    const parts = new Map<string, Node>();
    return matches(pattern, node, parts) ? [{ node, parts, rule, replace }] : [];
  });
  return one(edits, `"${rule}": ${find} in ${within}`);
}

/**
 * A source in which each of these rules can be taken away while it runs, by naming it in a global variable.
 * @param rules by name; two of them may stand in one another, and one that is kept twice has two places
 * @throws Error that names a rule which is not there exactly once
 */
export function withSwitches(text: string, rules: Iterable<readonly [string, Place]>): string {
  const tree = parse(text);
  const edits = [...rules].map(([rule, place]) => locate(tree, rule, place));
  const render = (start: number, end: number, done: ReadonlySet<Edit>): string => {
    const inside = edits.filter(
      (edit) => !done.has(edit) && edit.node.start >= start && edit.node.end <= end,
    );
    const outermost = inside.filter((edit) => !inside.some((other) => isAround(other, edit, edits)));
    outermost.sort((a, b) => a.node.start - b.node.start);
    let written = '';
    let at = start;
    for (const edit of outermost) {
      const { node, parts, rule, replace } = edit;
      const kept = render(node.start, node.end, new Set([...done, edit]));
      const without = replace.replace(/\$\w+/g, (name) => {
        const part = parts.get(name);
        return part ? `(${text.slice(part.start, part.end)})` : name;
      });
      written += `${text.slice(at, node.start)}(globalThis.${SWITCH} === ${JSON.stringify(rule)} ? ${without} : ${kept})`;
      at = node.end;
    }
    return written + text.slice(at, end);
  };
  return render(0, text.length, new Set());
}

/** Whether one edit contains another; of two at the same place, the first does. */
function isAround(outer: Edit, inner: Edit, all: readonly Edit[]): boolean {
  const [a, b] = [outer.node, inner.node];
  if (outer === inner || a.start > b.start || a.end < b.end) return false;
  return a.start < b.start || a.end > b.end || all.indexOf(outer) < all.indexOf(inner);
}
