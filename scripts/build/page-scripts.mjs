// Builds what the pre-rendered pages load: for each a script of about a kilobyte that waits, and the modules and the stylesheet
// that it fetches when somebody wants more of the page. The app has its own build of the same sources: a shared one would
// begin the app wherever one of these is opened.
import { createHash } from 'node:crypto';
import { cp, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import tailwind from '@tailwindcss/vite';
import react from '@vitejs/plugin-react';
import { build } from 'vite';

/** What a page loads before anybody has pressed anything, in bytes, unless it says otherwise. */
const SCRIPT_MAX = 1536;

/** By the name of the page's stylesheet, its sources under src/web. A page without a module has all in its script. */
const PAGES = {
  landing: {
    script: 'chambers/landing/script.ts',
    module: 'terminal/open-terminal.tsx',
    styles: 'styles/terminal.css',
    later: 'chambers/landing/open-example.ts',
  },
  'black-scroll': {
    script: 'chambers/black-scroll/script.ts',
    module: 'chambers/black-scroll/islands.tsx',
    styles: 'styles/black-scroll.css',
  },
  // It asks how the link stands, and opens the words on a press: cryptography that the browser has, and no framework.
  share: {
    script: 'chambers/share/script.ts',
    module: 'chambers/share/later.ts',
    styles: 'styles/share.css',
    max: 24 * 1024,
  },
  // It fetches the app, which has a build of its own: `OF_THE_APP` stands for its files until that is done.
  gate: { script: 'chambers/gate/script.ts', max: 2560, ofTheApp: true },
  // What somebody has chosen of the app's look, before the first paint: it waits for nothing and brings nothing.
  look: { script: 'ui/first-look.ts', classic: true },
  // Nor does this one, which shows the desk before the app has come.
  desk: { script: 'chambers/dashboard/script.ts', classic: true },
  // It does one thing, at once, and brings the loader of the payment provider's script.
  pay: { script: 'chambers/pay/script.ts', max: 12 * 1024 },
};

/** What stands in a document for files of the app. */
const OF_THE_APP = { module: '{module}', styles: '{styles}', later: '{later}' };

/**
 * @param {string} page a document
 * @param {Record<string, string[]>} preloads of the app (preloads.mjs)
 * @returns {string} with the app's own files in it, and those of the screen at `/enter`
 */
export function fillIn(page, preloads) {
  const isScript = (file) => file.endsWith('.js');
  const [module, ...others] = preloads.app.filter(isScript);
  const styles = preloads.app.find((file) => !isScript(file));
  if (!module || !styles) throw new Error('the app has no entry or no styles');
  return page
    .replace(OF_THE_APP.module, module)
    .replace(OF_THE_APP.styles, styles)
    .replace(OF_THE_APP.later, [module, ...others, ...(preloads['/enter'] ?? [])].filter(isScript).join(' '));
}

/**
 * @param {string} page the app's document
 * @param {string} script the address of the script of its look
 * @returns {string} with that script in its head, before its styles
 */
export function withLook(page, script) {
  const [before, after] = page.split('<title>');
  if (after === undefined) throw new Error('the document has no title');
  return `${before}<script src="${script}"></script>\n    <title>${after}`;
}

/**
 * @param {string} page the app's document
 * @param {string} desk what it may show before the app has come
 * @param {string} script the address of the script that shows it, and then begins the app
 * @returns {string} with both at its end
 */
export function withDesk(page, desk, script) {
  const begins = /<script type="module" crossorigin src="([^"]+)"><\/script>/;
  const [, app] = begins.exec(page) ?? [];
  const [before, after] = page
    .replace(begins, `<link rel="modulepreload" crossorigin href="${app}">`)
    .split('  </body>');
  if (!app || after === undefined) throw new Error('the document has no script, or no end');
  const both = `<template data-desk>${desk}</template>\n    <script src="${script}" data-app="${app}"></script>`;
  return `${before}    ${both}\n  </body>${after}`;
}

