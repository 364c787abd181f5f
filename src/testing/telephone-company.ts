// Twilio as its documentation describes it: the Messages resource of 2010-04-01 on a port of its own. It keeps what it
// takes, and can be told to refuse with one of Twilio's errors, to hang or to drop.
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface ReceivedText {
  to: string;
  /** A number, or the number of a messaging service. */
  from: string;
  body: string;
}

export type TelephoneMood =
  | 'accepts'
  | 'hangs'
  | 'hangs in its answer'
  | 'drops'
  | { status: number; code?: number };

export interface TelephoneCompany {
  /** For TWILIO_URL. */
  url: string;
  accountSid: string;
  authToken: string;
  received: ReceivedText[];
  behave(mood: TelephoneMood): void;
  /** Resolves once a client has got to where it hangs. */
  hanging(): Promise<void>;
  close(): Promise<void>;
}

const ACCOUNT_SID = `AC${'0123456789abcdef'.repeat(2)}`;
const AUTH_TOKEN = 'fedcba9876543210fedcba9876543210';

export async function openTelephoneCompany(): Promise<TelephoneCompany> {
  let mood: TelephoneMood = 'accepts';
  const received: ReceivedText[] = [];
  let onHanging = () => {};
  const hanging = new Promise<void>((resolve) => {
    onHanging = resolve;
  });

  const server = createServer(async (request, response) => {
    const form = new URLSearchParams(await textOf(request));
    if (mood === 'hangs') return onHanging();
    if (mood === 'drops') return request.socket.destroy();
    if (mood === 'hangs in its answer') {
      response.writeHead(400, { 'content-type': 'application/json' });
      response.write('{"code": 21211');
      return onHanging();
    }
    if (typeof mood === 'object') return refuse(response, mood.status, mood.code);
    if (request.url !== `/2010-04-01/Accounts/${ACCOUNT_SID}/Messages.json` || request.method !== 'POST') {
      return refuse(response, 404, 20404);
    }
    const secret = `Basic ${Buffer.from(`${ACCOUNT_SID}:${AUTH_TOKEN}`).toString('base64')}`;
    if (request.headers.authorization !== secret) return refuse(response, 401, 20003);
    if (!/^application\/x-www-form-urlencoded(;|$)/.test(request.headers['content-type'] ?? '')) {
      return refuse(response, 415, 20415);
    }
    const [to, from, service, body] = ['To', 'From', 'MessagingServiceSid', 'Body'].map((name) =>
      form.get(name),
    );
    if (!to) return refuse(response, 400, 21604);
    if (!/^\+[1-9]\d{6,14}$/.test(to)) return refuse(response, 400, 21211);
    const sender = from ?? service;
    if (!sender) return refuse(response, 400, 21603);
    if (!body) return refuse(response, 400, 21602);
    if (body.length > 1600) return refuse(response, 400, 21617);
    received.push({ to, from: sender, body });
    answer(response, 201, accepted(to, from ?? null, service ?? null, body, received.length));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');

  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    accountSid: ACCOUNT_SID,
    authToken: AUTH_TOKEN,
    received,
    behave: (to) => {
      mood = to;
    },
    hanging: () => hanging,
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

async function textOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString();
}

function answer(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { 'content-type': 'application/json' });
  response.end(JSON.stringify(body));
}

/** https://www.twilio.com/docs/usage/twilios-response#exceptions */
function refuse(response: ServerResponse, status: number, code = 20000 + status): void {
  answer(response, status, {
    code,
    message: 'words of the server that nobody repeats',
    more_info: `https://www.twilio.com/docs/errors/${code}`,
    status,
  });
}

/** https://www.twilio.com/docs/messaging/api/message-resource#create-a-message-resource */
function accepted(to: string, from: string | null, service: string | null, body: string, n: number) {
  const sid = `SM${createHash('sha256').update(`${n} ${to}`).digest('hex').slice(0, 32)}`;
  const uri = `/2010-04-01/Accounts/${ACCOUNT_SID}/Messages/${sid}`;
  return {
    account_sid: ACCOUNT_SID,
    api_version: '2010-04-01',
    body,
    date_created: 'Sat, 01 Jun 2030 12:00:00 +0000',
    date_sent: null,
    date_updated: 'Sat, 01 Jun 2030 12:00:00 +0000',
    direction: 'outbound-api',
    error_code: null,
    error_message: null,
    from,
    messaging_service_sid: service,
    num_media: '0',
    num_segments: service ? '0' : '1',
    price: null,
    price_unit: service ? null : 'USD',
    sid,
    status: service ? 'accepted' : 'queued',
    subresource_uris: { media: `${uri}/Media.json` },
    to,
    uri: `${uri}.json`,
  };
}
