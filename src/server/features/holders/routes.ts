// The thirteen: who has gathered, what an address holds, and what a wallet is given that proves itself. Everything is
// answered from the list in memory; no request asks the chain.
import type { Hono } from 'hono';
import { ARTIFACT_STATEMENT, GATHERING_THRESHOLD, holders } from '../../../shared/nouns/holders.ts';
import type { Deps } from '../../deps.ts';
import { AppError } from '../../errors.ts';
import type { Holders } from '../../holders/current-holders.ts';
import { verify } from '../../holders/verification.ts';
import { route } from '../../http/route.ts';
import type { InstanceKey } from '../../signing/instance-key.ts';
import { addressBytes, challengeWallet, proveWallet } from '../../wallets/wallet-proof.ts';
import { createArtifactMaker } from './artifact.ts';
import { nexusText } from './artifact-texts.ts';

export function holderRoutes(app: Hono, deps: Deps, key: InstanceKey): void {
  const makeArtifact = createArtifactMaker(deps, key);

  function expectToken(): void {
    if (deps.holders.mint === null) throw new AppError('no-token');
  }

  async function expectHolders(): Promise<Holders> {
    const known = await deps.holders.read();
    if (!known) throw new AppError('no-holders');
    return known;
  }

  route(app, deps, holders.check, async () => {
    const { mint } = deps.holders;
    if (mint === null) return null;
    const known = await expectHolders();
    return {
      unlocked: known.count >= GATHERING_THRESHOLD,
      count: known.count,
      threshold: GATHERING_THRESHOLD,
      mint,
      holders: [...known.top],
      readAt: new Date(known.readAt).toISOString(),
      isStale: known.isStale,
    };
  });

  route(app, deps, holders.verify, async ({ query }) => {
    expectToken();
    const address = addressBytes(query.walletAddress);
    return verify(await expectHolders(), address);
  });

  route(app, deps, holders.challenge, async ({ body, c }) => {
    expectToken();
    return challengeWallet(deps, c, 'wallet-artifact', {
      address: body.walletAddress,
      statement: ARTIFACT_STATEMENT,
    });
  });

  route(app, deps, holders.artifact, async ({ body: { passphrase, ...proof }, c }) => {
    expectToken();
    return makeArtifact(async () => {
      const { input } = await proveWallet(deps, c, 'wallet-artifact', proof);
      const holding = (await expectHolders()).find(addressBytes(input.address));
      if (!holding) throw new AppError('not-a-holder');
      return { ...holding, address: input.address, host: input.domain };
    }, passphrase);
  });

  route(app, deps, holders.nexus, async () => {
    expectToken();
    if ((await expectHolders()).count < GATHERING_THRESHOLD) throw new AppError('gathering-closed');
    return { text: nexusText };
  });
}
