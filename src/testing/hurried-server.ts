// The server as a program whose switch ticks ten times a second. Everything else is as in main.ts.
import { fileURLToPath } from 'node:url';
import { readConfig } from '../server/config.ts';
import { createLog } from '../server/log.ts';
import { startInstance } from '../server/start.ts';
import { hurriedRules } from './hurried-rules.ts';

const config = readConfig(process.env);
const instance = await startInstance({
  config,
  log: createLog(config.logLevel),
  version: '0.0.0-test',
  webRoot: fileURLToPath(new URL('../web', import.meta.url)),
  rules: hurriedRules,
});
process.stdout.write(`listens at http://localhost:${instance.port}\n`);
process.once('SIGTERM', () => void instance.stop().then(() => process.exit(0)));
