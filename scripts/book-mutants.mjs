// Takes each check of the book out once, by the syntax of its code, and runs the tests of the book against what is left:
// a mutant that no test fails for is named. It takes minutes, so nobody waits for it in CI:
//   node scripts/book-mutants.mjs [file of the book, or part of its name] [every which of its mutants] [lines, such as 80-120]
import { readFileSync } from 'node:fs';
import { relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseSync } from 'vite';

const root = resolve(fileURLToPath(new URL('..', import.meta.url)));
const CRYPTO = {
  files: ['src/crypto/book-leaf.test.ts', 'src/crypto/book-entry.test.ts', 'src/crypto/book.test.ts'],
  // An honest course of thousands of writes takes long, and finds nothing that the others do not.
  options: { environment: 'node', testNamePattern: /^(?!.*mixed writes)/ },
};
const inBrowser = (...names) => ({
  files: names.map((name) => `src/web/vault/book/${name}.test.tsx`),
  options: {
    environment: './src/web/testing/dom.ts',
    setupFiles: ['src/web/testing/setup.ts'],
    env: { NODE_ENV: 'production' },
    // What fails by its time alone would count as noticed.
    testTimeout: 30_000,
    // As in the suite. That a mutant is loaded all the same is tried before the first one.
    isolate: false,
  },
});
const SYNC = inBrowser(
  ...[
    'book-sync',
    'book-sync-races',
    'book-sync-limits',
    'reading-on',
    'taking-in',
    'forgetting',
    'another-key',
  ],
);
/** What is taken apart, and which tests must notice. */
export const SUBJECTS = {
  'src/crypto/book-leaf.ts': CRYPTO,
  'src/crypto/book-entry.ts': CRYPTO,
  'src/crypto/book.ts': CRYPTO,
  'src/crypto/book-comparison.ts': CRYPTO,
  ...Object.fromEntries(
    [
      'append',
      'book-report',
      'compare-lists',
      'create-book-sync',
      'follow',
      'followed-book',
      'overtaken',
      'taking-in',
    ].map((name) => [`src/vault/book/${name}.ts`, SYNC]),
  ),
  'src/vault/book/reading.ts': inBrowser(
    ...['reading', 'reading-on', 'book-sync', 'book-sync-races', 'another-key'],
  ),
};

/** What a node can be replaced by. @param node of ESTree @param text the text of a node */
function replacements(node, parent, text) {
  const isCondition =
    (parent.type === 'IfStatement' || parent.type === 'ConditionalExpression') && parent.test === node;
  if (isCondition) return ['true', 'false'];
  if (node.type === 'LogicalExpression' && node.operator !== '??') return [text(node.left), text(node.right)];
  // A loop without an end would only wait for the time-out.
  const isComparison = node.type === 'BinaryExpression' && /^([<>]=?|[!=]==)$/.test(node.operator);
  if (isComparison && parent.type !== 'ForStatement') return ['true', 'false'];
  const isCheck = node.type === 'ExpressionStatement' && /^(await )?assert/.test(text(node));
  return isCheck || node.type === 'ThrowStatement' ? ['{}'] : [];
}

/** Every mutant of a file: where, and what stands there instead. */
export function mutantsOf(path) {
  const code = readFileSync(resolve(root, path), 'utf8');
  const text = ({ start, end }) => code.slice(start, end);
  const found = [];
  const visit = (node, parent) => {
    for (const instead of parent ? replacements(node, parent, text) : []) {
      const { start, end } = node;
      const line = code.slice(0, start).split('\n').length;
      const change = `${text(node).replace(/\s+/g, ' ')} → ${instead.replace(/\s+/g, ' ')}`;
      found.push({ start, end, line, change, instead: `(${instead})`.replace('({})', '{}') });
    }
    for (const child of Object.values(node).flat()) if (child?.type) visit(child, node);
  };
  visit(parseSync(path, code).program, null);
  return found;
}

/** The mutants that are to be run. @param lines the first and the last one, as in `80-120` */
function chosenOf(path, every, lines) {
  const [from, to = from] = lines.split('-').map(Number);
  return mutantsOf(path).filter(({ line }, i) => i % every === 0 && line >= from && line <= to);
}

async function survivorsOf(path, { files, options }, mutants) {
  let mutant = null;
  const plugin = {
    name: 'mutant',
    enforce: 'pre',
    transform(code, id) {
      if (!mutant || relative(root, id.split('?')[0]) !== path) return null;
      return code.slice(0, mutant.start) + mutant.instead + code.slice(mutant.end);
    },
  };
  const { createVitest } = await import('vitest/node');
  const vitest = await createVitest(
    'test',
    { ...options, config: false, root, include: files, watch: false, bail: 1, reporters: [{ onInit() {} }] },
    { configFile: false, plugins: [plugin], oxc: { jsx: { runtime: 'automatic', development: false } } },
  );
  const specifications = await vitest.globTestSpecifications();
  /** Whether no test fails. */
  const isMissed = async () => {
    vitest.invalidateFile(resolve(root, path));
    const { testModules, unhandledErrors } = await vitest.runTestSpecifications(specifications);
    process.exitCode = 0;
    return unhandledErrors.length === 0 && testModules.every((module) => module.ok());
  };
  // What takes everything out is found, and what changes nothing is not.
  mutant = { start: 0, end: 0, instead: 'throw new Error();' };
  if (await isMissed()) throw new Error('no test runs what is taken apart');
  mutant = null;
  if (!(await isMissed())) throw new Error('the tests fail without any mutant');
  let survivors = 0;
  for (mutant of mutants) {
    const missed = await isMissed();
    if (missed) survivors += 1;
    process.stdout.write(missed ? `\nSURVIVED ${path}:${mutant.line} ${mutant.change}\n` : '.');
  }
  await vitest.close();
  return survivors;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const [wanted = '', every = '1', lines = '1-100000'] = process.argv.slice(2);
  let all = 0;
  for (const [path, tests] of Object.entries(SUBJECTS).filter(([path]) => path.includes(wanted)))
    all += await survivorsOf(path, tests, chosenOf(path, Number(every), lines));
  process.stdout.write(`\n${all} survived\n`);
  process.exit(all === 0 ? 0 : 1);
}
