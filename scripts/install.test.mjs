// What somebody is told whose registry does not answer, with the npm that is here and nothing of the network.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { InstallProblem, installPackages } from './install.mjs';

// npm takes its time on a busy machine.
vi.setConfig({ testTimeout: 120_000 });

let root;
let silent;
let sockets;
beforeEach(async () => {
  root = mkdtempSync(join(tmpdir(), 'latebra-install-'));
  // It takes connections and says nothing, like a network that loses everything.
  sockets = new Set();
  silent = createServer((socket) => sockets.add(socket.on('error', () => {})));
  await new Promise((resolve) => silent.listen(0, '127.0.0.1', resolve));
  const packages = {
    '': { name: 'house', version: '1.0.0', dependencies: { wouter: '3.13.0' } },
    'node_modules/wouter': { version: '3.13.0', integrity: `sha512-${'A'.repeat(86)}==` },
  };
  writeFileSync(
    join(root, 'package.json'),
    JSON.stringify({ name: 'house', version: '1.0.0', dependencies: { wouter: '3.13.0' } }),
  );
  writeFileSync(
    join(root, 'package-lock.json'),
    JSON.stringify({ name: 'house', version: '1.0.0', lockfileVersion: 3, requires: true, packages }),
  );
  vi.stubEnv('npm_config_cache', join(root, 'cache'));
  vi.stubEnv('npm_config_registry', `http://127.0.0.1:${silent.address().port}/`);
});
afterEach(async () => {
  vi.unstubAllEnvs();
  for (const socket of sockets) socket.destroy();
  await new Promise((resolve) => silent.close(resolve));
  rmSync(root, { recursive: true, force: true, maxRetries: 5 });
});

it('tells of a registry that does not answer, where npm would wait for minutes', async () => {
  const told = [];
  const problem = await installPackages(root, false, (done, of) => told.push(`${done} of ${of}`)).catch(
    (error) => error,
  );
  expect(problem).toBeInstanceOf(InstallProblem);
  expect(problem.message).toBe('The package registry does not answer.');
  expect([...new Set(told)]).toEqual(['0 of 1']);
});
