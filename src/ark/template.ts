// The Ark's page without what is sealed in it: the reader as its author wrote it, every comment kept, and a policy that names the
// sum of each of its scripts.
import { toBase64 } from '../crypto/base64.ts';
import { utf8 } from '../crypto/encoding.ts';
import { wordList } from '../crypto/words.ts';
import dutch from './languages/dutch.json';
import english from './languages/english.json';
import french from './languages/french.json';
import german from './languages/german.json';
import italian from './languages/italian.json';
import polish from './languages/polish.json';
import portuguese from './languages/portuguese.json';
import spanish from './languages/spanish.json';
import aes from './reader/aes.js?raw';
import argon2 from './reader/argon2.js?raw';
import ark from './reader/ark.js?raw';
import base64 from './reader/base64.js?raw';
import dates from './reader/dates.js?raw';
import elements from './reader/elements.js?raw';
import facts from './reader/facts.js?raw';
import files from './reader/files.js?raw';
import fold from './reader/fold.js?raw';
import inflate from './reader/inflate.js?raw';
import kinds from './reader/kinds.js?raw';
import language from './reader/language.js?raw';
import page from './reader/page.html?raw';
import pageScript from './reader/page.js?raw';
import problem from './reader/problem.js?raw';
import sha256 from './reader/sha256.js?raw';
import sheets from './reader/sheets.js?raw';
import sheetsForm from './reader/sheets-form.js?raw';
import style from './reader/style.css?raw';
import words from './reader/words.js?raw';

/** Modules as one script without modules, which a page that was opened from a disk could not load. */
const asScript = (...modules: string[]) =>
  `\n'use strict';\n\n${modules
    .map((module) => module.replace(/^import [^;]*;\n/gm, '').replace(/^export /gm, ''))
    .join('\n')}`;

const WORDS_A_LINE = 12;
const wordLines = Array.from({ length: Math.ceil(wordList.length / WORDS_A_LINE) }, (_, line) =>
  wordList.slice(line * WORDS_A_LINE, (line + 1) * WORDS_A_LINE).join(' '),
);

/** What the page says in each language, by its code (BCP 47), in the order of the names that the languages have in themselves. */
export const catalogues = {
  ...{ de: german, en: english, es: spanish, fr: french },
  ...{ it: italian, nl: dutch, pl: polish, pt: portuguese },
};

/** What the page runs, in this order: what browsers may lack, its languages, the words of BIP39 and how words and dates are read and sought, guardians' sheets
 * and the elements of the page, and the reader itself. */
export const scripts = {
  mathematics: asScript(sha256, aes, argon2, inflate, base64),
  language: `${asScript(language, kinds, problem)}\n// What is said, by its English.\nconst CATALOGUES = ${JSON.stringify(catalogues, null, 1)};\n`,
  words: `${asScript(words, fold, dates, facts)}\n// The words of BIP39, in order.\nconst WORDS = \`\n${wordLines.join('\n')}\n\`.trim().split(/\\s+/);\n`,
  sheets: asScript(sheets, elements, sheetsForm),
  reader: asScript(ark, files, pageScript),
};

const sumOf = async (text: string) =>
  `'sha256-${toBase64(new Uint8Array(await crypto.subtle.digest('SHA-256', utf8(text))))}'`;

/** What the page may do: run these scripts, and show what it has itself. Nothing may be fetched, sent or framed. */
async function policyOf(): Promise<string> {
  const sums = await Promise.all(Object.values(scripts).map(sumOf));
  return [
    "default-src 'none'",
    `script-src ${sums.join(' ')}`,
    `style-src ${await sumOf(style)}`,
    'img-src blob: data:',
    'media-src blob:',
    "base-uri 'none'",
    "form-action 'none'",
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
  ].join('; ');
}

/** The whole page. @param head one line of JSON @param pieces a line of base64 each */
export async function arkPage(head: string, pieces: readonly string[]): Promise<string> {
  const parts: Record<string, string> = {
    ...scripts,
    ...{ style, head, pieces: pieces.join('\n'), policy: await policyOf() },
  };
  return page
    .split(/\{([a-z]+)\}/)
    .map((text, at) => (at % 2 === 0 ? text : (parts[text] ?? `{${text}}`)))
    .join('');
}
