// Notes that are read once: created and burned, beside a bare route that keeps each one in a file. And a link's seal.
import { join } from 'node:path';
import { noteBody, sealBody } from './hot-calls.mjs';
import { median, memoryBody, root, signUp, startInstance, startProcess } from './instance.mjs';
import { sendAll } from './sender.mjs';

const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 5);
/** How many of each a round creates, and then burns or seals. */
const AMOUNT = 2000;
const PEOPLE = 10;
const json = { 'content-type': 'application/json' };

const asJson = (text) => JSON.parse(text);

export async function measureBurns() {
  const instance = await startInstance();
  const bare = await startProcess(join(root, 'bench', 'bare-notes.mjs'), {});
  const cookies = [];
  for (let n = 0; n < PEOPLE; n += 1) cookies.push(await signUp(instance.url));
  const cookieOf = (n) => cookies[n % PEOPLE];

  const numbers = Array.from({ length: AMOUNT }, (_, n) => n);
  const measured = async (requests) => {
    const before = await instance.metric('latebra_process_cpu_seconds_total');
    const { rate, bodies } = await sendAll(instance.url, requests);
    const after = await instance.metric('latebra_process_cpu_seconds_total');
    return { rate, cpu: ((after - before) * 1000) / requests.length, answers: bodies.map(asJson) };
  };

  async function notes() {
    const create = await measured(
      numbers.map((n) => ({
        method: 'POST',
        path: '/api/ghost-entries',
        headers: { ...json, cookie: cookieOf(n) },
        body: noteBody(),
      })),
    );
    const burn = await measured(
      create.answers.map(({ id }, n) => ({
        method: 'POST',
        path: `/api/ghost-entries/${id}/read`,
        headers: { cookie: cookieOf(n) },
      })),
    );
    const bareCreate = await sendAll(
      bare.url,
      numbers.map(() => ({ method: 'POST', path: '/notes', headers: json, body: noteBody() })),
    );
    const bareBurn = await sendAll(
      bare.url,
      bareCreate.bodies.map((body) => ({ method: 'POST', path: `/notes/${asJson(body).id}/read` })),
    );
    return {
      create: { ...create, share: create.rate / bareCreate.rate, bare: bareCreate.rate },
      burn: { ...burn, share: burn.rate / bareBurn.rate, bare: bareBurn.rate },
    };
  }

  async function seals() {
    const memories = await measured(
      cookies.map((cookie) => ({
        method: 'POST',
        path: '/api/memory-entries',
        headers: { ...json, cookie },
        body: memoryBody(),
      })),
    );
    const reserved = await measured(
      numbers.map((n) => ({
        method: 'POST',
        path: '/api/shareable-keys',
        headers: { ...json, cookie: cookieOf(n) },
        body: JSON.stringify({ entryType: 'memory', entryId: memories.answers[n % PEOPLE].id }),
      })),
    );
    return measured(
      reserved.answers.map(({ id }, n) => ({
        method: 'PUT',
        path: `/api/shareable-keys/${id}/seal`,
        headers: { ...json, cookie: cookieOf(n) },
        body: sealBody(),
      })),
    );
  }

  const found = { create: [], burn: [], seal: [] };
  for (let round = 0; round <= ROUNDS; round += 1) {
    const { create, burn } = await notes();
    const seal = await seals();
    // The first one warms up.
    if (round === 0) continue;
    found.create.push(create);
    found.burn.push(burn);
    found.seal.push(seal);
  }
  const rss = (await instance.metric('latebra_process_resident_memory_bytes')) / 2 ** 20;
  await bare.stop();
  await instance.stop();

  const of = (kind, field) => median(found[kind].map((each) => each[field]));
  const rate = (kind, what, wanted) => ({
    what: `${what}, share of the rate of a bare route that keeps it in a file, without flushing it`,
    measured: `${Math.round(of(kind, 'share') * 100)} % (${Math.round(of(kind, 'rate')).toLocaleString('en-GB')}/s)`,
    target: `≥ ${Math.round(wanted * 100)} %`,
    met: of(kind, 'share') >= wanted,
  });
  const cpu = (kind, what) => ({
    what: `${what}, server CPU a request`,
    measured: `${of(kind, 'cpu').toFixed(2)} ms`,
    target: '≤ 0.20 ms',
    met: of(kind, 'cpu') <= 0.2,
  });
  return [
    rate('create', 'create a note that burns', 1),
    cpu('create', 'create a note that burns'),
    rate('burn', 'burn a note', 1),
    cpu('burn', 'burn a note'),
    cpu('seal', 'seal a one-time link'),
    {
      what: 'memory in use (RSS) after this load',
      measured: `${Math.round(rss)} MiB`,
      target: '≤ 110 MiB',
      met: rss <= 110,
    },
  ];
}
