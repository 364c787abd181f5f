import { readConfig } from '../server/config.ts';
import { createLog } from '../server/log.ts';
import { type RunningInstance, startInstance } from '../server/start.ts';

/**
 * A server in this process that listens on a port of its own and writes no log.
 * @param env its settings, the data folder among them
 */
export const startListening = (
  env: Record<string, string | undefined>,
  webRoot: string,
): Promise<RunningInstance> =>
  startInstance({
    config: readConfig({ PORT: '0', LOG_LEVEL: 'silent', ...env }),
    log: createLog('silent'),
    version: '0.0.0-test',
    webRoot,
  });
