// What a server says of holders, in place of a chain: a page's fetch that answers those calls by itself. It checks a
// wallet's proof as a server must, and its artifacts are real OpenPGP messages.
import { createPublicKey, randomBytes, verify } from 'node:crypto';
import { base58 } from '@scure/base';
import { createMessage, encrypt, generateKey, readPrivateKey } from 'openpgp';
import { type ErrorCode, errorCodes } from '../../shared/http/error-codes.ts';
import {
  ARTIFACT_STATEMENT,
  type SignInInput,
  signInText,
  type Verification,
  type WalletProof,
} from '../../shared/nouns/holders.ts';
import { ORIGIN } from './origin.ts';

export const HOLDING: Verification = {
  isHolder: true,
  amount: 1204,
  rank: 7,
  hasRituals: true,
  readAt: '2030-06-01T11:59:30.000Z',
  isStale: false,
};

export const refusal = (code: ErrorCode): Response => {
  const [status, message] = errorCodes[code];
  return Response.json({ code, message }, { status });
};

/** Whether a wallet has signed exactly this text with the key that its address is. */
export function provesWallet(proof: WalletProof, text: string): boolean {
  const message = Buffer.from(proof.signedMessage, 'base64');
  const x = Buffer.from(base58.decode(proof.walletAddress)).toString('base64url');
  const key = createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x }, format: 'jwk' });
  return (
    message.equals(Buffer.from(text)) && verify(null, message, key, Buffer.from(proof.signature, 'base64'))
  );
}

/** A challenge as a server would make it. */
export const challengeFor = (
  address: string,
  statement = ARTIFACT_STATEMENT,
  origin = ORIGIN,
): SignInInput => ({
  domain: new URL(origin).host,
  address,
  statement,
  uri: origin,
  version: '1',
  chainId: 'mainnet',
  nonce: randomBytes(12).toString('hex'),
  issuedAt: new Date().toISOString(),
  expirationTime: new Date(Date.now() + 300_000).toISOString(),
});

export interface HoldersStub {
  fetch: typeof fetch;
  /** Method and path of every call. */
  asked: string[];
  /** What the next calls of a path are answered in place of the truth, by its end. */
  instead: Map<string, () => Response>;
  holding: Verification;
  /** The passphrases that artifacts were made under. */
  passphrases: string[];
}

/** A server that knows of one holding, whoever asks. */
export async function stubHolders(): Promise<HoldersStub> {
  const { privateKey, publicKey } = await generateKey({
    type: 'ecc',
    curve: 'ed25519Legacy',
    userIDs: [{ name: 'Latebra' }],
    date: new Date(Date.now() - 60_000),
  });
  const signingKeys = await readPrivateKey({ armoredKey: privateKey });
  const challenges = new Map<string, SignInInput>();
  const stub: HoldersStub = {
    asked: [],
    instead: new Map(),
    holding: HOLDING,
    passphrases: [],
    async fetch(input, init = {}) {
      const { pathname, origin } = new URL(String(input), ORIGIN);
      stub.asked.push(`${init.method} ${pathname}`);
      const instead = stub.instead.get(pathname.split('/').at(-1) ?? '');
      if (instead) return instead();
      const body = JSON.parse(String(init.body ?? 'null'));
      switch (pathname) {
        case '/api/holders/verify':
          return Response.json(stub.holding);
        case '/api/holders/challenge': {
          const challenge = challengeFor(body.walletAddress, ARTIFACT_STATEMENT, origin);
          challenges.set(challenge.nonce, challenge);
          return Response.json(challenge, { status: 201 });
        }
        case '/api/holders/artifact': {
          const challenge = challenges.get(body.nonce);
          challenges.delete(body.nonce);
          if (!challenge) return refusal('ceremony-expired');
          if (!provesWallet(body, signInText(challenge))) return refusal('wallet-unproved');
          stub.passphrases.push(body.passphrase);
          const message = await createMessage({ text: 'SCROLL FRAGMENT 7\n\nOne holds.\n' });
          return new Response(await encrypt({ message, passwords: [body.passphrase], signingKeys }));
        }
        case '/api/public-key':
          return new Response(publicKey);
        default:
          return refusal('not-found');
      }
    },
  };
  return stub;
}
