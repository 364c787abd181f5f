// What people read, in ordinary words: it reads every text of the screens, of the mails and of the errors, and names the
// file and the line of each that speaks of keepers and houses, or asks for a "press". Names and headings may be solemn; the
// black scroll, the game and what a myth is woven from are literature and stay as they are.
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parseAst } from 'vite';
import { expect, test } from 'vitest';

const src = fileURLToPath(new URL('../src', import.meta.url));

const LITERATURE = [
  /^shared\/(black-scroll|scroll-text)/,
  /^server\/puzzle\//,
  /^server\/features\/(game|holders)\//,
  /^server\/adapters\/story-prompt/,
  /^server\/walkthrough/,
  /^web\/game\//,
  /^web\/chambers\/(shadow|kit|black-scroll|test-verification)\//,
  /^web\/chambers\/thirteen-holders\/nexus/,
  /^web\/vault\/entries\/three-questions/,
  /^web\/chambers\/landing\/questions/,
];

/** What is not said, and what is said instead. */
const RULES = [
  [/\bkeepers?\b/i, 'administrator'],
  [/\bhouses?\b/i, 'server'],
  [
    /\b(?:a|the|one|for|by|without|more|first|last|this|each) press(?:es)?\b(?! this| the)/i,
    'confirmation link, click',
  ],
  [/\b(?:link|mail|mailbox|message)s? (?:was|were|is|be|can be) pressed\b/i, 'used'],
  [/\bpress(?:ed)? (?:for|once)\b/i, 'confirm'],
  [/^(?!.*\brecover)(?=.*\bways? back\b)/is, 'recovery method, or recovery beside it'],
  [/\b(?:your|of|for|by|after|his|her|their) silence\b/i, 'inactivity'],
  [/\bsilence (?:is|was|releases|to last)\b/i, 'inactivity'],
  [/\b(?:that you|whether you|who) lives?\b(?! in)/i, 'are active'],
  [/\bburn(?:s|ed|ing)? (?:it|nothing|unread)\b|\b(?:was|be|or|were) burned\b/i, 'delete'],
  [/\bby your own hand\b|\bwatch(?:es)? for your\b/i, 'yourself'],
  [/\b(?:un)?fold the\b/i, 'open, close'],
  [/\b(?:to the|this) (?:room|door|threshold)\b|\bthis door\b/i, 'content, page, start page'],
  [/\btake the keys?\b|\btake my key\b|\bkey along\b/i, 'remove, become administrator'],
  [/\bat the gate\b/i, 'when signing in'],
  [/\btold of on\b|\bwas heard\b|\bdid not hear\b/i, 'shown, noted'],
  // The chamber and what the specification names keep the word; so do the headings that a recipient meets, the words by which
  // the palette finds letters, and SQL.
  [
    /^(?!legacy_scrolls as |scrolls letters |letter scroll |A scroll (?:that waits|was left for you)$|Open the scroll$|The scroll did not open$|This scroll lies in a vault$).*(?<!\b(?:legacy|black|shadow|second)[ -]|phase 2 |[-_/.])\bscrolls?\b(?![-_/(])/is,
    'letter',
  ],
  // These were said once and are not true.
  [
    /\bshown (?:this|only) once\b(?!\.$)/i,
    'what is true: words can be looked at again until they are confirmed',
  ],
  [/\bno name is asked\b/i, 'what is true: a passphrase goes with a name'],
  [/\bonly this browser can open\b/i, 'what is true: any browser that holds the key'],
  [/\bkey\b[^.]*\.\s*It never leaves this browser\b/i, 'what is true: except wrapped'],
  [/\bthis entry will vanish\b/i, 'what is true: an empty line stays'],
  [/\bwarnings go out\b/i, 'what is true: they are written, and wait where none can be sent'],
];

/** Attributes of markup that nobody reads. */
const UNREAD = new Set([
  'className',
  'id',
  'key',
  'd',
  'href',
  'to',
  'type',
  'role',
  'name',
  'src',
  'sigil',
  'tone',
]);
/** Types, and what is imported, are for programmers. */
const isUnread = (node) =>
  /^(?:ImportDeclaration|Export(?:All|Named)Declaration)$/.test(node.type)
    ? node.type !== 'ExportNamedDeclaration' || node.source !== null
    : node.type === 'JSXAttribute' && UNREAD.has(node.name.name);

/** The texts of a module with their places: strings, templates, and what stands between the tags of markup. */
function textsOf(path, code) {
  const texts = [];
  const add = (start, text) => {
    const plain = text.replace(/\s+/g, ' ').trim();
    // A column by another name is for the database.
    if (/^[\w.]+ as \w+$/.test(plain)) return;
    if (/[a-z] [a-z]/i.test(plain) || /^[A-Z][a-z]+$/.test(plain)) texts.push({ start, text: plain });
  };
  (function visit(node) {
    if (Array.isArray(node)) return node.forEach(visit);
    if (!node || typeof node !== 'object' || isUnread(node)) return;
    if (node.type === 'Literal' && typeof node.value === 'string') add(node.start, node.value);
    if (node.type === 'TemplateLiteral')
      add(node.start, node.quasis.map(({ value }) => value.cooked).join(' … '));
    if (node.type === 'JSXElement' || node.type === 'JSXFragment')
      add(
        node.start,
        node.children.map((child) => (child.type === 'JSXText' ? child.value : sayingOf(child))).join(''),
      );
    for (const [name, child] of Object.entries(node)) if (name !== 'type') visit(child);
  })(parseAst(code, { lang: path.endsWith('x') ? 'tsx' : 'ts' }));
  return texts;
}

const sayingOf = ({ type, expression }) =>
  type === 'JSXExpressionContainer' && expression.type === 'Literal' ? String(expression.value) : ' … ';

const lineAt = (code, place) => code.slice(0, place).split('\n').length;

/** What is wrong with the words of a module. */
function findings(path, code) {
  return textsOf(path, code).flatMap(({ start, text }) =>
    RULES.filter(([banned]) => banned.test(text)).map(
      ([, instead]) => `${path}:${lineAt(code, start)} “${text.slice(0, 120)}”: say ${instead}`,
    ),
  );
}

const modules = readdirSync(src, { recursive: true })
  .map((path) => path.replaceAll('\\', '/'))
  .filter((path) => /^(?:web|server|shared)\/.*\.tsx?$/.test(path))
  .filter((path) => !/\.test\.|\/testing\/|\.d\.ts$/.test(path))
  .filter((path) => !LITERATURE.some((kept) => kept.test(path)));

test('screens, mails and errors say what happens in ordinary words, and nothing that is not so', () => {
  expect(modules.length).toBeGreaterThan(400);
  expect(modules.flatMap((path) => findings(path, readFileSync(`${src}/${path}`, 'utf8')))).toEqual([]);
});

test.each([
  ['const says = "The keeper of this house decides.";', 2],
  ['const one = <Button busyLabel="Asking">Ask for the press</Button>;', 1],
  ['const two = <p>They are shown this {"once"}, and never again</p>;', 1],
  ['const three = <p>Your ways\n  back</p>;', 1],
  ['const four = <a href="#room">Skip to the room</a>;', 1],
  // biome-ignore lint/suspicious/noTemplateCurlyInString: it is source text that is read here
  ['const five = `Warnings go out within ${hours}.`;', 1],
  ['const six = <Field label="Key" hint="The key is here. It never leaves this browser." />;', 1],
  ['const seven = "Two of your scrolls watch.";', 1],
  ['const named = <p>A letter stands in your Legacy Scrolls, not in the black scroll</p>;', 0],
  ['const fine = <p>Your recovery methods, the ways back to your key</p>;', 0],
  [
    'import { keeper } from "./house of keepers.ts"; const key = <p className="a press">Press the button</p>;',
    0,
  ],
])('%s', (code, count) => {
  expect(findings('web/made-up.tsx', code)).toHaveLength(count);
});
