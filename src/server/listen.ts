// Opens a server's port, and closes it once what is under way has been answered.
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Config } from './config.ts';
import { StartProblem } from './errors.ts';

/** Milliseconds. */
const DRAIN_MS = 10_000;

/** @returns the port @throws StartProblem */
export function listen(server: Server, { port, host }: Config): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => {
      reject(
        error.code === 'EADDRINUSE'
          ? new StartProblem(`Port ${port} is already in use. Set PORT to another one.`)
          : new StartProblem(`The server cannot listen on ${host}:${port}: ${error.message}`),
      );
    });
    server.listen(port, host, () => resolve((server.address() as AddressInfo).port));
  });
}

/** Lets running requests finish, for ten seconds at most. */
export function close(server: Server): Promise<void> {
  return new Promise((resolve) => {
    const force = setTimeout(() => server.closeAllConnections(), DRAIN_MS);
    // A connection that has had its last answer stays open otherwise, until the browser lets go of it.
    const release = setInterval(() => server.closeIdleConnections(), 20);
    server.close(() => {
      clearTimeout(force);
      clearInterval(release);
      resolve();
    });
  });
}
