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
  vault: { code: ['shared', 'crypto'], types: [] },
  // What leaves the server must not need it: of the engine it takes what an export says (PARTS).
  ark: { code: ['crypto', 'vault'], types: [] },
  web: { code: ['shared', 'crypto', 'loom', 'vault', 'ark'], types: [] },
  // None of these is part of what people run.
  simulation: { code: ['shared', 'server'], types: [] },
  demo: { code: ['shared', 'server', 'simulation'], types: [] },
  // It builds the server as scripts/build/ does.
  testing: { code: ['shared', 'server', 'simulation', 'chain', 'build'], types: [] },
  // A chain to read from knows nothing of who reads it.
  chain: { code: [], types: [] },
};

/** Where a folder may import no more than some parts of another one. */
const PARTS = { ark: { vault: ['kinds', 'archive'] } };

/** What tests may import besides. */
const TESTS_MAY_IMPORT = {
  server: ['testing', 'simulation', 'chain'],
  simulation: ['testing'],
  demo: ['testing'],
  web: ['testing', 'chain'],
};

/**
 * The layers of the server and of the web app, the lowest first: a file imports nothing of a higher one. What two features, or
 * two chambers, need stands below both.
 */
const SERVER_LAYERS = [
  [
    'config.ts',
    'config/',
    'errors.ts',
    'clock.ts',
    'log.ts',
    'digests.ts',
    'metrics.ts',
    'heartbeat.ts',
    'listen.ts',
    'web-files.ts',
    'once.ts',
  ],
  ['heavy-answers.ts', 'body-room.ts', 'upload-limits.ts', 'storage.ts', 'open-database.ts', 'db/'],
  ['adapters/', 'instance-files.ts'],
  ['holders/', 'puzzle/'],
  ['deps.ts'],
  ['accounts/', 'book/', 'changes/', 'entitlements/', 'jobs/', 'signing/'],
  ['http/'],
  ['wallets/'],
  ['entries/'],
  ['deadman/'],
  ['features/'],
  ['app.ts', 'expiry.ts', 'setup-token.ts', 'heir/'],
  ['start.ts'],
  ['main.ts', 'walkthrough.ts', 'confirm-switch.ts', 'heir.ts'],
];

const WEB_LAYERS = [
  ['styles/', 'fonts/', 'public/', 'load-styles.ts', 'workers.ts', 'api/', 'ui/'],
  ['hooks/', 'screen.tsx'],
  ['game/', 'imports/', 'speech/', 'strength/'],
  ['vault/device/', 'vault/guardians/'],
  ['vault/session/'],
  ['wallet/', 'vault/plan/', 'vault/book/'],
  ['vault/files/'],
  ['vault/sharing/'],
  ['vault/entries/', 'vault/key/'],
  ['vault/legacy/'],
  ['terminal/', 'shell/'],
  ['chambers/'],
  ['signed-in.tsx', 'routes.tsx', 'first-view.ts', 'app.tsx', 'main.tsx', 'prerender.tsx'],
];

/**
 * The one place that writes to a table. What any kind of entry may need, it does by the map of sealed tables
 * (`db/sealed-tables.ts`), not by name; `db/` locks rows, and keeps counts and states by triggers.
 */
export const OWNERS = {
  accounts: 'accounts/',
  wraps: 'accounts/',
  book_entries: 'book/',
  changes: 'changes/',
  quota: 'entitlements/',
  jobs: 'jobs/',
  account_activity: 'http/',
  attempts: 'http/',
  challenges: 'http/',
  sessions: 'http/',
  memory_entries: 'entries/',
  relationship_entries: 'entries/',
  myth_stories: 'entries/',
  instance_clock: 'deadman/',
  uptime_marks: 'deadman/',
  foreign_presses: 'deadman/',
  outside_looks: 'deadman/',
  legacy_scrolls: 'deadman/',
  scroll_recipients: 'deadman/',
  rehearsals: 'deadman/',
  guardian_kits: 'deadman/',
  last_activity: 'deadman/',
  warned_scrolls: 'deadman/',
  trusted_contacts: 'deadman/',
  told_releases: 'deadman/',
  message_slots: 'deadman/',
  transports: 'deadman/',
  messages: 'deadman/',
  sister_letters: 'deadman/',
  sister_shares: 'deadman/',
  sister_tokens: 'deadman/',
  warning_addresses: 'deadman/',
  member_notice: 'features/administration/',
  invitations: 'features/auth/',
  passkeys: 'features/auth/',
  server_settings: 'features/auth/',
  setup_tokens: 'features/auth/',
  files: 'features/files/',
  file_parts: 'features/files/',
  files_to_erase: 'features/files/',
  link_files: 'features/sacred-key/',
  final_breaths: 'features/final-breath/',
  ghost_entries: 'features/ghost/',
  import_webhooks: 'features/import-webhooks/',
  import_deliveries: 'features/import-webhooks/',
  revoked_webhooks: 'features/import-webhooks/',
  ghost_words: 'features/ghost/',
  onboarding_answers: 'features/onboarding/',
  shareable_keys: 'features/sacred-key/',
  vaults: 'features/vault/',
  regenerations: 'features/vault-key/',
  retired_keys: 'features/vault-key/',
  staged_entries: 'features/vault-key/',
  vault_keys: 'features/vault-key/',
  holder_lists: 'holders/',
  signing_keys: 'signing/',
  linked_wallets: 'features/linked-wallet/',
  whisper_audio: 'features/whisper-audio/',
  subscriptions: 'features/billing/',
  payment_events: 'features/billing/',
  stories_made: 'entitlements/',
  usage: 'db/',
};

