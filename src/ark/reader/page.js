// The page: it asks for what opens the Ark, and lists, shows and prints what is in it. What was opened is in the memory of this
// page alone, and is gone with it.
import { ArkError, openArk, readHead, stretch, wrappingKey } from './ark.js';
import { dayOf, happened, mayBeInDate } from './dates.js';
import { by, make } from './elements.js';
import { translateFact } from './facts.js';
import { filesDropped, isFile } from './files.js';
import { finderOf, fold } from './fold.js';
import { kindNamed } from './kinds.js';
import { bestLanguage, speak, translate, translatePage } from './language.js';
import { say, sayAgain, sayWhy } from './problem.js';
import { checkSheets, takeSheets } from './sheets-form.js';
import { readWords } from './words.js';

/** @typedef {import('./ark.js').Entry & {folded?: string[]}} Shown */

/** How many entries are listed at once. */
const AT_ONCE = 30;

/** @type {{entries: Shown[], asOf: string, leftOut: string[], kind: string, query: string, listed: Shown[], shown: number, files: File[], urls: string[]}} */
const state = {
  entries: [],
  asOf: '',
  leftOut: [],
  kind: '',
  query: '',
  listed: [],
  shown: 0,
  files: [],
  urls: [],
};

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
  say(() => '');
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

function checkWords() {
  const read = readWords(by('words').value, WORDS);
  by('slots').replaceChildren(
    ...read.words.map((word, i) => make('li', { className: word ? '' : 'wrong' }, word ?? read.typed[i])),
  );
  by('hint').textContent =
    read.typed.length === 0 ? '' : (read.problem ?? translate('These are 24 words that belong together.'));
  return read;
}

/** Says everything in a language. @param {string} code */
function speakAs(code) {
  speak(code, CATALOGUES[code] ?? {});
  translatePage(document, Object.values(CATALOGUES));
  by('language').value = code;
  checkWords();
  checkSheets();
  sayAgain();
  for (const entry of state.entries) delete entry.folded;
  if (!by('opened').hidden) drawContents();
}

function showDoors() {
  const codes = Object.keys(CATALOGUES);
  // What a page that was saved as it stood has already is put in anew.
  by('language').replaceChildren(
    ...codes.map((code) => make('option', { value: code, lang: code }, String(CATALOGUES[code].English))),
  );
  by('language').addEventListener('change', () => speakAs(by('language').value));
  by('language').hidden = false;
  by('sheets').replaceChildren();
  by('words').addEventListener('input', checkWords);
  by('by-words').addEventListener('submit', (/** @type {Event} */ event) => {
    event.preventDefault();
    const { key } = checkWords();
    if (key) void openWith('words', () => key);
    else say(() => checkWords().problem ?? '');
  });
  by('by-passphrase').addEventListener('submit', (/** @type {Event} */ event) => {
    event.preventDefault();
    void openWith('passphrase', (wrap) => stretch(wrap, by('passphrase').value, showProgress));
  });
  speakAs(bestLanguage(navigator.languages, codes));
  try {
    const head = readHead(by('head').textContent);
    for (const kind of ['words', 'passphrase', 'guardians'])
      by(`by-${kind}`).hidden = !head.wraps.some((wrap) => wrap.kind === kind);
    takeSheets(head, say, (secret) => void openWith('guardians', () => secret));
  } catch (error) {
    sayWhy(error);
  }
  // Whatever fails before this leaves its words there.
  by('dead').hidden = true;
}

/** @param {import('./ark.js').Contents} contents */
function showContents(contents) {
  Object.assign(state, contents);
  by('closed').hidden = true;
  by('opened').hidden = false;
  by('close').hidden = false;
  by('beside').hidden = !state.entries.some(({ files }) => files.length > 0);
  by('query').addEventListener('input', () => {
    state.query = by('query').value;
    list();
  });
  by('more').addEventListener('click', () => listMore());
  by('print-all').addEventListener('click', () => printEntries(state.listed));
  by('close').addEventListener('click', () => {
    location.hash = '';
    location.reload();
  });
  takeFiles();
  window.addEventListener('hashchange', () => goToPlace());
  drawContents();
  if (by('reading').hidden) by('query').focus({ preventScroll: true });
  else goToPlace();
}

