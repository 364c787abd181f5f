// The reference for files: a server that writes each body to a file of its own and waits for the disk, and nothing else.
import { createWriteStream, mkdtempSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';

const folder = process.env.BENCH_FOLDER ?? mkdtempSync(join(tmpdir(), 'latebra-bare-'));
let count = 0;
const allowed = { 'access-control-allow-origin': '*', 'access-control-allow-methods': 'PUT' };

const server = createServer(async (request, response) => {
  if (request.method === 'PUT') {
    count += 1;
    await pipeline(request, createWriteStream(join(folder, String(count)), { flush: true }));
  }
  response.writeHead(204, allowed).end();
});
server.listen(0, '127.0.0.1', () => {
  process.stdout.write(`http://localhost:${server.address().port}\n`);
});
process.once('SIGTERM', () => process.exit());
