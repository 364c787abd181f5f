// Compresses once what will be sent many times. What was compressed before is kept by its content, so that the next build
// compresses only what has changed.
import { createHash } from 'node:crypto';
import { copyFile, mkdir, readdir, readFile, rename, writeFile } from 'node:fs/promises';
import { extname, join } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';

/** woff2 is brotli within; images of pixels are compressed too. */
const compressible = new Set(['.html', '.js', '.css', '.svg', '.txt', '.json', '.wasm', '.asc']);
/** Read by the server alone, never sent. */
const unsent = new Set(['documents.json']);

const toBrotli = promisify(brotliCompress);
const toGzip = promisify(gzip);

/**
 * Writes `.br` and `.gz` beside every file under a folder.
 * @param {string} folder
 * @param {{ first?: Iterable<string>, cache: string }} options `first`: the files that everybody loads first, from the
 *   folder, which are compressed as hard as can be; `cache`: a folder that may vanish at any time
 */
export async function precompress(folder, { first = [], cache }) {
  await mkdir(cache, { recursive: true });
  const hardest = new Set(first);
  const files = await readdir(folder, { recursive: true });
  const wanted = files.filter((file) => compressible.has(extname(file)) && !unsent.has(file));
  await Promise.all(
    wanted.map((file) => compressOne(join(folder, file), hardest.has(file.replaceAll('\\', '/')), cache)),
  );
}

/** Beyond this size few browsers ask for a file, and not at their start. */
const LARGE = 512 * 1024;

/** The last step of quality takes more than twice as long, for two hundredths of the size. The one before that, as long again. */
function qualityOf(size, isFirst) {
  if (size > LARGE) return constants.BROTLI_MAX_QUALITY - 2;
  return isFirst ? constants.BROTLI_MAX_QUALITY : constants.BROTLI_MAX_QUALITY - 1;
}

async function compressOne(path, isFirst, cache) {
  const plain = await readFile(path);
  const quality = qualityOf(plain.length, isFirst);
  const kept = join(cache, `${createHash('sha256').update(plain).digest('hex')}-${quality}`);
  await Promise.all([
    keepAndCopy(`${kept}.br`, `${path}.br`, () =>
      toBrotli(plain, {
        params: {
          [constants.BROTLI_PARAM_QUALITY]: quality,
          [constants.BROTLI_PARAM_SIZE_HINT]: plain.length,
        },
      }),
    ),
    keepAndCopy(`${kept}.gz`, `${path}.gz`, () => toGzip(plain, { level: constants.Z_BEST_COMPRESSION })),
  ]);
}

async function keepAndCopy(kept, target, make) {
  const found = await copyFile(kept, target).then(
    () => true,
    (error) => {
      if (error.code !== 'ENOENT') throw error;
      return false;
    },
  );
  if (found) return;
  const bytes = await make();
  await writeFile(target, bytes);
  // Under another name until it is whole: a build that is killed must leave no half of one.
  const making = `${kept}.${process.pid}`;
  await writeFile(making, bytes);
  await rename(making, kept);
}
