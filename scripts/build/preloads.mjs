// Which files of the app a screen needs besides what every screen needs: the server names them beside the document, so that
// a browser fetches them with the first ones and not after them.

/** Chambers have their path's name, but for these. */
const CHAMBERS = { dashboard: '/', gate: '/enter' };
const PAGE = /\/chambers\/([\w-]+)\/page\.tsx$/;

/**
 * @param {import('rolldown').OutputChunk[]} output what the bundler has made of the app
 * @returns {Record<string, string[]>} addresses: the styles and the modules that every screen needs under `app`, and the modules
 *   of each screen by the first segment of its path
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
    const files = [...reach([chunk], chunks)].filter((file) => !initial.has(file)).sort();
    return namesWithin(chunk).map((name) => [name, files.map((file) => `/${file}`)]);
  });
  if (screens.length === 0) throw new Error('no screen has a file of its own');
  const styles = [...initial].flatMap((file) => [...(chunks.get(file)?.viteMetadata?.importedCss ?? [])]);
  return { app: [...styles, ...initial].map((file) => `/${file}`), ...Object.fromEntries(screens) };
}

/** The screens whose modules are in a chunk. */
function namesWithin({ moduleIds }) {
  return moduleIds.flatMap((module) => {
    const chamber = PAGE.exec(module)?.[1];
    return chamber ? [CHAMBERS[chamber] ?? `/${chamber}`] : [];
  });
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
