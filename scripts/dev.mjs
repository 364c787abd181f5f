// Development: the server with the last build, and Vite in front of it with live sources on port 5173.
import { spawn } from 'node:child_process';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const children = [
  spawn(process.execPath, ['--watch', join(root, 'dist', 'server', 'main.js')], {
    cwd: root,
    stdio: 'inherit',
  }),
  spawn(join(root, 'node_modules', '.bin', 'vite'), [], { cwd: root, stdio: 'inherit' }),
];

function stop() {
  for (const child of children) child.kill('SIGTERM');
}
process.on('SIGINT', stop);
process.on('SIGTERM', stop);
for (const child of children) child.on('exit', stop);
