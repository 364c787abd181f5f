// Renders the documents that need no app, with stylesheets of their own and cuts of the fonts. Three steps: render
// the markup, read from it which styles and letters are used, render again around them.
import { createHash } from 'node:crypto';
import { cp, mkdir, writeFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { pathToFileURL } from 'node:url';
import tailwind from '@tailwindcss/vite';
import { build } from 'vite';
import { cutFonts } from './fonts.mjs';
import { lettersByFace } from './letters.mjs';

/** Faces of the first view, fetched before the stylesheet asks for them. */
const preloaded = ['display', 'display-italic', 'text', 'machine'];

/**
 * @param {string} root the repository
 * @param {string} work a folder for what is needed on the way
 * @param {Record<string, import('./page-scripts.mjs').PageScript>} scripts by the names of the pages' stylesheets
 * @returns {Promise<{index: Record<string, {styleHashes: string[]}>, desk: string, writeInto: (web: string, fill: (page: string) => string) => Promise<void>}>}
 */
export async function buildDocuments(root, work, scripts) {
  const { renderBodies, renderDesk, renderDocument } = await buildRenderer(root, work);
  const bodies = renderBodies();
  const cut = (some) =>
    cutFonts(
      unite(some.map(({ markup }) => lettersByFace(markup))),
      join(root, 'node_modules/.cache/latebra-fonts'),
    );
  // Long texts have letters that the others need not carry.
  const [sheets, short, long] = await Promise.all([
    buildSheets(root, work, bodies),
    cut(bodies.filter(({ long }) => !long)),
    cut(bodies.filter(({ long }) => long)),
  ]);
  const index = {};
  const documents = bodies.map(({ file, sheet, markup, long: isLong }) => {
    const own = new Set(lettersByFace(markup).keys());
    if (own.has('text')) own.add('figures');
    const faces = (isLong ? long : short).filter(({ face }) => own.has(face));
    const css = faces.map(faceRule).join('') + sheets.get(sheet);
    const preload = faces.filter(({ face }) => preloaded.includes(face)).map(({ name }) => `/assets/${name}`);
    index[file] = { styleHashes: [`sha256-${createHash('sha256').update(css).digest('base64')}`] };
    const page = renderDocument(file, {
      ...{ icon: '/favicon.svg', preload, css, script: scripts[sheet] },
      look: scripts.look.script,
    });
    refuseInline(file, page);
    return { file, page };
  });
  const desk = renderDesk();
  refuseInline('the desk', desk);
  return {
    index,
    desk,
    async writeInto(web, fill) {
      await mkdir(join(web, 'assets'), { recursive: true });
      await cp(join(work, 'renderer/assets'), join(web, 'assets'), { recursive: true });
      await Promise.all([
        ...documents.map(({ file, page }) => writeFile(join(web, file), fill(page))),
        ...[...short, ...long].map(({ name, bytes }) => writeFile(join(web, 'assets', name), bytes)),
      ]);
    },
  };
}

async function buildRenderer(root, work) {
  await build({
    configFile: false,
    root: join(root, 'src/web'),
    logLevel: 'warn',
    publicDir: false,
    build: {
      ssr: 'prerender.tsx',
      // The pictures of the documents; the content policy takes none in a data: address.
      ssrEmitAssets: true,
      assetsInlineLimit: 0,
      outDir: join(work, 'renderer'),
      emptyOutDir: true,
      target: 'node20',
      minify: false,
      rolldownOptions: {
        checks: { pluginTimings: false },
        output: { format: 'es', entryFileNames: 'prerender.mjs' },
      },
    },
  });
  return import(pathToFileURL(join(work, 'renderer/prerender.mjs')).href);
}

/** The stylesheets by their names, each holding what its documents' markup uses and no more. */
async function buildSheets(root, work, bodies) {
  const sources = join(work, 'sheets');
  await mkdir(sources, { recursive: true });
  const styles = (name) => relative(sources, join(root, 'src/web/styles', name));
  const names = [...new Set(bodies.map(({ sheet }) => sheet))];
  return new Map(
    await Promise.all(
      names.map(async (name) => {
        const entry = join(sources, `${name}.css`);
        const markup = bodies.filter(({ sheet }) => sheet === name).map((body) => body.markup);
        await writeFile(join(sources, `${name}.html`), markup.join('\n'));
        const themed = bodies.some((body) => body.sheet === name && body.themed);
        const imports = ['documents.css', ...(themed ? ['themes.css'] : [])];
        await writeFile(
          entry,
          `${imports.map((file) => `@import "${styles(file)}";\n`).join('')}@source "./${name}.html";\n`,
        );
        return [name, await buildSheet(sources, entry)];
      }),
    ),
  );
}

async function buildSheet(root, entry) {
  const { output } = await build({
    configFile: false,
    root,
    logLevel: 'warn',
    publicDir: false,
    plugins: [tailwind()],
    build: { write: false, rolldownOptions: { checks: { pluginTimings: false }, input: entry } },
  });
  const sheet = output.find(({ fileName }) => fileName.endsWith('.css'));
  if (!sheet) throw new Error(`no stylesheet came of ${entry}`);
  return String(sheet.source).trim();
}

function unite(maps) {
  const all = new Map();
  for (const map of maps) {
    for (const [face, letters] of map) all.set(face, new Set([...(all.get(face) ?? []), ...letters]));
  }
  return all;
}

function faceRule({ name, css }) {
  return `@font-face{${css};font-display:swap;src:url(/assets/${name}) format("woff2")}`;
}

/** The content policy refuses them, and nobody would notice before a reader did. */
function refuseInline(file, page) {
  if (/<[^>]+\sstyle="/.test(page))
    throw new Error(`${file} has a style attribute, which the content policy refuses`);
  const scripts = page.match(/<script[^>]*>[^<]*/gi) ?? [];
  if (
    scripts.some((script) => !/^<script (?:type="module" )?src="\/assets\/[\w.-]+\.js"[^>]*>$/.test(script))
  )
    throw new Error(`${file} has an inline script, which the content policy refuses`);
}
