// Which files of the app a screen needs besides what every screen needs: the server names them beside the document, so that
// a browser fetches them with the first ones and not after them.

/** Chambers have their path's name, but for these. */
const CHAMBERS = { dashboard: '/', gate: '/enter' };
const PAGE = /\/chambers\/([\w-]+)\/page\.tsx$/;

/**
 * @param {import('rolldown').OutputChunk[]} output what the bundler has made of the app
 * @returns {Record<string, string[]>} by the first segment of a screen's path, the addresses of its modules
 */
export function preloadsOf(output) {
  const chunks = new Map(
    output.filter(({ type }) => type === 'chunk').map((chunk) => [chunk.fileName, chunk]),
  );
  const initial = reach(
    [...chunks.values()].filter(({ isEntry }) => isEntry),
    chunks,
  );
  const screens = [...chunks.values()].flatMap((chunk) => {
    const chamber = PAGE.exec(chunk.facadeModuleId ?? '')?.[1];
    if (!chamber) return [];
    const files = [...reach([chunk], chunks)].filter((file) => !initial.has(file)).sort();
    return [[CHAMBERS[chamber] ?? `/${chamber}`, files.map((file) => `/${file}`)]];
  });
  if (screens.length === 0) throw new Error('no screen has a file of its own');
  return Object.fromEntries(screens);
}

/** The files that these chunks and all that they import are in. */
function reach(from, chunks) {
  const files = new Set();
  const open = [...from];
  for (let chunk = open.pop(); chunk; chunk = open.pop()) {
    if (files.has(chunk.fileName)) continue;
    files.add(chunk.fileName);
    open.push(...chunk.imports.map((file) => chunks.get(file)).filter(Boolean));
  }
  return files;
}
