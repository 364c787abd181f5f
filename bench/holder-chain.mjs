// A chain with a token of so many accounts, each of an owner of its own. Run by holders.mjs.
import { generateKeyPairSync } from 'node:crypto';
import { pathToFileURL } from 'node:url';

const [, , bundle, accounts] = process.argv;
const { startLocalChain } = await import(pathToFileURL(bundle).href);

function* owners() {
  for (let n = 0; n < Number(accounts); n += 1) {
    const { x } = generateKeyPairSync('ed25519').publicKey.export({ format: 'jwk' });
    yield { owner: Buffer.from(x, 'base64url'), amount: BigInt(1 + (n % 1000)) * 1_000_000n };
  }
}

const chain = await startLocalChain();
chain.plant(chain.mint, owners());
process.send({ url: chain.url, mint: chain.mint.address });
