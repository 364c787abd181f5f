// What a browser loads before somebody who is signed in sees the dashboard. It shrinks, or the build says why not.
import { stat } from 'node:fs/promises';
import { join } from 'node:path';

/** In bytes of brotli, without the headers of the answers. */
const FIRST_LOAD_MAX = 89_600;

/**
 * @param {string} web the built app, compressed
 * @param {string} document the text of the app's document
 * @param {Record<string, string[]>} preloads what `preloadsOf` gave
 * @throws Error when the scripts of the first load weigh more than they may
 */
export async function weighFirstLoad(web, document, preloads) {
  const initial = document.match(/\/assets\/[\w.-]+\.js/g) ?? [];
  const files = [...new Set([...initial, ...(preloads['/'] ?? [])])];
  const sizes = await Promise.all(
    files.map(async (file) => {
      const compressed = await stat(join(web, `${file}.br`)).catch(() => stat(join(web, file)));
      return compressed.size;
    }),
  );
  const weight = sizes.reduce((all, size) => all + size, 0);
  if (weight > FIRST_LOAD_MAX) {
    throw new Error(`the app's first load has ${weight} bytes of scripts, more than ${FIRST_LOAD_MAX}`);
  }
}
