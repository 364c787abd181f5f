// The page: it asks for what opens the Ark, and lists, shows and prints what is in it. What was opened is in the memory of this
// page alone, and is gone with it.
import { ArkError, openArk, readHead, stretch, wrappingKey } from './ark.js';
import { dayOf, happened, mayBeInDate } from './dates.js';
import { by, make } from './elements.js';
import { filesDropped, isFile } from './files.js';
import { finderOf, fold } from './fold.js';
import { checkSheets, takeSheets } from './sheets-form.js';
import { readWords } from './words.js';

/** @typedef {import('./ark.js').Entry & {folded?: string[]}} Shown */

/** @type {Record<string, {one: string, many: string}>} */
const KINDS = {
  memory: { one: 'Memory', many: 'Memories' },
  moment: { one: 'Moment', many: 'Moments' },
  myth: { one: 'Story', many: 'Stories' },
  letter: { one: 'Letter', many: 'Letters' },
  whisper: { one: 'Whisper', many: 'Whispers' },
  answer: { one: 'Answer', many: 'Answers' },
};

/** How many entries are listed at once. */
const AT_ONCE = 30;

const PROBLEMS = {
  damaged: 'This Ark is damaged: its bytes are not those that were sealed. Try another copy of the file.',
  'another-secret': 'That does not open this Ark. It opens with what its vault had when it was made.',
  'too-new': 'This Ark is of a later kind than its reader.',
};

/** @type {{entries: Shown[], kind: string, query: string, listed: Shown[], shown: number, files: File[], urls: string[]}} */
const state = { entries: [], kind: '', query: '', listed: [], shown: 0, files: [], urls: [] };

/** Lets the page draw, and says how much is done. @param {number} done */
async function showProgress(done) {
  by('progress').value = done;
  await new Promise((resolve) => {
    setTimeout(resolve);
  });
}

/** @param {string} kind of the wrap @param {(wrap: import('./ark.js').Wrap) => Promise<Uint8Array> | Uint8Array} secretOf */
async function openWith(kind, secretOf) {
  if (document.body.classList.contains('busy')) return;
  say('');
  document.body.classList.add('busy');
  try {
    const text = by('head').textContent;
    const head = readHead(text);
    const wraps = head.wraps.filter((one) => one.kind === kind);
    if (wraps.length === 0) throw new ArkError('damaged');
    const secret = await secretOf(wraps[0]);
    // Of guardians' kits there may be several.
    const wrap = wraps.find((one) => wrappingKey(head, one, secret)) ?? wraps[0];
    const contents = await openArk(text, by('pieces').textContent, wrap, secret);
    // A page that is saved has all that stands in it, hidden or not.
    for (const input of document.querySelectorAll('textarea, input')) /** @type {any} */ (input).value = '';
    checkWords();
    checkSheets();
    showContents(contents);
  } catch (error) {
    sayWhy(error);
  }
  document.body.classList.remove('busy');
}

/** @param {string} sentence what is wrong; empty for nothing */
function say(sentence) {
  by('problem').textContent = sentence;
}

/** @param {unknown} error what went wrong: with the Ark, or with what its reader runs in */
function sayWhy(error) {
  say(
    error instanceof ArkError
      ? PROBLEMS[error.problem]
      : `This browser could not open it (${error}). Try another one.`,
  );
}

function checkWords() {
  const read = readWords(by('words').value, WORDS);
  by('slots').replaceChildren(
    ...read.words.map((word, i) => make('li', { className: word ? '' : 'wrong' }, word ?? read.typed[i])),
  );
  by('hint').textContent =
    read.typed.length === 0 ? '' : (read.problem ?? 'These are 24 words that belong together.');
  return read;
}

function showDoors() {
  by('dead').hidden = true;
  try {
    const head = readHead(by('head').textContent);
    for (const kind of ['words', 'passphrase', 'guardians'])
      by(`by-${kind}`).hidden = !head.wraps.some((wrap) => wrap.kind === kind);
    takeSheets(head, say, (secret) => void openWith('guardians', () => secret));
  } catch (error) {
    sayWhy(error);
  }
  by('words').addEventListener('input', checkWords);
  by('by-words').addEventListener('submit', (/** @type {Event} */ event) => {
    event.preventDefault();
    const { key, problem } = checkWords();
    if (key) void openWith('words', () => key);
    else say(problem ?? '');
  });
  by('by-passphrase').addEventListener('submit', (/** @type {Event} */ event) => {
    event.preventDefault();
    void openWith('passphrase', (wrap) => stretch(wrap, by('passphrase').value, showProgress));
  });
}

