// That a page counts as quiet also where a worker was ended while its script was on its way.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { test } from './instance.ts';
import { untilQuiet } from './traffic.ts';

test('the script of a worker that was ended before it came is not waited for', async ({ page }) => {
  // That of the worker never comes.
  const server = createServer(({ url }, answer) => {
    if (url === '/page.js')
      answer
        .writeHead(200, { 'content-type': 'text/javascript' })
        .end('window.worker = new Worker("/sealing-worker.js", { type: "module" });');
    else if (url !== '/sealing-worker.js')
      answer.writeHead(200, { 'content-type': 'text/html' }).end('<script src="/page.js"></script>');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const asked = page.waitForEvent('request', (request) => request.url().endsWith('/sealing-worker.js'));
  await page.goto(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
  await asked;
  await page.evaluate('worker.terminate()');
  await untilQuiet(page);
  server.closeAllConnections();
  server.close();
});