const WITH_MODULES = Object.entries(PAGES).filter(([, { module }]) => module !== undefined);

/**
 * @typedef {object} PageScript
 * @property {string} script what the page loads at once
 * @property {string} [module] what that fetches
 * @property {string} [styles] the stylesheet that comes with it
 * @property {string} [later] what it needs besides, parted by spaces, or fetches for something else
 */

/**
 * @param {string} root the repository
 * @param {string} work a folder for what is needed on the way
 * @returns {Promise<{addresses: Record<string, PageScript>, writeInto: (web: string) => Promise<void>}>}
 */
export async function buildPageScripts(root, work) {
  const outDir = join(work, 'page-scripts');
  const [scripts, modules] = await Promise.all([
    Promise.all(Object.entries(PAGES).map(([name, page]) => buildScript(root, name, page))),
    buildModules(root, outDir),
  ]);
  return {
    addresses: Object.fromEntries(
      scripts.map(({ name, address }) => [
        name,
        { script: address, ...modules[name], ...(PAGES[name].ofTheApp && OF_THE_APP) },
      ]),
    ),
    async writeInto(web) {
      await cp(join(outDir, 'assets'), join(web, 'assets'), { recursive: true });
      await Promise.all(scripts.map(({ address, code }) => writeFile(join(web, address), code)));
    },
  };
}

/** As a library: for an app the bundler adds a loader that is larger than the whole script. */
async function buildScript(root, name, { script: entry, max = SCRIPT_MAX, classic = false }) {
  const [{ output }] = await build({
    configFile: false,
    root: join(root, 'src/web'),
    logLevel: 'warn',
    publicDir: false,
    build: {
      write: false,
      minify: true,
      lib: { entry: join(root, 'src/web', entry), formats: ['es'], fileName: name },
      rolldownOptions: { output: { minify: true } },
    },
  });
  // Its names are its own also where it is no module.
  const code = classic ? `{${output[0].code}}` : output[0].code;
  if (code.length > max || output.length > 1) {
    throw new Error(`the script of ${name} has ${code.length} bytes, more than ${max}`);
  }
  const digest = createHash('sha256').update(code).digest('hex').slice(0, 8);
  return { name, code, address: `/assets/${name}-${digest}.js` };
}

async function buildModules(root, outDir) {
  const at = (path) => join(root, 'src/web', path);
  const entries = WITH_MODULES.flatMap(([name, { module, styles, later }]) => [
    [`${name}-module`, at(module)],
    [`${name}-styles`, at(styles)],
    ...(later ? [[`${name}-later`, at(later)]] : []),
  ]);
  const { output } = await build({
    configFile: false,
    root: join(root, 'src/web'),
    logLevel: 'warn',
    publicDir: false,
    plugins: [react(), tailwind()],
    worker: { format: 'es' },
    build: {
      outDir,
      emptyOutDir: true,
      modulePreload: { polyfill: false },
      assetsInlineLimit: 0,
      reportCompressedSize: false,
      rolldownOptions: {
        input: Object.fromEntries(entries),
        preserveEntrySignatures: 'exports-only',
        checks: { pluginTimings: false },
      },
    },
  });
  return Object.fromEntries(
    WITH_MODULES.map(([name, page]) => {
      const entry = (part) =>
        output.find((made) => made.type === 'chunk' && made.isEntry && made.name === `${name}-${part}`);
      const [module, later] = [entry('module'), entry('later')];
      const styles = output.find(
        ({ fileName }) => fileName.startsWith(`assets/${name}-styles-`) && fileName.endsWith('.css'),
      );
      if (!module || !styles || (page.later && !later)) throw new Error(`${name} has no module or no styles`);
      return [
        name,
        {
          module: `/${module.fileName}`,
          styles: `/${styles.fileName}`,
          ...(later && { later: `/${later.fileName}` }),
        },
      ];
    }),
  );
}
