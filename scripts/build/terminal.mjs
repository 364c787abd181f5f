// Builds the terminal for the landing page: a script of a few hundred bytes that waits for a press, and what it fetches
// then. The app has its own build of the same sources: a shared one would begin the app wherever the terminal is opened.
import { createHash } from 'node:crypto';
import { cp, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import tailwind from '@tailwindcss/vite';
import react from '@vitejs/plugin-react';
import { build } from 'vite';

/** What the landing page loads before anybody has pressed anything, in bytes. */
const SCRIPT_MAX = 1024;

/**
 * @typedef {object} TerminalAssets
 * @property {string} script what the page loads at once
 * @property {string} module what a press fetches
 * @property {string} styles the stylesheet that it brings
 */

/**
 * @param {string} root the repository
 * @param {string} work a folder for what is needed on the way
 * @returns {Promise<{addresses: TerminalAssets, writeInto: (web: string) => Promise<void>}>}
 */
export async function buildTerminal(root, work) {
  const outDir = join(work, 'terminal');
  const [code, { module, styles }] = await Promise.all([buildScript(root), buildModule(root, outDir)]);
  const script = `/assets/landing-${createHash('sha256').update(code).digest('hex').slice(0, 8)}.js`;
  return {
    addresses: { script, module, styles },
    async writeInto(web) {
      await cp(join(outDir, 'assets'), join(web, 'assets'), { recursive: true });
      await writeFile(join(web, script), code);
    },
  };
}

/** As a library: for an app the bundler adds a loader that is larger than the whole script. */
async function buildScript(root) {
  const [{ output }] = await build({
    configFile: false,
    root: join(root, 'src/web'),
    logLevel: 'warn',
    publicDir: false,
    build: {
      write: false,
      minify: true,
      lib: { entry: join(root, 'src/web/terminal/landing.ts'), formats: ['es'], fileName: 'landing' },
      rolldownOptions: { output: { minify: true } },
    },
  });
  const { code } = output[0];
  if (code.length > SCRIPT_MAX || output.length > 1) {
    throw new Error(`the script of the landing page has ${code.length} bytes, more than ${SCRIPT_MAX}`);
  }
  return code;
}

async function buildModule(root, outDir) {
  const { output } = await build({
    configFile: false,
    root: join(root, 'src/web'),
    logLevel: 'warn',
    publicDir: false,
    plugins: [react(), tailwind()],
    build: {
      outDir,
      emptyOutDir: true,
      modulePreload: { polyfill: false },
      assetsInlineLimit: 0,
      reportCompressedSize: false,
      rolldownOptions: {
        input: {
          terminal: join(root, 'src/web/terminal/open-terminal.tsx'),
          'terminal-styles': join(root, 'src/web/styles/terminal.css'),
        },
        preserveEntrySignatures: 'exports-only',
        checks: { pluginTimings: false },
      },
    },
  });
  const module = output.find(({ type, name, isEntry }) => type === 'chunk' && isEntry && name === 'terminal');
  const styles = output.find(({ fileName }) => /^assets\/terminal-styles-[^/]*\.css$/.test(fileName));
  if (!module || !styles) throw new Error('the terminal has no script or no styles');
  return { module: `/${module.fileName}`, styles: `/${styles.fileName}` };
}
