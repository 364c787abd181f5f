// Cuts the fonts down to the letters that the documents use. The same letters always give the same files.
import { createHash } from 'node:crypto';
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import subsetFont from 'subset-font';

const require = createRequire(import.meta.url);
const { version } = require('subset-font/package.json');

const digits = /[0-9]/;

/**
 * Every face the documents may use: its source, the weights kept, and how CSS names it. The weights that CSS is told are those of
 * the whole faces (styles/fonts.css), so that both are one face where a page fetches these for further letters.
 */
const faces = {
  display: {
    file: '@fontsource-variable/cormorant/files/cormorant-latin-wght-normal.woff2',
    axes: { wght: { min: 300, max: 500 } },
    css: 'font-family:"Cormorant";font-weight:300 700',
  },
  'display-italic': {
    file: '@fontsource-variable/cormorant/files/cormorant-latin-wght-italic.woff2',
    axes: { wght: 300 },
    css: 'font-family:"Cormorant";font-style:italic;font-weight:300 700',
  },
  text: {
    file: '@fontsource-variable/eb-garamond/files/eb-garamond-latin-wght-normal.woff2',
    axes: { wght: 400 },
    css: 'font-family:"EB Garamond";font-weight:400 800',
  },
  'text-italic': {
    file: '@fontsource-variable/eb-garamond/files/eb-garamond-latin-wght-italic.woff2',
    axes: { wght: 400 },
    css: 'font-family:"EB Garamond";font-style:italic;font-weight:400 800',
  },
  figures: {
    file: '../../src/web/fonts/figures.woff2',
    css: 'font-family:"EB Garamond";font-weight:400 800;size-adjust:104%;unicode-range:U+30-39',
  },
  machine: {
    file: '@fontsource/ibm-plex-mono/files/ibm-plex-mono-latin-400-normal.woff2',
    css: 'font-family:"IBM Plex Mono";font-weight:400',
  },
};

/**
 * Cuts one font per face.
 * @param {Map<string, Set<string>>} letters by face
 * @param {string} cache a folder that may vanish at any time
 * @returns {Promise<{face: string, name: string, bytes: Buffer, css: string}[]>} in a fixed order; `css` lacks its src
 */
export async function cutFonts(letters, cache) {
  const wanted = new Map(letters);
  const inText = wanted.get('text');
  if (inText && [...inText].some((letter) => digits.test(letter))) {
    wanted.set('figures', new Set([...inText].filter((letter) => digits.test(letter))));
    wanted.set('text', new Set([...inText].filter((letter) => !digits.test(letter))));
  }
  for (const face of wanted.keys())
    if (!faces[face]) throw new Error(`the documents use a face without a font: ${face}`);
  await mkdir(cache, { recursive: true });
  const used = Object.entries(faces).filter(([face]) => wanted.get(face)?.size);
  return Promise.all(
    used.map(async ([face, { file, axes, css }]) => {
      const source = await readFile(require.resolve(file));
      const bytes = await cut(source, [...wanted.get(face)].sort().join(''), axes, cache);
      return { face, name: `${face}-${digest(bytes).slice(0, 8)}.woff2`, bytes, css };
    }),
  );
}

async function cut(source, text, axes, cache) {
  const recipe = digest(Buffer.concat([source, Buffer.from(JSON.stringify([version, text, axes ?? null]))]));
  const kept = join(cache, `${recipe}.woff2`);
  const known = await readFile(kept).catch(() => null);
  if (known) return known;
  const bytes = await subsetFont(source, text, {
    targetFormat: 'woff2',
    noHinting: true,
    ...(axes && { variationAxes: axes }),
  });
  await writeFile(`${kept}.${process.pid}`, bytes);
  await rename(`${kept}.${process.pid}`, kept);
  return bytes;
}

function digest(bytes) {
  return createHash('sha256').update(bytes).digest('hex');
}
