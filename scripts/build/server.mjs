// The server's programs, each in one file beside what they share.
import { fileURLToPath } from 'node:url';
import { build } from 'vite';

/**
 * Builds them.
 * @param outDir is emptied first
 * @param more further programs, by the name of the file that is made: theirs in src/
 * @param options whether each has a map of where it was written
 */
export async function buildServer(outDir, more = {}, { sourcemap = false } = {}) {
  await build({
    configFile: false,
    root: fileURLToPath(new URL('../..', import.meta.url)),
    logLevel: 'warn',
    publicDir: false,
    // What every start needs goes into the bundle: it starts twice as fast as looking up hundreds of files. Left outside
    // are the native database, the log (its worker loads files of its own), and what is loaded late, if at all.
    ssr: {
      noExternal: true,
      external: [
        '@photostructure/sqlite',
        'pg',
        'pino',
        'stripe',
        'openid-client',
        '@noble/post-quantum',
        // It brings a version of its own of the one before.
        'age-encryption',
        'nodemailer',
        'openpgp',
      ],
    },
    build: {
      ssr: true,
      outDir,
      emptyOutDir: true,
      target: 'node20',
      minify: false,
      sourcemap,
      rolldownOptions: {
        checks: { pluginTimings: false },
        // The workers are programs of their own, which the server starts as threads. The walkthrough prints the puzzle,
        // confirm-switch ends a pause, and heir prints a page for those who come after the administrator.
        input: {
          main: 'src/server/main.ts',
          'holder-worker': 'src/server/adapters/holder-worker.ts',
          'loom-worker': 'src/server/adapters/loom-worker.ts',
          walkthrough: 'src/server/walkthrough.ts',
          'confirm-switch': 'src/server/confirm-switch.ts',
          heir: 'src/server/heir.ts',
          ...more,
        },
        output: { format: 'es', entryFileNames: '[name].js', chunkFileNames: '[name]-[hash].js' },
      },
    },
  });
}
