// One request of the fuzz after another, for one row of the contract: right ones, nearly right ones, and wrong ones of
// every kind. What is drawn depends on the seed alone.
import { contractRows } from '../../shared/http/contract.ts';
import type { Random } from '../../simulation/random.ts';
import { broken, disturb, extend, fitting, hostileValue, type Known } from './bodies.ts';

export type Row = ReturnType<typeof contractRows>[number]['row'];

export interface FuzzRequest {
  method: string;
  /** As it stands in the request line. */
  path: string;
  headers: Record<string, string | string[]>;
  body: Buffer | null;
  /** Whether the body goes without its length, in chunks. */
  chunked: boolean;
}

/** What a row may be told so that a request goes deep: values by field name, ids for its path, a body by a real client. */
export interface Material {
  known: Known;
  ids: readonly string[];
  body?: () => Promise<unknown>;
}

const TYPES = [
  'text/plain',
  'multipart/form-data; boundary=x',
  'application/x-www-form-urlencoded',
  'application/json; charset=utf-16',
  'application/jsonp',
  `application/json;${' a=b;'.repeat(500)}`,
  '',
];

const IDS = [
  '0',
  '-1',
  '1.5',
  '1e3',
  '0x10',
  '999999999999999',
  '9007199254740993',
  '99999999999999999999999',
  '%00',
  '%FF',
  '%',
  '%E0%A4%A',
  '%2e%2e',
  '%2e%2e%2f%2e%2e',
  '__proto__',
  'constructor',
  '%F0%9F%92%A5',
  '1;drop',
  'A'.repeat(22),
  'A'.repeat(32),
  '0'.repeat(32),
  'A'.repeat(5000),
];

const QUERIES = [
  'limit=5&limit=-1&limit=x',
  'limit=0',
  'limit=501',
  'limit=1e309',
  'limit=0x10',
  'limit=',
  'limit=%00',
  'limit[]=1&limit[__proto__]=1',
  `limit=${'9'.repeat(5000)}`,
  'before=0',
  'before=9007199254740991',
  'before=9007199254740993',
  'before=-1',
  'before=1.5',
  'before=%F0%9F%92%A5',
  'limit=1&before=3',
  '__proto__=1&constructor=2&toString=3',
  'return=//evil.example',
  'return=/\\evil.example',
  `return=${'/a'.repeat(3000)}`,
  'return=%00',
  'state=%00&code=%FF',
  'state=__proto__',
  '%',
  '%FF=%FF',
  '&&&===',
  Array.from({ length: 1000 }, (_, i) => `a${i}=1`).join('&'),
];

const HEADERS: ((random: Random) => Record<string, string>)[] = [
  () => ({ 'x-latebra-account': '__proto__' }),
  () => ({ 'x-latebra-account': 'x'.repeat(10_000) }),
  () => ({ 'x-latebra-book': '1.AAAA' }),
  () => ({ 'x-latebra-book': '-1.AAAA' }),
  () => ({ 'x-latebra-book': '99999999999999999999.AAAA' }),
  () => ({ 'x-latebra-book': `1.${'A'.repeat(10_000)}` }),
  () => ({ 'x-latebra-book': '__proto__' }),
  () => ({ cookie: 'a=b;'.repeat(3000) }),
  () => ({ cookie: `latebra-session=${'A'.repeat(10_000)}` }),
  () => ({ cookie: 'latebra-session=%00; __proto__=1; latebra-session' }),
  () => ({ 'user-agent': `Mozilla/5.0 ${'(X11; '.repeat(1500)}` }),
  () => ({ accept: 'text/html,*/*;q=0.8' }),
  () => ({ 'accept-encoding': `${'gzip;q=0.'.repeat(1000)}` }),
  () => ({ origin: 'null' }),
  () => ({ origin: 'http://localhost:3000/%00' }),
  () => ({ 'sec-fetch-site': '__proto__' }),
  () => ({ host: 'evil.example' }),
  () => ({ host: `${'a.'.repeat(2000)}example` }),
  () => ({ host: 'localhost:99999' }),
  () => ({ host: '[::1' }),
  () => ({ host: 'localhost@evil.example' }),
  () => ({ 'x-forwarded-host': `${'a,'.repeat(3000)}` }),
  () => ({ forwarded: 'for=unknown;by=_x' }),
  () => ({ 'content-encoding': 'gzip' }),
  () => ({ expect: '100-continue' }),
  () => ({ range: `bytes=${'0-1,'.repeat(1000)}` }),
  () => ({ 'if-none-match': '*' }),
  () => ({ authorization: `Bearer ${'A'.repeat(8000)}` }),
  () => ({ upgrade: 'websocket', connection: 'upgrade' }),
];

/** Where the fuzzed program has its payment document. */
export const CHECKOUT = 'http://127.0.0.2:3000';

/** How many requests one row gets on each database. */
export const PER_ROW = 16;

