// A chain with a token of so many accounts, each of an owner of its own. Run by holders.mjs.
import { generateKeyPairSync } from 'node:crypto';
import { pathToFileURL } from 'node:url';

const [, , bundle, accounts] = process.argv;
const { startLocalChain } = await import(pathToFileURL(bundle).href);

function* owners() {
  for (let n = 0; n < Number(accounts); n += 1) {
    // Not as JWK: on Node 20, collecting other keys meanwhile may wait for it without end.
    const key = generateKeyPairSync('ed25519').publicKey.export({ format: 'der', type: 'spki' });
    yield { owner: key.subarray(-32), amount: BigInt(1 + (n % 1000)) * 1_000_000n };
  }
}

const chain = await startLocalChain();
chain.plant(chain.mint, owners());
process.send({ url: chain.url, mint: chain.mint.address });
