// Compresses once, as hard as can be, what will be sent many times.
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { extname, join } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';

/** woff2 is brotli within; images of pixels are compressed too. */
const compressible = new Set(['.html', '.js', '.css', '.svg', '.txt', '.json', '.wasm', '.asc']);
/** Read by the server alone, never sent. */
const unsent = new Set(['documents.json']);

const toBrotli = promisify(brotliCompress);
const toGzip = promisify(gzip);

/** Writes `.br` and `.gz` beside every file under `folder` that gains by it. */
export async function precompress(folder) {
  const files = await readdir(folder, { recursive: true });
  const wanted = files.filter((file) => compressible.has(extname(file)) && !unsent.has(file));
  await Promise.all(wanted.map((file) => compressOne(join(folder, file))));
}

/** The last step of quality takes ten times as long. Beyond this size few browsers ask for a file, and not at their start. */
const LARGE = 512 * 1024;

async function compressOne(path) {
  const plain = await readFile(path);
  const [brotli, gzipped] = await Promise.all([
    toBrotli(plain, {
      params: {
        [constants.BROTLI_PARAM_QUALITY]:
          plain.length > LARGE ? constants.BROTLI_MAX_QUALITY - 2 : constants.BROTLI_MAX_QUALITY,
        [constants.BROTLI_PARAM_SIZE_HINT]: plain.length,
      },
    }),
    toGzip(plain, { level: constants.Z_BEST_COMPRESSION }),
  ]);
  await Promise.all([writeFile(`${path}.br`, brotli), writeFile(`${path}.gz`, gzipped)]);
}