export async function drawRequest(row: Row, random: Random, material: Material): Promise<FuzzRequest> {
  const id = () =>
    material.ids.length > 0 && random.chance(0.7) ? random.pick(material.ids) : random.pick(IDS);
  const request: FuzzRequest = {
    method: row.method,
    path: row.path.replace(/\{\w+\}/g, id),
    headers: {},
    body: null,
    chunked: random.chance(0.1),
  };
  if (random.chance(row.query ? 0.4 : 0.1)) request.path += `?${random.pick(QUERIES)}`;
  if (random.chance(0.15)) Object.assign(request.headers, random.pick(HEADERS)(random));
  if (row.checkoutOrigin) request.headers.host = new URL(CHECKOUT).host;
  if (row.upload && random.chance(0.8)) addFile(request, row.upload, random);
  else if (row.body || row.rawBody || random.chance(0.1)) await addBody(request, row, random, material);
  return request;
}

const FILES: ((random: Random) => Buffer)[] = [
  () => Buffer.alloc(0),
  () => Buffer.from('#EXTM3U\nfile:///etc/passwd\n'),
  () => Buffer.from('ID3\x04\0\0\0\0\0\0'),
  () => Buffer.from('RIFF\xff\xff\xff\xffWAVEfmt ', 'latin1'),
  () => Buffer.from(`OggS${'\0'.repeat(22)}\xffOpusHead`, 'latin1'),
  () => Buffer.from('\0\0\0\x1cftypM4A \0\0\0\0moov', 'latin1'),
  () => Buffer.from('\x1a\x45\xdf\xa3\x93\x42\x82\x88matroska', 'latin1'),
  (random) => Buffer.from(random.pick(['\xff\xfb\x90\0', '\xff\xf1\x50\x80']).repeat(10_000), 'latin1'),
  () => Buffer.from('\r\n--XX'.repeat(20_000)),
];

/** A form with a file, whole or broken. */
function addFile(request: FuzzRequest, { field }: NonNullable<Row['upload']>, random: Random): void {
  const names = [field, field, field, '', '__proto__', 'x'.repeat(4100)];
  const part = () =>
    Buffer.concat([
      Buffer.from(
        `--XX\r\nContent-Disposition: form-data; name="${random.pick(names)}"; filename="a"\r\n\r\n`,
      ),
      random.pick(FILES)(random),
      Buffer.from('\r\n'),
    ]);
  const whole = Buffer.concat([
    ...Array.from({ length: random.chance(0.1) ? 500 : 1 }, part),
    Buffer.from('--XX--\r\n'),
  ]);
  request.body = random.chance(0.3) ? whole.subarray(0, Math.floor(whole.length / 2)) : whole;
  request.headers['content-type'] = random.chance(0.1)
    ? random.pick(TYPES)
    : 'multipart/form-data; boundary=XX';
}

async function addBody(request: FuzzRequest, row: Row, random: Random, material: Material): Promise<void> {
  const real = material.body && random.chance(0.8) ? await material.body() : undefined;
  const right = real ?? (row.body ? fitting(row.body, random, material.known) : {});
  const text = random.pick<() => string | Buffer>([
    () => JSON.stringify(right),
    () => JSON.stringify(right),
    () => JSON.stringify(disturb(right, random)),
    () => JSON.stringify(disturb(right, random)),
    () => JSON.stringify(disturb(right, random)),
    () => JSON.stringify(disturb(right, random)),
    () => extend(right, random),
    () => broken(right, random),
    () => JSON.stringify(hostileValue(random)) ?? 'null',
  ])();
  request.body = Buffer.from(text as string);
  if (!('content-type' in request.headers)) {
    request.headers['content-type'] = random.chance(0.06)
      ? random.pick(TYPES)
      : (row.rawBody?.type ?? 'application/json');
  }
}

/** Bodies as large as a row takes: one of small values, and one long text where a field would be. */
export function fullBodies(row: Row): Buffer[] {
  const limit = row.bodyLimit ?? 0;
  if (limit === 0) return [];
  const half = Math.floor(limit / 2) - 10;
  return [
    Buffer.from(`{"a":[${'0,'.repeat(half - 20)}"\\u0041"]}`),
    Buffer.from(`{"encryptedContent":"${'A'.repeat(limit - 100)}"}`),
    Buffer.from(`{"entries":[${'{},'.repeat(Math.floor(limit / 3) - 20)}{}]}`),
  ];
}

/** How many chunks of one byte a request brings. */
const CHUNKS = 8000;

/** A request whose body comes in chunks of one byte, as it goes over the wire; null for a row that takes none. */
export function inOneByteChunks(row: Row, cookie: string, chunks = CHUNKS): string | null {
  if (!row.body && !row.upload && !row.rawBody) return null;
  const type = row.upload ? 'multipart/form-data; boundary=XX' : (row.rawBody?.type ?? 'application/json');
  const signature = `t=${Math.floor(Date.now() / 1000)},v1=${'0'.repeat(64)}`;
  const host = row.checkoutOrigin ? new URL(CHECKOUT).host : 'localhost';
  const lines = [
    `${row.method} ${row.path.replace(/\{\w+\}/g, '1')} HTTP/1.1`,
    `Host: ${host}`,
    `Content-Type: ${type}`,
    `Cookie: ${cookie}`,
    `Stripe-Signature: ${signature}`,
    'Transfer-Encoding: chunked',
  ];
  return `${lines.join('\r\n')}\r\n\r\n${'1\r\n0\r\n'.repeat(chunks)}0\r\n\r\n`;
}

export const fuzzedRows = () => contractRows();