/** Who else reads a table, and why it may. */
const READERS = {
  // Who somebody is, for the calls that say so: whose session, whose name, who may send text messages, who is here.
  accounts: ['http/', 'deadman/', 'features/auth/', 'features/administration/'],
  // The key that a row is sealed under, and the address that a whisper goes to or a wallet is linked to.
  vault_keys: ['deadman/', 'features/auth/', 'features/linked-wallet/', 'features/import-webhooks/'],
  // Whether a key is being changed: what arrives meanwhile waits.
  regenerations: ['features/import-webhooks/'],
  // Which ways in and back an account has.
  passkeys: ['features/vault-key/'],
  wraps: ['features/auth/', 'features/vault-key/'],
  // What becomes of a message is what becomes of its job.
  jobs: ['deadman/'],
  // Whether a file is whole that a one-time link is to carry.
  files: ['features/sacred-key/'],
  // Whether somebody has opened a link that carries a file, and may read it.
  shareable_keys: ['features/files/'],
  link_files: ['features/files/'],
  // How much goes with a file of a vault that is erased in steps.
  file_parts: ['features/vault/'],
  // Whether the dead man's switch watches: the gate tells the browser; and which letter a file belongs to.
  legacy_scrolls: ['features/auth/', 'features/files/'],
  // To whom a letter was released that has files.
  scroll_recipients: ['features/files/'],
  // How much an account stores, how much of it is its book, and the numbers of its changes.
  usage: ['entitlements/', 'book/', 'changes/', 'features/administration/'],
  // When somebody was last there, which the administrator is told.
  last_activity: ['features/administration/'],
  setup_tokens: ['features/instance/'],
  // Whether an account has one, which the signed-in user is told.
  subscriptions: ['features/auth/'],
};

/** Folders whose rooms stand beside each other, and the files that know more than one room. */
const ROOMS = [
  // Who else may know the features, the layers say.
  { under: 'src/server/features/', room: 'feature', doors: null },
  { under: 'src/web/chambers/', room: 'chamber', doors: ['src/web/routes.tsx', 'src/web/prerender.tsx'] },
];

const DRIVERS = new Set(['@photostructure/sqlite', 'pg']);
const KEY_SLOT = { file: 'src/web/vault/device/key-slot.ts', name: 'latebra.vault-key' };

/** What is asked for again by itself: a screen that counts time, and the gathering, whose polling is specified. */
const ASK_AGAIN = [
  'src/web/chambers/legacy-scroll/use-scrolls.ts',
  'src/web/chambers/thirteen-holders/use-gathering.ts',
];

const isTest = (path) => /\.test\.tsx?$/.test(path) || path.includes('/testing/');
/** Of the app below the browser: its project knows the server, other tests of the web do not. */
const isWebTest = (path) => path.startsWith('src/web/testing/') || /^src\/web\/.*\.test\.tsx$/.test(path);
const isStore = (path) => /(?:^|\/|-)store\.ts$/.test(path) || path.startsWith('src/server/db/');
const folderOf = (path) => path.split('/')[1] ?? '';

/**
 * @param {Map<string, string>} files the text of each file of src/, by its path from the repository's root
 * @returns {string[]} one sentence for each breach
 */
export function findBreaches(files) {
  const parsed = [...files].map(([path, text]) => ({ path, text, ...read(path, text) }));
  return [...findCircles(parsed), ...findFacingRooms(parsed), ...parsed.flatMap(breachesOf)];
}

