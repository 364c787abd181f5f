// Reads the configuration as the server will, before anything is built: a mistake in it is told within a second.
import { runBundled } from './run-bundled.mjs';

const { ConfigError, readConfig } = await runBundled('src/server/config.ts');
try {
  readConfig(process.env);
} catch (error) {
  if (!(error instanceof ConfigError)) throw error;
  process.stderr.write(`\n${error.message}\n\n`);
  process.exitCode = 1;
}
