// That a page counts as quiet also where a worker was ended while a part of it was on its way.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, test } from './instance.ts';
import { untilQuiet } from './traffic.ts';

const SCRIPT = { 'content-type': 'text/javascript' };

test('what a worker was fetching when it was ended is not waited for', async ({ page }) => {
  // What the worker imports never comes.
  const server = createServer(({ url }, answer) => {
    if (url === '/worker.js') answer.writeHead(200, SCRIPT).end('import "/never.js";');
    else if (url === '/page.js')
      answer.writeHead(200, SCRIPT).end('window.worker = new Worker("/worker.js", { type: "module" });');
    else if (url !== '/never.js')
      answer.writeHead(200, { 'content-type': 'text/html' }).end('<script src="/page.js"></script>');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const asked = page.waitForEvent('request', (request) => request.url().endsWith('/never.js'));
  await page.goto(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
  await asked;
  const [worker] = page.workers();
  const closed = worker?.waitForEvent('close');
  await page.evaluate('worker.terminate()');
  await closed;
  await untilQuiet(page);
  expect(page.workers()).toEqual([]);
  server.closeAllConnections();
  server.close();
});
