// What the fields of the contract are in words is told by two pages and nowhere else: the app comes without those words, and
// the pages with the table that is made of them.
import { relative } from 'node:path';
import { runBundled } from '../run-bundled.mjs';

/** The table of all fields in words. */
const TABLE = 'src/shared/server-sees.ts';
/** A field of the contract, up to its schema (src/shared/http/field-classes.ts). */
const FIELD = /\b(sealed|wrapped|open|credential|clear|arriving|message)\(\s*(?:'[^'\n]*'|`[^`$]*`)\s*,/g;

/** For Vite: takes the words out of what is built. @param root the repository's */
export function withoutFieldWords(root) {
  return {
    name: 'latebra:field-words',
    enforce: 'pre',
    apply: 'build',
    async transform(code, id) {
      const file = relative(root, id);
      if (file === TABLE) return { code: await table(), map: null };
      if (!file.startsWith('src/shared/')) return null;
      return { code: code.replace(FIELD, "$1('',"), map: null };
    },
  };
}

async function table() {
  const { besideTheCalls, whatTheServerSees } = await runBundled(TABLE);
  return [
    `export const besideTheCalls = ${JSON.stringify(besideTheCalls)};`,
    `const seen = ${JSON.stringify(whatTheServerSees())};`,
    'export const whatTheServerSees = () => seen;',
  ].join('\n');
}
