// A real mail server on a port of its own: what comes in is parsed and kept, and it can be told to refuse, hang or drop.
import { once } from 'node:events';
import type { AddressInfo, Socket } from 'node:net';
import PostalMime, { type Email } from 'postal-mime';
import { SMTPServer, type SMTPServerDataStream } from 'smtp-server';

const REFUSALS = {
  'greets with 554': { at: 'greeting', code: 554 },
  'refuses the sender': { at: 'sender', code: 550 },
  'refuses for good': { at: 'recipient', code: 550, enhanced: '5.1.1' },
  'refuses for now': { at: 'recipient', code: 451 },
  'refuses to relay': { at: 'recipient', code: 554, enhanced: '5.7.1' },
  'refuses the message for good': { at: 'message', code: 550 },
  'refuses the message for now': { at: 'message', code: 452 },
  'refuses the message as spam': { at: 'message', code: 550, enhanced: '5.7.26' },
} as const;
type Refusal = { at: 'greeting' | 'sender' | 'recipient' | 'message'; code: number; enhanced?: string };

export type PostOfficeMood =
  | 'accepts'
  | keyof typeof REFUSALS
  /** What every recipient is answered: a code, and what is said with it. */
  | { recipient: string }
  | 'hangs before greeting'
  | 'hangs after the message'
  | 'accepts and never says so'
  | 'drops before greeting'
  | 'drops after the message';

export interface ReceivedMail {
  /** Whom the server was told to deliver it to. */
  recipient: string;
  /** The address that bounces would go to. */
  sender: string;
  /** Every byte of it, as latin1. */
  raw: string;
  mail: Email;
  /** Whether it came over an encrypted connection. */
  encrypted: boolean;
  /** The name it came with, if somebody logged in. */
  user: string | null;
}

export interface PostOffice {
  /** For SMTP_URL. */
  url: string;
  port: number;
  /** What was accepted, oldest first. */
  received: ReceivedMail[];
  behave(mood: PostOfficeMood): void;
  /** Resolves once so many mails have been accepted since it opened. */
  arrival(count?: number): Promise<ReceivedMail[]>;
  /** Resolves once a client has got to where the office hangs. */
  hanging(): Promise<void>;
  /** How many connections there have been. */
  connections(): number;
  /** How often somebody tried to log in. */
  logins(): number;
  close(): Promise<void>;
}

export interface PostOfficeOptions {
  /** Offers STARTTLS, with a certificate that nobody has signed. */
  tls?: boolean;
  /** Whom it lets in; without one it asks nobody. */
  login?: { user: string; pass: string };
  /** Takes addresses beyond ASCII (RFC 6531); it does unless told. */
  utf8?: boolean;
  /** The address to listen on. */
  host?: string;
  port?: number;
}

export async function openPostOffice({
  tls = false,
  login,
  utf8 = true,
  host = '127.0.0.1',
  port = 0,
}: PostOfficeOptions = {}): Promise<PostOffice> {
  let mood: PostOfficeMood = 'accepts';
  let connections = 0;
  let logins = 0;
  const received: ReceivedMail[] = [];
  const sockets = new Set<Socket>();
  const waiting = new Set<() => void>();
  const tell = () => {
    for (const look of waiting) look();
  };
  let hung = 0;

  /** Goes on, refuses, hangs or drops, as the mood has it for this place. */
  const pass = (at: Refusal['at'], forward: (error?: Error) => void) => {
    if (typeof mood === 'object') {
      if (at !== 'recipient') return forward();
      const [code, ...words] = mood.recipient.split(' ');
      return forward(Object.assign(new Error(words.join(' ') || WORDS), { responseCode: Number(code) }));
    }
    const refusal: Refusal | undefined = REFUSALS[mood as keyof typeof REFUSALS];
    const here = at === 'greeting' ? 'before greeting' : at === 'message' ? 'after the message' : null;
    if (refusal?.at === at) return forward(reply(refusal));
    if (here && mood === `hangs ${here}`) {
      hung += 1;
      return tell();
    }
    if (here && mood === `drops ${here}`) return dropAll();
    forward();
  };
  const dropAll = () => {
    for (const socket of sockets) socket.destroy();
  };

  const server = new SMTPServer({
    logger: false,
    disableReverseLookup: true,
    hideENHANCEDSTATUSCODES: true,
    hideSMTPUTF8: !utf8,
    hideSTARTTLS: !tls,
    disabledCommands: [...(tls ? [] : ['STARTTLS']), ...(login ? [] : ['AUTH'])],
    allowInsecureAuth: true,
    authOptional: !login,
    closeTimeout: 1,
    onConnect: (_session, done) => pass('greeting', done),
    onAuth: ({ username, password }, _session, done) => {
      logins += 1;
      const known = username === login?.user && password === login?.pass;
      if (known) done(null, { user: username });
      else done(new Error('Wrong user or password'));
    },
    onMailFrom: (_address, _session, done) => pass('sender', done),
    onRcptTo: (_address, _session, done) => pass('recipient', done),
    onData: (stream, { envelope, secure, user }, done) => {
      void read(stream).then(async (bytes) => {
        const mail = await PostalMime.parse(bytes);
        pass('message', (error) => {
          if (error) return done(error);
          received.push({
            recipient: envelope.rcptTo[0]?.address ?? '',
            sender: envelope.mailFrom ? envelope.mailFrom.address : '',
            raw: bytes.toString('latin1'),
            mail,
            encrypted: secure,
            user: typeof user === 'string' ? user : null,
          });
          if (mood === 'accepts and never says so') hung += 1;
          else done();
          tell();
        });
      }, clientHungUp);
    },
  });
  // Clients that hang up in the middle are what some tests are about.
  server.on('error', () => {});
  server.server.on('connection', (socket: Socket) => {
    connections += 1;
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  });
  await once(server.listen(port, host), 'listening');
  const at = (server.server.address() as AddressInfo).port;

  const until = (there: () => boolean): Promise<void> =>
    new Promise((resolve) => {
      const look = () => {
        if (!there()) return;
        waiting.delete(look);
        resolve();
      };
      waiting.add(look);
      look();
    });

  return {
    url: `smtp://${login ? `${encodeURIComponent(login.user)}:${encodeURIComponent(login.pass)}@` : ''}${host}:${at}`,
    port: at,
    received,
    behave: (to) => {
      mood = to;
    },
    arrival: async (count = 1) => {
      await until(() => received.length >= count);
      return received;
    },
    hanging: () => until(() => hung > 0),
    connections: () => connections,
    logins: () => logins,
    close: () =>
      new Promise((resolve) => {
        dropAll();
        server.close(() => resolve());
      }),
  };
}

/** What it has begun to send is nothing. */
const clientHungUp = () => {};

const WORDS = 'words of the server that nobody repeats';

function reply({ code, enhanced }: Refusal): Error {
  return Object.assign(new Error(enhanced ? `${enhanced} ${WORDS}` : WORDS), { responseCode: code });
}

async function read(stream: SMTPServerDataStream): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of stream) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}
