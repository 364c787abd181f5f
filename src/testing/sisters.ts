// Instances that are joined as sisters, and an author whose letter they keep. Some of them are whole servers; the others are
// who they are by their keys alone, and answer what a test has them answer.
import { createCipheriv, randomBytes } from 'node:crypto';
import { ml_dsa44 } from '@noble/post-quantum/ml-dsa.js';
import { combine, split } from 'shamir-secret-sharing';
import {
  sisterAddressesBound,
  sisterCallMessage,
  sisterLetterMessage,
  sisterSignMessage,
} from '../server/adapters/signatures.ts';
import {
  deriveSisterIdentity,
  type SisterIdentity,
  sealToSister,
} from '../server/adapters/sister-identity.ts';
import { hashOfShare, hashOfText } from '../server/adapters/sister-shares.ts';
import { createSisters } from '../server/adapters/sisters.ts';
import { readConfig } from '../server/config.ts';
import type { Engine } from '../server/db/open.ts';
import { createDigests, type Digests, proofHash } from '../server/digests.ts';
import type { SignKind } from '../shared/byte-formats.ts';
import { type ErrorCode, errorCodes } from '../shared/http/error-codes.ts';
import { MINUTE } from '../shared/time.ts';
import { aWatchedInstance, type Watched } from './switch.ts';

export interface Peer {
  origin: string;
  address: string;
  secret: Buffer;
  identity: SisterIdentity;
  /** Null for one that is no server. */
  watched: Watched | null;
  /** Whether it answers. */
  isUp: boolean;
  /** What one that is no server answers to a path; null for what it answers by itself, who it is and that it has nothing else. */
  answers: (path: string, body: unknown) => { status: number; body?: unknown } | null;
}

export interface Circle {
  /** The first one is the instance at which letters are written. */
  peers: Peer[];
  home: Peer;
  sisters: Peer[];
  /** How often the network was asked, by path. */
  asked: string[];
  close(): Promise<void>;
}

interface CircleOptions {
  engine?: Engine;
  /** How many sisters there are besides the home. */
  count?: number;
  /** How many of them, from the first, are whole servers. All of them, unless told. */
  whole?: number;
  /** Whether the home is a whole server. */
  wholeHome?: boolean;
  env?: Record<string, string>;
}

export async function aCircle({
  engine = 'sqlite',
  count = 3,
  whole = count,
  wholeHome = false,
  env = {},
}: CircleOptions = {}): Promise<Circle> {
  const peers = await Promise.all(Array.from({ length: count + 1 }, (_, i) => aPeer(i)));
  const circle: Circle = {
    peers,
    home: peers[0] as Peer,
    sisters: peers.slice(1),
    asked: [],
    async close() {
      for (const { watched } of peers) await watched?.close();
    },
  };
  const listOf = (own: Peer) =>
    peers.flatMap((peer) => (peer === own ? [] : [`${peer.origin}#${peer.address}`])).join(',');
  for (const [i, peer] of peers.entries()) {
    if (i === 0 ? !wholeHome : i > whole) continue;
    const its = {
      ...{ PUBLIC_URL: peer.origin, SISTERS: listOf(peer), SECRET_KEY: peer.secret.toString('hex'), ...env },
    };
    const config = readConfig(its);
    const digests = createDigests(peer.secret);
    // A minute lies between any two looks at who a sister is.
    let elapsed = 0;
    const looks = () => (elapsed += MINUTE);
    const sisters = createSisters({ config, digests, elapsed: looks, ask: networkOf(circle) });
    peer.watched = await aWatchedInstance({ engine, env: its, deps: { sisters } });
  }
  return circle;
}

async function aPeer(i: number): Promise<Peer> {
  const secret = randomBytes(32);
  const identity = await deriveSisterIdentity(createDigests(secret));
  return {
    ...{ origin: `http://localhost:${4100 + i}`, address: identity.address, secret, identity },
    ...{ watched: null, isUp: true, answers: () => null },
  };
}

/** How servers of a circle ask each other: without a network. */
const networkOf =
  (circle: Circle) =>
  async (url: URL, options: RequestInit): Promise<Response> => {
    circle.asked.push(`${url.origin}${url.pathname}`);
    const peer = circle.peers.find(({ origin }) => origin === url.origin);
    if (!peer?.isUp) throw new TypeError('fetch failed');
    const body = options.body === undefined ? undefined : JSON.parse(String(options.body));
    if (peer.watched) return peer.watched.instance.request(options.method ?? 'GET', url.pathname, { body });
    const ofItself = { status: 200, body: keysOf(peer) };
    const { status, body: answer }: { status: number; body?: unknown } =
      peer.answers(url.pathname, body) ??
      (url.pathname === '/api/sisters/identity' ? ofItself : refusal('not-found'));
    return answer === undefined ? new Response(null, { status }) : Response.json(answer, { status });
  };

/** What an instance answers that refuses for this reason. */
export const refusal = (code: ErrorCode) => ({
  status: errorCodes[code][0],
  body: { code, message: errorCodes[code][1] },
});

/** What it answers to a letter that it keeps. */
export const KEPT = { status: 200, body: { kept: true } };

const keysOf = ({ identity: { address, recipient, verifyingKey } }: Peer) => ({
  address,
  recipient,
  verifyingKey,
});

const b64url = (bytes: Uint8Array) => Buffer.from(bytes).toString('base64url');

export interface AuthorOptions {
  needed?: number;
  days?: number;
  edition?: number;
  recipients?: string[];
  /** Fields of the letter that is signed, in place of its own. */
  fields?: (place: number) => object;
}

export type SisterAuthor = ReturnType<typeof aSisterAuthor>;

