// The walls that neither the compiler nor the linter can see whole: it reads the import graph of src/ and says, in a
// sentence each, which file goes through which wall. It knows files by their path and text alone.
import { posix } from 'node:path';
import { parseAst } from 'vite';

/** Which folders of src/ a folder may import; those in `types` for their types alone. */
const MAY_IMPORT = {
  shared: { code: [], types: [] },
  crypto: { code: [], types: ['shared'] },
  loom: { code: [], types: ['shared'] },
  server: { code: ['shared', 'loom'], types: [] },
  web: { code: ['shared', 'crypto', 'loom'], types: [] },
};

/** Folders whose rooms stand beside each other, and the files that know more than one room. */
const ROOMS = [
  {
    under: 'src/server/features/',
    room: 'feature',
    doors: ['src/server/app.ts', 'src/server/start.ts', 'src/server/deps.ts', 'src/server/setup-token.ts'],
  },
  { under: 'src/web/chambers/', room: 'chamber', doors: ['src/web/routes.tsx', 'src/web/prerender.tsx'] },
];

const DRIVERS = new Set(['better-sqlite3', 'better-sqlite3-12', 'pg']);
const KEY_SLOT = { file: 'src/web/vault/key/key-slot.ts', name: 'latebra.vault-key' };

const COUNTS_TIME = 'src/web/chambers/legacy-scroll/use-scrolls.ts';

/** What tests of the app below the browser may import besides: the server of a test, and nothing else of the server's. */
const TEST_SERVER = { from: /^src\/web\/(?:testing\/|.*\.test\.tsx$)/, to: 'src/server/testing/' };

const isTest = (path) => /\.test\.tsx?$/.test(path) || path.includes('/testing/');
const isStore = (path) => /(?:^|\/|-)store\.ts$/.test(path) || path.startsWith('src/server/db/');
const folderOf = (path) => path.split('/')[1] ?? '';

/**
 * @param {Map<string, string>} files the text of each file of src/, by its path from the repository's root
 * @returns {string[]} one sentence for each breach
 */
export function findBreaches(files) {
  return [...files].flatMap(([path, text]) => {
    const { imports, strings } = read(path, text);
    return [
      ...throughTransactions(path, text),
      ...throughFocus(path, text),
      ...imports.flatMap((imported) => [
        ...throughFolders(path, imported),
        ...throughRooms(path, imported),
        ...throughTheKit(path, imported),
        ...throughTheDatabase(path, imported),
        ...throughTests(path, imported),
      ]),
      ...strings
        .filter((string) => string.startsWith(KEY_SLOT.name) && path !== KEY_SLOT.file && !isTest(path))
        .map(() => `${path} names the slot of the raw key. ${KEY_SLOT.file} alone may touch it.`),
    ];
  });
}

function throughFolders(path, { target, typeOnly }) {
  const [from, to] = [folderOf(path), target && folderOf(target)];
  if (!to || from === to) return [];
  if (TEST_SERVER.from.test(path) && target.startsWith(TEST_SERVER.to)) return [];
  const may = MAY_IMPORT[from] ?? { code: [], types: [] };
  if (may.code.includes(to) || (typeOnly && may.types.includes(to))) return [];
  const why =
    to === 'crypto' && from === 'server'
      ? 'The server holds no code that opens an entry, and the import graph proves it.'
      : `src/${from} may import ${[...may.code, ...may.types.map((folder) => `types of ${folder}`)].join(', ') || 'nothing of ours'}.`;
  return [`${path} imports ${target}. ${why}`];
}

function throughRooms(path, { target }) {
  return ROOMS.flatMap(({ under, room, doors }) => {
    if (!target?.startsWith(under)) return [];
    const name = (file) => file.slice(under.length).split('/')[0];
    if (path.startsWith(under)) {
      return name(path) === name(target)
        ? []
        : [`${path} imports ${target}. A ${room} never imports another ${room}.`];
    }
    return doors.includes(path) || isTest(path)
      ? []
      : [`${path} imports ${target}. Only ${doors.join(', ')} know the ${room}s.`];
  });
}

function throughTheKit(path, { target }) {
  if (!path.startsWith('src/web/ui/') || !target || target.startsWith('src/web/ui/')) return [];
  return [`${path} imports ${target}. The kit knows nothing of the house it furnishes.`];
}

function throughTheDatabase(path, { package: name, names }) {
  if (folderOf(path) !== 'server' || isTest(path)) return [];
  if (DRIVERS.has(name) && !path.startsWith('src/server/db/') && path !== 'src/server/instance-files.ts') {
    return [`${path} imports ${name}. Databases are opened in src/server/db/ alone.`];
  }
  if (name === 'kysely' && names.includes('sql') && !isStore(path)) {
    return [`${path} writes SQL. Statements stand in store.ts, *-store.ts and db/ alone.`];
  }
  return [];
}

/** What a test needs is not shipped. */
function throughTests(path, { target }) {
  if (isTest(path) || !target?.startsWith('src/web/') || !isTest(target)) return [];
  return [`${path} imports ${target}. Tests import the product, never the other way round.`];
}

/** One that is begun otherwise would answer 500 where another one got in its way. */
function throughTransactions(path, text) {
  if (folderOf(path) !== 'server' || isTest(path) || path.startsWith('src/server/db/')) return [];
  return /\.transaction\(\)/.test(text)
    ? [
        `${path} begins a transaction by itself. transact() of src/server/db/transact.ts runs it again when it must.`,
      ]
    : [];
}

/** The specification wants no refetching on focus, and no polling that it does not name. */
function throughFocus(path, text) {
  if (folderOf(path) !== 'web' || isTest(path) || path === COUNTS_TIME) return [];
  return /\brefetchOnWindowFocus: (?!false)|\brefetchInterval\b/.test(text)
    ? [`${path} is asked again on focus, or polls. ${COUNTS_TIME} alone may, because its screen counts time.`]
    : [];
}

/** What a file imports, and every string in it. */
function read(path, text) {
  const imports = [];
  const strings = [];
  const note = (source, typeOnly, names) => {
    if (typeof source !== 'string') return;
    const bare = source.split('?')[0] ?? source;
    imports.push(
      bare.startsWith('.')
        ? { target: posix.join(posix.dirname(path), bare), typeOnly, names }
        : { package: bare, typeOnly, names },
    );
  };
  walk(parseAst(text, { lang: path.endsWith('x') ? 'tsx' : 'ts' }), (node) => {
    switch (node.type) {
      case 'ImportDeclaration':
      case 'ExportNamedDeclaration':
      case 'ExportAllDeclaration': {
        const parts = node.specifiers ?? [];
        const isType = (part) => (part.importKind ?? part.exportKind) === 'type';
        const typeOnly =
          (node.importKind ?? node.exportKind) === 'type' || (parts.length > 0 && parts.every(isType));
        note(
          node.source?.value,
          typeOnly,
          parts.map((part) => part.imported?.name ?? part.local?.name ?? ''),
        );
        break;
      }
      case 'ImportExpression':
        note(node.source.value, false, []);
        break;
      case 'TSImportType':
        note((node.source ?? node.argument?.literal)?.value, true, []);
        break;
      case 'Literal':
        if (typeof node.value === 'string') strings.push(node.value);
        break;
      case 'TemplateElement':
        strings.push(node.value.cooked ?? '');
        break;
    }
  });
  return { imports, strings };
}

function walk(node, visit) {
  if (Array.isArray(node)) {
    for (const child of node) walk(child, visit);
  } else if (node && typeof node === 'object') {
    if (typeof node.type === 'string') visit(node);
    for (const child of Object.values(node)) walk(child, visit);
  }
}
