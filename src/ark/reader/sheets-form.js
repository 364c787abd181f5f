// Where guardians' sheets are typed: a field for each that is needed, and what is said of each and of all together.
import { wrappingKey } from './ark.js';
import { by, make } from './elements.js';
import { translate } from './language.js';
import { combineSheets, readSheet, togetherSays } from './sheets.js';

/** The most sheets that a kit has. */
const SHEETS_MAX = 15;

/** @type {{label: any, input: any, note: any}[]} */
const sheetFields = [];

/** Whether a secret opens this Ark. @type {(secret: Uint8Array) => boolean} */
let opensArk = () => false;

function addSheetField() {
  const id = `sheet-${sheetFields.length + 1}`;
  const input = make('textarea', {
    ...{ id, autocomplete: 'off', autocapitalize: 'none', spellcheck: false },
    ariaDescribedby: `${id}-note sheets-note`,
  });
  // Its property, where a browser has one, is no text.
  input.setAttribute('autocorrect', 'off');
  const note = make('p', { id: `${id}-note`, className: 'note' });
  input.addEventListener('input', checkSheets);
  const label = make('label', { htmlFor: id });
  by('sheets').append(label, input, note);
  sheetFields.push({ label, input, note });
}

/** Says what is true of each sheet and of all, and shows as many fields as are needed. @returns {{secret: Uint8Array | null, says: string}} */
export function checkSheets() {
  const read = sheetFields.map(({ input }) => readSheet(input.value, WORDS));
  const places = read.flatMap(({ sheet }, place) => (sheet ? [place] : []));
  const sheets = read.flatMap(({ sheet }) => (sheet ? [sheet] : []));
  while (sheetFields.length < (sheets[0]?.needed ?? 1)) addSheetField();
  for (const [place, { label, input, note }] of sheetFields.entries()) {
    label.textContent = translate('Sheet {0}', place + 1);
    const { isWrong, says } = read[place] ?? { isWrong: false, says: '' };
    note.textContent = says;
    note.classList.toggle('wrong', isWrong);
    input.setAttribute('aria-invalid', String(isWrong));
  }
  const found = sheets.length > 0 ? combineSheets(sheets, opensArk) : null;
  /** @param {readonly number[]} some */
  const inFields = (some) => some.map((place) => places[place]);
  const sentences = found
    ? togetherSays({
        ...found,
        doubled: inFields(found.doubled),
        otherKits: inFields(found.otherKits),
        wrong: inFields(found.wrong),
      })
    : [];
  by('together').textContent = sentences.join(' ');
  // Not before every field has something in it.
  const isFull = read.length === sheetFields.length && read.every(({ says }) => says);
  by('another-sheet').hidden = !isFull || Boolean(found?.secret) || sheetFields.length >= SHEETS_MAX;
  const wrong = read.findIndex(({ isWrong }) => isWrong);
  const problem = wrong < 0 ? '' : translate('Sheet {0}: {1}', wrong + 1, read[wrong].says);
  const says = problem || sentences.join(' ') || translate('No sheet is whole yet.');
  return { secret: found?.secret ?? null, says };
}

/**
 * @param {import('./ark.js').Head} head @param {(sentence: () => string) => void} say
 * @param {(secret: Uint8Array) => void} open
 */
export function takeSheets(head, say, open) {
  const kits = head.wraps.filter(({ kind }) => kind === 'guardians');
  opensArk = (secret) => {
    try {
      return kits.some((wrap) => wrappingKey(head, wrap, secret));
    } catch {
      // The head is damaged: opening says so.
      return true;
    }
  };
  checkSheets();
  by('another-sheet').addEventListener('click', () => {
    addSheetField();
    checkSheets();
    sheetFields[sheetFields.length - 1].input.focus();
  });
  by('by-guardians').addEventListener('submit', (/** @type {Event} */ event) => {
    event.preventDefault();
    const { secret } = checkSheets();
    if (secret) open(secret);
    else say(() => checkSheets().says);
  });
}
