// An authenticator made of software: it answers WebAuthn's questions as a browser with a security key would, and, where
// a test asks for it, wrongly.
import { createHash, generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto';
import { ORIGIN } from './instance.ts';

/** What a test may have the authenticator do otherwise than it should. */
export interface Quirks {
  origin?: string;
  rpId?: string;
  type?: string;
  challenge?: string;
  /** The person is not verified: the flag stays down. */
  unverified?: boolean;
  /** The counter to claim instead of the next one. */
  counter?: number;
  /** Attestation other than `none`; it may sign what an authenticator signs. */
  attestation?: (signed: Buffer, key: KeyObject) => { fmt: string; attStmt: CborMap };
  credentialId?: Buffer;
}

export interface Credential {
  id: string;
  rawId: string;
  type: 'public-key';
  response: Record<string, unknown>;
  clientExtensionResults: Record<string, unknown>;
}

type Options = Record<string, unknown>;
export type Cbor = number | string | Buffer | CborMap | Cbor[];
export type CborMap = Map<number | string, Cbor>;

const USER_PRESENT = 0x01;
const USER_VERIFIED = 0x04;
const ATTESTED_DATA = 0x40;

const sha256 = (data: string | Buffer) => createHash('sha256').update(data).digest();

/** RFC 8949, as much of it as an attestation object needs. */
export function cbor(value: Cbor): Buffer {
  const head = (major: number, n: number) => {
    if (n < 24) return Buffer.from([(major << 5) | n]);
    if (n < 0x100) return Buffer.from([(major << 5) | 24, n]);
    return Buffer.from([(major << 5) | 25, n >> 8, n & 0xff]);
  };
  if (typeof value === 'number') return value >= 0 ? head(0, value) : head(1, -1 - value);
  if (typeof value === 'string')
    return Buffer.concat([head(3, Buffer.byteLength(value)), Buffer.from(value)]);
  if (Buffer.isBuffer(value)) return Buffer.concat([head(2, value.length), value]);
  if (Array.isArray(value)) return Buffer.concat([head(4, value.length), ...value.map(cbor)]);
  return Buffer.concat([head(5, value.size), ...[...value].flatMap(([k, v]) => [cbor(k), cbor(v)])]);
}

/** One passkey in one authenticator. */
export class Passkey {
  readonly id: Buffer;
  readonly #key: { publicKey: KeyObject; privateKey: KeyObject };
  #counter: number;

  /** @param counting whether it counts its uses; passkeys that are synchronised between devices stay at zero */
  constructor({ counting = true, id = randomBytes(32) }: { counting?: boolean; id?: Buffer } = {}) {
    this.id = id;
    this.#key = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    this.#counter = counting ? 1 : 0;
  }

  get credentialId(): string {
    return this.id.toString('base64url');
  }

  /** Answers `navigator.credentials.create`. */
  create(options: Options, quirks: Quirks = {}): Credential {
    const { x = '', y = '' } = this.#key.publicKey.export({ format: 'jwk' });
    const coseKey = cbor(
      new Map<number, Cbor>([
        [1, 2],
        [3, -7],
        [-1, 1],
        [-2, Buffer.from(x, 'base64url')],
        [-3, Buffer.from(y, 'base64url')],
      ]),
    );
    const id = quirks.credentialId ?? this.id;
    const length = Buffer.alloc(2);
    length.writeUInt16BE(id.length);
    const attested = Buffer.concat([Buffer.alloc(16), length, id, coseKey]);
    const authData = Buffer.concat([
      this.#authData((options.rp as { id: string }).id, ATTESTED_DATA, quirks, this.#counter),
      attested,
    ]);
    const client = clientData('webauthn.create', options, quirks);
    const { fmt, attStmt } = quirks.attestation?.(
      Buffer.concat([authData, sha256(client)]),
      this.#key.privateKey,
    ) ?? { fmt: 'none', attStmt: new Map() };
    const attestationObject = cbor(
      new Map<string, Cbor>([
        ['fmt', fmt],
        ['attStmt', attStmt],
        ['authData', authData],
      ]),
    );
    return this.#credential(id, {
      clientDataJSON: client.toString('base64url'),
      attestationObject: attestationObject.toString('base64url'),
      transports: ['internal', 'hybrid'],
    });
  }

  /** Answers `navigator.credentials.get`. */
  get(options: Options, quirks: Quirks = {}): Credential {
    if (this.#counter > 0) this.#counter += 1;
    const counter = quirks.counter ?? this.#counter;
    const authenticatorData = this.#authData(String(options.rpId), 0, quirks, counter);
    const client = clientData('webauthn.get', options, quirks);
    const signature = sign(
      'sha256',
      Buffer.concat([authenticatorData, sha256(client)]),
      this.#key.privateKey,
    );
    return this.#credential(this.id, {
      clientDataJSON: client.toString('base64url'),
      authenticatorData: authenticatorData.toString('base64url'),
      signature: signature.toString('base64url'),
    });
  }

  #authData(rpId: string, flags: number, quirks: Quirks, counter: number): Buffer {
    const count = Buffer.alloc(4);
    count.writeUInt32BE(counter);
    const verified = quirks.unverified ? 0 : USER_VERIFIED;
    return Buffer.concat([
      sha256(quirks.rpId ?? rpId),
      Buffer.from([USER_PRESENT | verified | flags]),
      count,
    ]);
  }

  #credential(id: Buffer, response: Record<string, unknown>): Credential {
    const encoded = id.toString('base64url');
    return { id: encoded, rawId: encoded, type: 'public-key', response, clientExtensionResults: {} };
  }
}

function clientData(type: string, options: Options, quirks: Quirks): Buffer {
  return Buffer.from(
    JSON.stringify({
      type: quirks.type ?? type,
      challenge: quirks.challenge ?? options.challenge,
      origin: quirks.origin ?? ORIGIN,
      crossOrigin: false,
    }),
  );
}