/** Whoever has a letter kept, as far as their browser matters. */
export function aSisterAuthor(circle: Circle) {
  const life = ml_dsa44.keygen(randomBytes(32));
  const id = b64url(randomBytes(16));
  const letterKey = randomBytes(32);
  const tokens = new Map<string, string>();
  const sign = (context: string, message: Uint8Array) =>
    Buffer.from(ml_dsa44.sign(message, life.secretKey, { context: Buffer.from(context) })).toString('base64');

  async function boxes({
    needed = 2,
    days = 60,
    edition = 1,
    recipients = ['ada@mail.example'],
    fields = () => ({}),
  }: AuthorOptions = {}) {
    const { sisters } = circle;
    const addressesKey = randomBytes(32);
    const ofAddresses = (await split(new Uint8Array(addressesKey), sisters.length, needed)).map(b64url);
    const ofLetter = (await split(new Uint8Array(letterKey), sisters.length, needed)).map(b64url);
    const told = recipients.map((address) => {
      const token = tokens.get(address) ?? b64url(randomBytes(32));
      tokens.set(address, token);
      return { address, token };
    });
    const common = {
      ...{ id, edition, lifeKey: Buffer.from(life.publicKey).toString('base64'), needed, days },
      sisters: sisters.map(({ origin, address }) => ({ origin, address })),
      ...{ encryptedContent: 'c2VhbGVk', sealId: b64url(randomBytes(16)) },
      encryptedAddresses: sealAddresses(
        JSON.stringify({ v: 1, authorName: 'Ada', recipients: told }),
        addressesKey,
        sisterAddressesBound(id, edition),
      ),
      tokens: told.map(({ token }) => proofHash(token)),
      sharesOfAddresses: ofAddresses.map(hashOfShare),
    };
    return sisters.map(({ address }, place) => {
      const own = { shareOfAddresses: ofAddresses[place], shareOfLetter: ofLetter[place] };
      const text = JSON.stringify({ ...common, ...own, ...fields(place) });
      const signature = sign('latebra/v1/sister-letter', sisterLetterMessage(address, text));
      return { inside: JSON.stringify({ v: 1, letter: text, signature }), digest: hashOfText(text) };
    });
  }

  /** Has a letter kept by each sister that is a server, and gives each a first sign, as a browser does at once. Returns the digests. */
  async function keep(options: AuthorOptions = {}): Promise<string[]> {
    const made = await boxes(options);
    for (const [place, { inside }] of made.entries()) {
      const sister = circle.sisters[place] as Peer;
      if (!sister.watched) continue;
      const response = await passOn(circle, sister, inside);
      if (response.status !== 200) throw new Error(`not kept: ${response.status} ${await response.text()}`);
      if ((await live(sister)).status !== 200) throw new Error('its first sign did not count');
    }
    return made.map(({ digest }) => digest);
  }

  /** A sign for one sister, which has given the challenge. */
  const signFor = (sister: Pick<Peer, 'address'>, challenge: string, kind: SignKind = 'alive') =>
    sign('latebra/v1/sister-sign', sisterSignMessage(sister.address, { id, challenge, kind }));

  const challenge = async (sister: Peer) =>
    (await (await post(sister, '/api/sisters/challenges', { id })).json()) as {
      state: string;
      challenge: string | null;
      digest: string | null;
      endedBy: string | null;
    };

  async function live(sister: Peer, kind: SignKind = 'alive'): Promise<Response> {
    const { challenge: asked } = await challenge(sister);
    if (asked === null) throw new Error('it has ended');
    const signature = signFor(sister, asked, kind);
    return post(sister, '/api/sisters/signs', { id, challenge: asked, kind, signature });
  }

  return {
    ...{ id, letterKey, tokens, boxes, keep, signFor, challenge, live },
    open: (sister: Peer, recipient = 'ada@mail.example') =>
      post(sister, '/api/sisters/open', { id, token: tokens.get(recipient) }),
  };
}

export const post = (peer: Peer, path: string, body: object): Promise<Response> => {
  if (!peer.watched) throw new Error('it is no server');
  return peer.watched.instance.request('POST', path, { body });
};

/** Passes something on as the home does, or somebody else. @param inside what is in the box, unless `box` is given */
export async function passOn(
  circle: Circle,
  to: Peer,
  inside: string,
  { from = circle.home, sealedTo = to }: { from?: Peer; sealedTo?: Peer } = {},
): Promise<Response> {
  const box = await sealToSister(sealedTo.identity.recipient, inside);
  return post(to, '/api/sisters/letters', {
    from: from.origin,
    box,
    signature: signCall(from, to, 'letter', box),
  });
}

export const signCall = (from: Peer, to: Peer, kind: 'letter' | 'share', box: string): string =>
  from.identity.sign(
    'latebra/v1/sister-call',
    sisterCallMessage({ from: from.origin, to: to.origin }, { kind, box }),
  );

function sealAddresses(text: string, key: Buffer, bound: Uint8Array): string {
  const iv = randomBytes(12);
  const cipher = createCipheriv('aes-256-gcm', key, iv).setAAD(bound);
  return Buffer.concat([iv, cipher.update(text, 'utf8'), cipher.final(), cipher.getAuthTag()]).toString(
    'base64',
  );
}

/** The key of a letter, as a recipient's browser makes it of what sisters have given. */
export const keyOfShares = async (shares: string[]): Promise<Buffer> =>
  Buffer.from(await combine(shares.map((share) => new Uint8Array(Buffer.from(share, 'base64url')))));

/** The address by which others know an instance. */
export const sisterAddressOf = async (digests: Pick<Digests, 'keyed'>): Promise<string> =>
  (await deriveSisterIdentity(digests)).address;
