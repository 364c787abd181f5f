// The reference for notes that burn: a Hono route with nothing around it that keeps each note in a file of its own and
// removes it when it is read. Nothing is flushed to the disk, and no page is overwritten.
import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { readFile, unlink, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { getRequestListener } from '@hono/node-server';
import { Hono } from 'hono';

const folder = mkdtempSync(join(tmpdir(), 'latebra-bench-notes-'));
const app = new Hono();
app.post('/notes', async (c) => {
  const id = randomBytes(16).toString('hex');
  const note = { ...(await c.req.json()), createdAt: Date.now() };
  await writeFile(join(folder, id), JSON.stringify(note));
  return c.json({ id }, 201);
});
app.post('/notes/:id/read', async (c) => {
  const file = join(folder, c.req.param('id'));
  const note = await readFile(file, 'utf8');
  await unlink(file);
  return c.body(note, 200, { 'Content-Type': 'application/json' });
});

const server = createServer(getRequestListener(app.fetch));
server.listen(0, '127.0.0.1', () => process.stdout.write(`http://localhost:${server.address().port}\n`));
process.on('SIGTERM', () => {
  rmSync(folder, { recursive: true, force: true });
  process.exit(0);
});