/** @param {import('./ark.js').Contents} contents */
function showContents({ entries, asOf, leftOut }) {
  state.entries = entries;
  by('closed').hidden = true;
  by('opened').hidden = false;
  by('close').hidden = false;
  const found = [...new Set(entries.map(({ kind }) => kind))];
  by('as-of').textContent =
    `${entries.length} ${entries.length === 1 ? 'entry' : 'entries'}${asOf && `, the newest of ${dayOf(asOf)}`}`;
  by('kinds').replaceChildren(
    ...['', ...found].map((kind) => {
      const count = entries.filter((entry) => !kind || entry.kind === kind).length;
      const words = kind ? (KINDS[kind]?.many ?? kind) : 'All';
      const button = make(
        'button',
        { type: 'button', ariaPressed: String(kind === '') },
        words,
        make('small', {}, String(count)),
      );
      button.addEventListener('click', () => {
        state.kind = kind;
        for (const other of by('kinds').children)
          other.setAttribute('aria-pressed', String(other === button));
        list();
      });
      return button;
    }),
  );
  by('left-out').hidden = leftOut.length === 0;
  by('left-out-lines').replaceChildren(...leftOut.map((line) => make('li', {}, line)));
  by('beside').hidden = !entries.some(({ files }) => files.length > 0);
  by('query').addEventListener('input', () => {
    state.query = by('query').value;
    list();
  });
  by('more').addEventListener('click', listMore);
  by('print-all').addEventListener('click', () => printEntries(state.listed));
  by('close').addEventListener('click', () => {
    location.hash = '';
    location.reload();
  });
  takeFiles();
  list();
  window.addEventListener('hashchange', showPlace);
  showPlace();
  if (!by('listing').hidden) by('query').focus({ preventScroll: true });
}

/** @param {Shown} entry */
const whenOf = ({ happenedOn, writtenAt }) => (happenedOn ? happened(happenedOn) : dayOf(writtenAt));

/** What is listed: all in which every word that was looked for stands. */
function list() {
  const words = fold(state.query).split(/\s+/).filter(Boolean);
  const sought = words.map((word) => ({ finder: finderOf(word), isDated: mayBeInDate(word) }));
  state.listed = state.entries.filter((entry) => {
    if (state.kind && entry.kind !== state.kind) return false;
    if (words.length === 0) return true;
    entry.folded ??= [entry.text, entry.title, ...entry.tags, ...entry.facts].map(fold);
    return sought.every(
      ({ finder, isDated }) =>
        entry.folded?.some((part) => finder.test(part)) || (isDated && finder.test(whenOf(entry))),
    );
  });
  state.shown = 0;
  by('list').replaceChildren();
  listMore();
  const count = state.listed.length;
  by('found').textContent = words.length === 0 ? '' : count === 1 ? '1 is found.' : `${count} are found.`;
  by('print-all').hidden = count === 0;
  by('print-all').textContent = `Print ${count === 1 ? 'this one' : `all ${count}`}`;
}

function listMore() {
  const next = state.listed.slice(state.shown, state.shown + AT_ONCE);
  by('list').append(
    ...next.map((entry) => {
      // What is long, such as the address of a vault, is said where the entry is read.
      const fact = entry.facts.slice(0, 1).filter(({ length }) => length < 30);
      const note = [KINDS[entry.kind]?.one ?? entry.kind, ...fact].join(', ');
      const link = make(
        'a',
        { href: `#${state.entries.indexOf(entry) + 1}`, dir: 'auto' },
        entry.title || 'Without a title',
      );
      const beginning = entry.text.slice(0, 160).replace(/[\uD800-\uDBFF]$/, '');
      return make(
        'li',
        {},
        make('time', {}, whenOf(entry)),
        make('div', {}, make('h2', {}, link), make('p', { dir: 'auto' }, beginning)),
        make('small', {}, note),
      );
    }),
  );
  state.shown += next.length;
  by('more').hidden = state.shown >= state.listed.length;
}

/** An entry as it is read, or printed. @param {Shown} entry @param {boolean} onPaper */
function asArticle(entry, onPaper) {
  const facts = [
    whenOf(entry),
    ...entry.facts,
    ...(entry.tags.length > 0 ? [`Tags: ${entry.tags.join(', ')}`] : []),
  ];
  if (entry.happenedOn) facts.splice(1, 0, `written ${dayOf(entry.writtenAt)}`);
  return make(
    'article',
    {},
    make('p', { className: 'label' }, KINDS[entry.kind]?.one ?? entry.kind),
    make(onPaper ? 'h2' : 'h1', { tabIndex: -1, dir: 'auto' }, entry.title || 'Without a title'),
    make('p', { className: 'facts' }, ...facts.flatMap((fact, i) => [i ? ' · ' : '', make('bdi', {}, fact)])),
    make('div', { className: 'text', dir: 'auto' }, entry.text),
    make('ul', { className: 'files' }, ...entry.files.map((file) => fileItem(file, onPaper))),
  );
}

