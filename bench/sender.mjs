// Sends a list of requests once each over a few connections, and reads their answers: autocannon repeats one request, but
// a note burns once.
import { connect } from 'node:net';

const END_OF_HEAD = '\r\n\r\n';

function textOf({ method, path, headers = {}, body = '' }, host) {
  const lines = Object.entries({ host, 'content-length': Buffer.byteLength(body), ...headers });
  return `${method} ${path} HTTP/1.1\r\n${lines.map(([name, value]) => `${name}: ${value}\r\n`).join('')}\r\n${body}`;
}

/**
 * @param origin such as `http://localhost:3000`
 * @param list requests: `{ method, path, headers, body }`
 * @returns how many were answered in a second, and the bodies of their answers in the same order
 * @throws Error for an answer that refuses
 */
export async function sendAll(origin, list, connections = 10) {
  const { hostname, port, host } = new URL(origin);
  const requests = list.map((request) => textOf(request, host));
  const bodies = new Array(list.length);
  let next = 0;
  const began = performance.now();
  const one = () =>
    new Promise((resolve, reject) => {
      const socket = connect(Number(port), hostname);
      socket.setNoDelay(true);
      let received = '';
      let under = -1;
      const send = () => {
        if (next >= requests.length) return void socket.end();
        under = next;
        next += 1;
        socket.write(requests[under]);
      };
      socket.setEncoding('latin1');
      socket.on('connect', send);
      socket.on('data', (chunk) => {
        received += chunk;
        const head = received.indexOf(END_OF_HEAD);
        if (head < 0) return;
        const length = Number(/content-length: (\d+)/i.exec(received.slice(0, head))?.[1] ?? 0);
        const begin = head + END_OF_HEAD.length;
        if (received.length < begin + length) return;
        const status = Number(received.slice(9, 12));
        if (status >= 400) return void socket.destroy(new Error(`${list[under].path}: ${received}`));
        bodies[under] = received.slice(begin, begin + length);
        received = '';
        send();
      });
      socket.on('error', reject);
      socket.on('close', resolve);
    });
  await Promise.all(Array.from({ length: connections }, one));
  const rate = (list.length * 1000) / (performance.now() - began);
  if (bodies.includes(undefined)) throw new Error(`${origin} has not answered everything.`);
  return { rate, bodies };
}