function drawContents() {
  const { entries, asOf, leftOut } = state;
  const found = [...new Set(entries.map(({ kind }) => kind))];
  const count = entries.length;
  by('as-of').textContent = asOf
    ? translate('{0} entries, the newest of {1}', count, dayOf(asOf))
    : translate('{0} entries', count);
  by('kinds').replaceChildren(
    ...['', ...found].map((kind) => {
      const count = entries.filter((entry) => !kind || entry.kind === kind).length;
      const button = make(
        'button',
        { type: 'button', ariaPressed: String(kind === state.kind) },
        kind ? kindNamed(kind, 1) : translate('All'),
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
  by('left-out-lines').replaceChildren(...leftOut.map((line) => make('li', {}, translateFact(line))));
  list(Math.max(AT_ONCE, state.shown));
  showPlace();
  sayFiles();
}

/** @param {Shown} entry */
const whenOf = ({ happenedOn, writtenAt }) => (happenedOn ? happened(happenedOn) : dayOf(writtenAt));

/** The questions are the app's, and everything else is its author's. @param {Shown} entry */
const titleOf = ({ kind, title }) =>
  (kind === 'answer' ? translateFact(title) : title) || translate('Without a title');

/** What is listed: all in which every word that was looked for stands. @param {number} [count] how many are shown */
function list(count) {
  const words = fold(state.query).split(/\s+/).filter(Boolean);
  const sought = words.map((word) => ({ finder: finderOf(word), isDated: mayBeInDate(word) }));
  state.listed = state.entries.filter((entry) => {
    if (state.kind && entry.kind !== state.kind) return false;
    if (words.length === 0) return true;
    entry.folded ??= [entry.text, titleOf(entry), ...entry.tags, ...entry.facts.map(translateFact)].map(fold);
    return sought.every(
      ({ finder, isDated }) =>
        entry.folded?.some((part) => finder.test(part)) || (isDated && finder.test(fold(whenOf(entry)))),
    );
  });
  state.shown = 0;
  by('list').replaceChildren();
  listMore(count);
  const all = state.listed.length;
  by('found').textContent = words.length === 0 ? '' : translate('{0} are found.', all);
  by('print-all').hidden = all === 0;
  by('print-all').textContent = translate('Print all {0}', all);
}

/** @param {number} [count] */
function listMore(count = AT_ONCE) {
  const next = state.listed.slice(state.shown, state.shown + count);
  by('list').append(
    ...next.map((entry) => {
      // What is long, such as the address of a vault, is said where the entry is read.
      const fact = entry.facts.slice(0, 1).filter(({ length }) => length < 30);
      const note = [kindNamed(entry.kind, 0), ...fact.map(translateFact)].join(', ');
      const link = make('a', { href: `#${state.entries.indexOf(entry) + 1}`, dir: 'auto' }, titleOf(entry));
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
    ...entry.facts.map(translateFact),
    ...(entry.tags.length > 0 ? [translate('Tags: {0}', entry.tags.join(', '))] : []),
  ];
  if (entry.happenedOn) facts.splice(1, 0, translate('written {0}', dayOf(entry.writtenAt)));
  return make(
    'article',
    {},
    make('p', { className: 'label' }, kindNamed(entry.kind, 0)),
    make(onPaper ? 'h2' : 'h1', { tabIndex: -1, dir: 'auto' }, titleOf(entry)),
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
          translate('Not here yet: choose the folder “files” of an export under “All entries”.'),
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
    item.replaceChildren(
      shown,
      make('p', {}, make('a', { href: src, download: name }, translate('Save {0}', name))),
    );
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
  const print = make('button', { type: 'button' }, translate('Print'));
  print.addEventListener('click', () => printEntries([entry]));
  const article = asArticle(entry, false);
  const at = state.listed.indexOf(entry);
  const turn = (at < 0 ? [] : [at - 1, at + 1]).map((to, i) => {
    const other = state.listed[to];
    return other
      ? make('a', { href: `#${state.entries.indexOf(other) + 1}` }, translate(i ? 'Older' : 'Newer'))
      : '';
  });
  by('reading').replaceChildren(
    make(
      'nav',
      { ariaLabel: translate('Entries') },
      make('a', { href: '#' }, translate('All entries')),
      ...turn,
      print,
    ),
    article,
  );
}

function goToPlace() {
  showPlace();
  window.scrollTo(0, 0);
  by('reading').querySelector('h1')?.focus();
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

/** Says how many of the files that were chosen may belong here. */
function sayFiles() {
  if (state.files.length === 0) return;
  const sizes = new Set(state.files.map(({ size }) => size));
  const wanted = state.entries.flatMap((entry) => entry.files);
  const there = wanted.filter(({ bytes }) => sizes.has(bytes)).length;
  by('beside-found').textContent = translate(
    '{0} looked at: {1} of the {2} that belong here may be among them. Each is checked when it is shown.',
    ...[state.files.length, there, wanted.length],
  );
}

function takeFiles() {
  /** @param {readonly File[]} files */
  const take = (files) => {
    state.files = [...state.files, ...files];
    sayFiles();
    showPlace();
  };
  for (const input of [by('choose-files'), by('choose-folder')])
    input.addEventListener('change', () => take([...input.files]));
  document.addEventListener('dragover', (event) => event.preventDefault());
  document.addEventListener('drop', (event) => {
    event.preventDefault();
    if (event.dataTransfer)
      void filesDropped(event.dataTransfer).then(take, () => {
        by('beside-found').textContent = translate(
          'This browser cannot read a folder that is dropped here. Choose it.',
        );
      });
  });
}

showDoors();
