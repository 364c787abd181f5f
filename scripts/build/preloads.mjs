// Which files of the app a screen needs besides what every screen needs: the server names them beside the document, so that
// a browser fetches them with the first ones and not after them.

/** Chambers have their path's name, but for these. */
const CHAMBERS = { dashboard: '/', gate: '/enter' };
const PAGE = /\/chambers\/([\w-]+)\/page\.tsx$/;

/**
 * @param {(import('rolldown').OutputChunk | import('rolldown').OutputAsset)[]} output what the bundler has made of the app
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
  const styles = output.flatMap(({ fileName }) => (fileName.endsWith('.css') ? fileName : []));
  return { app: [...styles, ...initial].map((file) => `/${file}`), ...Object.fromEntries(screens) };
}

/**
 * For Vite: what a dynamic import is to fetch along. Left alone, each names also the files that the importing one had fetched before
 * it, and names are long: nothing in them compresses.
 * @returns {{ plugin: import('vite').Plugin, resolveDependencies: import('vite').ModulePreloadOptions['resolveDependencies'] }}
 */
export function preloadsBesides() {
  /** @type {Map<string, import('rolldown').OutputChunk>} */
  let chunks = new Map();
  return {
    plugin: {
      name: 'latebra:preloads',
      enforce: 'pre',
      apply: 'build',
      generateBundle(_, bundle) {
        chunks = new Map(Object.entries(bundle).filter(([, { type }]) => type === 'chunk'));
      },
    },
    resolveDependencies(file, files, { hostId }) {
      const host = chunks.get(hostId);
      const there = host ? reach([host], chunks) : new Set();
      const besides = files.filter((one) => !there.has(one));
      return besides.length === 1 && besides[0] === file ? [] : besides;
    },
  };
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