/** @param {import('./ark.js').ArkFile} file @param {boolean} onPaper its name and its preview alone */
function fileItem(file, onPaper) {
  const { name, type, thumbnail } = file;
  const item = make('li', {}, make('p', { dir: 'auto' }, name));
  if (thumbnail)
    item.prepend(make('img', { alt: '', src: `data:${thumbnail.type};base64,${thumbnail.data}` }));
  if (onPaper) return item;
  void fileBeside(file).then((found) => {
    if (!found)
      return item.append(
        make(
          'p',
          { className: 'note' },
          'Not here yet: choose the folder “files” of an export under “All entries”.',
        ),
      );
    const kind = type.split('/')[0] ?? '';
    const isShown = ['image', 'audio', 'video'].includes(kind);
    // Nothing else becomes a page.
    const src = URL.createObjectURL(new Blob([found], { type: isShown ? type : 'application/octet-stream' }));
    state.urls.push(src);
    const shown =
      kind === 'image'
        ? make('img', { src, alt: name })
        : isShown
          ? make(kind, { src, controls: true, ariaLabel: name })
          : '';
    item.replaceChildren(shown, make('p', {}, make('a', { href: src, download: name }, `Save ${name}`)));
  });
  return item;
}

/** @param {import('./ark.js').ArkFile} file */
async function fileBeside(file) {
  for (const one of state.files) if (await isFile(one, file).catch(() => false)) return one;
  return null;
}

/** Shows the entry whose number the address has, or the list. */
function showPlace() {
  const index = Number(location.hash.slice(1)) - 1;
  const entry = state.entries[index];
  for (const url of state.urls.splice(0)) URL.revokeObjectURL(url);
  by('listing').hidden = entry !== undefined;
  by('reading').hidden = entry === undefined;
  if (!entry) return by('reading').replaceChildren();
  const print = make('button', { type: 'button' }, 'Print');
  print.addEventListener('click', () => printEntries([entry]));
  const article = asArticle(entry, false);
  const at = state.listed.indexOf(entry);
  const turn = (at < 0 ? [] : [at - 1, at + 1]).map((to, i) => {
    const other = state.listed[to];
    return other ? make('a', { href: `#${state.entries.indexOf(other) + 1}` }, i ? 'Older' : 'Newer') : '';
  });
  by('reading').replaceChildren(
    make('nav', { ariaLabel: 'Entries' }, make('a', { href: '#' }, 'All entries'), ...turn, print),
    article,
  );
  window.scrollTo(0, 0);
  article.querySelector('h1')?.focus();
}

/** Prints words and previews. @param {readonly Shown[]} entries */
async function printEntries(entries) {
  by('paper').replaceChildren(...entries.map((entry) => asArticle(entry, true)));
  await Promise.allSettled([...by('paper').querySelectorAll('img')].map((picture) => picture.decode()));
  document.body.classList.add('printing');
  const end = () => {
    document.body.classList.remove('printing');
    by('paper').replaceChildren();
  };
  window.addEventListener('afterprint', end, { once: true });
  window.print();
}

function takeFiles() {
  /** @param {readonly File[]} files */
  const take = (files) => {
    state.files = [...state.files, ...files];
    const sizes = new Set(state.files.map(({ size }) => size));
    const wanted = state.entries.flatMap((entry) => entry.files);
    const there = wanted.filter(({ bytes }) => sizes.has(bytes)).length;
    by('beside-found').textContent =
      `${state.files.length} looked at: ${there} of the ${wanted.length} that belong here may be among them. Each is checked when it is shown.`;
    showPlace();
  };
  for (const input of [by('choose-files'), by('choose-folder')])
    input.addEventListener('change', () => take([...input.files]));
  document.addEventListener('dragover', (event) => event.preventDefault());
  document.addEventListener('drop', (event) => {
    event.preventDefault();
    if (event.dataTransfer)
      void filesDropped(event.dataTransfer).then(take, () => {
        by('beside-found').textContent = 'This browser cannot read a folder that is dropped here. Choose it.';
      });
  });
}

showDoors();