function breachesOf({ path, text, imports, strings, tables }) {
  return [
    ...throughOwnership(path, tables),
    ...throughTransactions(path, text),
    ...throughFocus(path, text),
    ...imports.flatMap((imported) => [
      ...throughFolders(path, imported),
      ...throughLayers(path, imported),
      ...throughRooms(path, imported),
      ...throughTheKit(path, imported),
      ...throughTheOutbox(path, imported),
      ...throughTheDatabase(path, imported),
      ...throughTests(path, imported),
    ]),
    ...strings
      .filter((string) => string.startsWith(KEY_SLOT.name) && path !== KEY_SLOT.file && !isTest(path))
      .map(() => `${path} names the slot of the raw key. ${KEY_SLOT.file} alone may touch it.`),
  ];
}

function throughFolders(path, { target, typeOnly }) {
  const [from, to] = [folderOf(path), target && folderOf(target)];
  if (!to || from === to) return [];
  // Tests run what the product's own build makes.
  if (isTest(path) && target.startsWith('scripts/build/')) return [];
  const forTests = from === 'web' ? isWebTest(path) : isTest(path);
  if (forTests && TESTS_MAY_IMPORT[from]?.includes(to)) return [];
  const may = MAY_IMPORT[from] ?? { code: [], types: [] };
  const parts = PARTS[from]?.[to];
  if (parts && !parts.some((part) => target.startsWith(`src/${to}/${part}/`)))
    return [`${path} imports ${target}. Of src/${to}, src/${from} may import ${parts.join(' and ')} alone.`];
  if (may.code.includes(to) || (typeOnly && may.types.includes(to))) return [];
  const why =
    to === 'crypto' && from === 'server'
      ? 'The server holds no code that opens an entry, and the import graph proves it.'
      : `src/${from} may import ${[...may.code, ...may.types.map((folder) => `types of ${folder}`)].join(', ') || 'nothing of ours'}.`;
  return [`${path} imports ${target}. ${why}`];
}

const SERVER = 'src/server/';
const within = (path, place) =>
  path === SERVER + place || (place.endsWith('/') && path.startsWith(SERVER + place));
const LAYERED = [
  { root: SERVER, layers: SERVER_LAYERS },
  { root: 'src/web/', layers: WEB_LAYERS },
];

function throughLayers(path, { target }) {
  const side = LAYERED.find(({ root }) => path.startsWith(root));
  if (isTest(path) || !side || !target?.startsWith(side.root)) return [];
  const layerOf = (file) =>
    side.layers.findIndex((layer) =>
      layer.some(
        (place) => file === side.root + place || (place.endsWith('/') && file.startsWith(side.root + place)),
      ),
    );
  const [from, to] = [layerOf(path), layerOf(target)];
  if (from < 0) return [`${path} stands in no layer of ${side.root}. scripts/walls.mjs lists them.`];
  if (to <= from) return [];
  return [
    `${path} imports ${target}, which stands above it. What it wants of it is handed in, or moves down.`,
  ];
}

/** Writes by the owner of a table, reads by those who are listed. */
function throughOwnership(path, tables) {
  if (isTest(path) || !path.startsWith(SERVER) || path.startsWith(`${SERVER}db/`)) return [];
  return tables.flatMap(({ table, writes }) => {
    const owner = OWNERS[table];
    if (owner === undefined)
      return [`${path} names the table ${table}, which has no owner in scripts/walls.mjs.`];
    if (within(path, owner)) return [];
    if (writes) return [`${path} writes to ${table}. ${SERVER}${owner} alone does.`];
    return READERS[table]?.some((reader) => within(path, reader))
      ? []
      : [`${path} reads ${table}, which belongs to ${SERVER}${owner}. scripts/walls.mjs lists who else may.`];
  });
}

/** Files that import each other, directly or by way of others: no one of them can be understood, or tested, first. */
function findCircles(parsed) {
  const graph = new Map(
    parsed.map(({ path, imports }) => [path, imports.flatMap(({ target }) => (target ? [target] : []))]),
  );
  const done = new Set();
  const circles = [];
  const visit = (path, way) => {
    const at = way.indexOf(path);
    if (at >= 0) {
      circles.push(`${[...way.slice(at), path].join(' imports ')}. Imports go one way.`);
      return;
    }
    if (done.has(path)) return;
    for (const target of graph.get(path) ?? []) visit(target, [...way, path]);
    done.add(path);
  };
  for (const path of graph.keys()) visit(path, []);
  return circles;
}

