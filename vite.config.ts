// How the web app is built and served while it is developed. The documents for visitors and the server have builds of
// their own, in scripts/build.mjs.
import { fileURLToPath } from 'node:url';
import tailwind from '@tailwindcss/vite';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';
import { withoutFieldWords } from './scripts/build/field-words.mjs';
import { preloadsBesides } from './scripts/build/preloads.mjs';

const preloads = preloadsBesides();
const at = (path: string) => fileURLToPath(new URL(path, import.meta.url));

export default defineConfig({
  root: at('src/web'),
  publicDir: at('src/web/public'),
  cacheDir: at('node_modules/.cache/vite'),
  plugins: [withoutFieldWords(at('.')), react(), tailwind(), preloads.plugin],
  // The router brings it along for versions of React that have none of their own.
  resolve: { alias: { 'use-sync-external-store/shim/index.js': 'react' } },
  build: {
    outDir: at('dist/web'),
    emptyOutDir: true,
    // The polyfill fetches, which needs no help in any browser that has what this app needs anyway.
    modulePreload: { polyfill: false, resolveDependencies: preloads.resolveDependencies },
    // An asset in a data: address would be refused: the content policy takes fonts and scripts from this origin alone.
    assetsInlineLimit: 0,
    // One stylesheet, which the document names: parts that are fetched later need not.
    cssCodeSplit: false,
    sourcemap: false,
    reportCompressedSize: false,
    rolldownOptions: {
      // What is imported in both ways is in the file that it is in either way: whoever starts a server need not read of it.
      checks: { pluginTimings: false, ineffectiveDynamicImport: false },
      output: {
        // Left alone, the bundler cuts what screens share into many small files, which compress worse and cost a request
        // each. So it comes in few, by when it is needed, each with all that it imports.
        codeSplitting: {
          groups: [
            // Also what somebody finds who is signed in, the vault's gate and the dashboard: nearly every screen needs a
            // part of them.
            { name: 'app', tags: ['$initial'], priority: 5 },
            // What a recipient's page needs, and many others: without what lists need, and the contract's schemas.
            {
              name: 'reading',
              test: /\/web\/(workers|hooks\/(use-heading-focus|use-attempt)|ui\/(text-fields|field|problem|moments|copy-button|reading-text|written-text|paragraphs|markdown\/may-have-markup)|vault\/(key\/stretch-passphrase|sharing\/(secret-link|address-bar|use-secret-link|link-ending)))\.tsx?$|\/src\/vault\/legacy\/letter\.ts$|\/crypto\/(seal|aes-gcm|padding|scroll|passphrase|claim)\.ts$/,
              priority: 4.5,
            },
            // What somebody writes in, and the small parts of the kit.
            {
              name: 'forms',
              test: /\/web\/(hooks\/(?!use-watches-token|use-attempt)[\w-]+|api\/listed|ui\/(form-dialog|choice-fields|date-time-field|confirm-dialog|question|badge|progress-bar|section))\.tsx?$|\/shared\/(counted|local-stamp|addresses)\.ts$|react-visually-hidden/,
              priority: 4,
            },
            {
              name: 'entries',
              test: /\/vault\/(entries\/(collection|entry-dialog|details-shown|search)|session\/drafts|device\/(waiting-count|databases))\.tsx?$/,
              priority: 3,
            },
            // Also where a passphrase is chosen before there is a vault.
            { name: 'strength', test: /\/web\/strength\/[\w-]+\.tsx?$/, priority: 2 },
            // What the chambers of many entries share besides.
            {
              name: 'lists',
              test: /\/(vault\/(entries\/(addresses|changed|days|happened|outside|delete-entry|use-draft|titled-fields|fields|memories|relationships|myths)|book\/vault-list|sharing\/(use-link-options|hand-over-link)|outbox\/link-writer)|ui\/(reading-overlay|search-field))\.tsx?$|\/crypto\/number-beside\.ts$/,
              priority: 1,
            },
            // What splits and combines keys, for sheets and for sisters.
            { name: 'shares', test: /shamir-secret-sharing/, priority: 0 },
            // What writes to the databases of a browser.
            {
              name: 'databases',
              test: /idb-keyval|\/vault\/device\/(strict-database|erasable-store)\.ts$/,
              priority: 0,
            },
            // What a form with files and a gallery share.
            {
              name: 'files',
              test: /\/src\/(vault\/files\/(file-calls|file-source)|vault\/api\/patiently|crypto\/file-root|shared\/nouns\/files)\.ts$|\/files\/file-picture\.tsx$/,
              priority: 0,
            },
            // What opens over a list.
            { name: 'entry-dialogs', test: /\/vault\/entries\/(entry-dialogs|webhooks)\.tsx?$/, priority: 0 },
          ],
        },
      },
    },
  },
  // Each worker in one file: what the app fetches only in its time is there with it.
  worker: {
    format: 'es',
    plugins: () => [withoutFieldWords(at('.'))],
    rolldownOptions: { output: { codeSplitting: false } },
  },
  // While developing, a server that runs on its usual port answers the calls; src/web/api/ has the same first folder. From
  // there comes a one-time link's document too, as it was built last.
  server: {
    port: 5173,
    strictPort: true,
    proxy: { '^/(?:api/[^.]*|share/[^/]+|assets/.*)$': 'http://localhost:3000' },
  },
});
