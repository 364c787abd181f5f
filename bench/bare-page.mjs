// A page with nothing but a heading: how soon a browser, on this machine, shows anything at all.
import { createServer } from 'node:http';

const BARE =
  '<!doctype html><html lang="en"><title>bare</title><style>html{background:#111;color:#eee}h1{font-size:7rem}</style><h1>Sacred Memory</h1></html>';

/** A server of that page alone. */
export async function serveBarePage() {
  const server = createServer((_, response) => {
    response.setHeader('content-type', 'text/html; charset=utf-8').end(BARE);
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${server.address().port}/`,
    stop() {
      server.closeAllConnections();
      server.close();
    },
  };
}