/** Folders of the engine that import each other: whoever reads one of them has to read both. */
function findFacingRooms(parsed) {
  const room = (path) => /^src\/vault\/([^/]+)\//.exec(path)?.[1] ?? '';
  const ways = new Map();
  for (const { path, imports } of parsed) {
    if (!room(path) || isTest(path)) continue;
    for (const { target } of imports)
      if (target && room(target) && room(target) !== room(path))
        ways.set(`${room(path)} ${room(target)}`, `${path} imports ${target}`);
  }
  return [...ways].flatMap(([way, one]) => {
    const [from, to] = way.split(' ');
    const other = from < to && ways.get(`${to} ${from}`);
    return other ? [`${one}, and ${other}. Of two folders of src/vault/ one imports the other.`] : [];
  });
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
    return !doors || doors.includes(path) || isTest(path)
      ? []
      : [`${path} imports ${target}. Only ${doors.join(', ')} know the ${room}s.`];
  });
}

const KIT_READS = new Set(['time', 'counted', 'local-stamp'].map((name) => `src/shared/${name}.ts`));

function throughTheKit(path, { target }) {
  const may = !target || target.startsWith('src/web/ui/') || KIT_READS.has(target);
  if (!path.startsWith('src/web/ui/') || may) return [];
  return [`${path} imports ${target}. The kit knows nothing of the server it furnishes.`];
}

/** What sends a change with its entry in the book. */
const WRITERS = new Set(['src/vault/book/in-book.ts']);
function throughTheOutbox(path, { target }) {
  if (!WRITERS.has(target) || isTest(path) || folderOf(path) !== 'web') return [];
  return [`${path} imports ${target}. Screens write by src/vault/outbox/ alone.`];
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
  if (folderOf(path) !== 'web' || isTest(path) || ASK_AGAIN.includes(path)) return [];
  return /\brefetchOnWindowFocus: (?!false)|\brefetchInterval\b/.test(text)
    ? [`${path} is asked again on focus, or polls. Only ${ASK_AGAIN.join(' and ')} may.`]
    : [];
}

/** What a file imports, and every string in it. */
function read(path, text) {
  const imports = [];
  const strings = [];
  const tables = [];
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
      case 'TaggedTemplateExpression':
        if (node.tag.name === 'sql') tables.push(...tablesOf(node.quasi));
        break;
      case 'CallExpression':
        tables.push(...tablesOfCall(node));
        break;
    }
  });
  return { imports, strings, tables };
}

function walk(node, visit) {
  if (Array.isArray(node)) {
    for (const child of node) walk(child, visit);
  } else if (node && typeof node === 'object') {
    if (typeof node.type === 'string') visit(node);
    for (const child of Object.values(node)) walk(child, visit);
  }
}

const WRITING = new Set(['insertInto', 'updateTable', 'deleteFrom', 'replaceInto', 'mergeInto']);
const READING = new Set([
  'selectFrom',
  'innerJoin',
  'leftJoin',
  'rightJoin',
  'fullJoin',
  'crossJoin',
  'using',
  'from',
]);

/** The tables of one call of Kysely, as far as they are named. */
function tablesOfCall({ callee, arguments: [first] }) {
  const name = callee.type === 'MemberExpression' ? callee.property.name : undefined;
  const writes = WRITING.has(name);
  if (!writes && !READING.has(name)) return [];
  const named = first?.type === 'ArrayExpression' ? first.elements : [first];
  return named.flatMap((node) =>
    node?.type === 'Literal' && typeof node.value === 'string'
      ? tableNamed(node.value.split(' as ')[0] ?? '', writes)
      : [],
  );
}

const STATEMENT = /\b(insert\s+into|update|delete\s+from|from|join|merge\s+into)\s+([a-z_]+)/g;

/** The tables of a statement that is written out. What is put into it is looked at by itself. */
function tablesOf({ quasis }) {
  const text = quasis.map(({ value }) => value.cooked ?? '').join(' ? ');
  return [...text.matchAll(STATEMENT)].flatMap(([, verb = '', table = '']) =>
    // `for update` locks, and `on conflict do update set` names no table.
    tableNamed(table, !/^(?:from|join)$/.test(verb)),
  );
}

/** What is no table (an alias, a keyword, a list of values) is not in the schema, and nobody owns it. */
const tableNamed = (table, writes) => (table in OWNERS ? [{ table, writes }] : []);
