// Gives players of a page the sealed files that the page opens, range by range: players ask for ranges of an address alone, and only
// a service worker can answer for one. It has no key, keeps nothing, and holds nothing between two requests, so that the browser may
// end it at any time. Whatever is no player's request for /media/ goes to the network as if it were not there.

/** What a page's file is asked for under: a number that the page has drawn. */
const FILE = /^\/media\/([\w-]{22})$/;
/** A player of some browsers does not say that it is one. Never a document: what is sealed must not become a page. */
const PLAYERS = ['audio', 'video', ''];

self.addEventListener('install', () => self.skipWaiting());
self.addEventListener('activate', (event) => event.waitUntil(self.clients.claim()));
// A page that was loaded past the cache is nobody's: it asks to be taken.
self.addEventListener('message', (event) => {
  if (event.data === 'claim') event.waitUntil(self.clients.claim());
});

self.addEventListener('fetch', (event) => {
  const { request, clientId } = event;
  const { origin, pathname } = new URL(request.url);
  const file = origin === self.location.origin ? FILE.exec(pathname)?.[1] : undefined;
  if (!file || request.mode === 'navigate' || !PLAYERS.includes(request.destination)) return;
  event.respondWith(answer(event, (from) => askPage(clientId, file, from)));
});

/**
 * Asks the page that plays a file for bytes of it from one on.
 * @returns its whole length, its type, and as many bytes as the page gives at once; none behind its end
 */
async function askPage(clientId, file, from) {
  const page = await self.clients.get(clientId);
  if (!page) throw new Error('The page is gone');
  return new Promise((resolve, reject) => {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = ({ data }) => {
      port1.close();
      if (data.bytes) resolve(data);
      else reject(new Error('It was not opened'));
    };
    page.postMessage({ file, from }, [port2]);
  });
}

/** Answers with exactly the range that is asked for: Safari takes nothing else. */
async function answer(event, read) {
  const range = event.request.headers.get('range');
  const [, first = '0', last = ''] = /^bytes=(\d+)-(\d*)$/.exec(range ?? '') ?? [];
  const from = Number(first);
  let piece;
  try {
    piece = await read(from);
  } catch {
    return new Response(null, { status: 404 });
  }
  const { total, type } = piece;
  const to = last === '' ? total : Math.min(Number(last) + 1, total);
  if (from >= to)
    return new Response(null, { status: 416, headers: { 'content-range': `bytes */${total}` } });
  let at = from;
  let end;
  // The browser must not end this worker while it answers.
  event.waitUntil(
    new Promise((resolve) => {
      end = resolve;
    }),
  );
  const body = new ReadableStream({
    async pull(controller) {
      try {
        const { bytes } = piece ?? (await read(at));
        piece = null;
        if (bytes.length === 0) throw new Error('It ended too early');
        const part = bytes.subarray(0, to - at);
        at += part.length;
        controller.enqueue(part);
        if (at < to) return;
        controller.close();
      } catch (error) {
        controller.error(error);
      }
      end();
    },
    cancel: () => end(),
  });
  return new Response(body, {
    status: range === null ? 200 : 206,
    headers: {
      'accept-ranges': 'bytes',
      'cache-control': 'no-store',
      'content-length': String(to - from),
      'content-security-policy': "default-src 'none'; sandbox",
      'content-type': type,
      'x-content-type-options': 'nosniff',
      ...(range !== null && { 'content-range': `bytes ${from}-${to - 1}/${total}` }),
    },
  });
}
