// The wallet of an account: proved, linked, unlinked, and found by those who whisper to it.
import type { Context, Hono } from 'hono';
import { type LinkedWallet, linkedWallet, linkStatement } from '../../../shared/nouns/holders.ts';
import type { Deps } from '../../deps.ts';
import { AppError } from '../../errors.ts';
import { verify } from '../../holders/verification.ts';
import { route } from '../../http/route.ts';
import { origin } from '../../http/site.ts';
import { addressBytes, challengeWallet, proveWallet } from '../../wallets/wallet-proof.ts';
import { findByWallet, findVaultAddress, findWallet, linkWallet, unlinkWallet } from './store.ts';

export function linkedWalletRoutes(app: Hono, deps: Deps): void {
  async function ofAccount(accountId: number, c: Context): Promise<LinkedWallet | null> {
    const wallet = await findWallet(deps.db, accountId, origin(deps.config, c));
    if (!wallet) return null;
    const holders = await deps.holders.read();
    return { ...wallet, holding: holders && verify(holders, addressBytes(wallet.address)) };
  }

  route(app, deps, linkedWallet.get, ({ caller, c }) => ofAccount(caller.accountId, c));

  route(app, deps, linkedWallet.challenge, async ({ body, caller, c }) => {
    const vaultAddress = await findVaultAddress(deps.db, caller.accountId);
    if (!vaultAddress) throw new AppError('no-vault-key');
    return challengeWallet(deps, c, 'wallet-link', {
      address: body.walletAddress,
      statement: linkStatement(vaultAddress),
      belongings: { uid: caller.uid },
    });
  });

  route(app, deps, linkedWallet.link, async ({ body, caller, c }) => {
    const vaultAddress = await findVaultAddress(deps.db, caller.accountId);
    const proved = await proveWallet(deps, c, 'wallet-link', body, { uid: caller.uid });
    if (proved.input.statement !== linkStatement(vaultAddress ?? '')) throw new AppError('key-changed');
    const isLinked = await linkWallet(deps, caller.accountId, {
      address: body.walletAddress,
      vaultAddress: vaultAddress ?? '',
      origin: proved.input.uri,
      signedMessage: proved.signedMessage.toString('base64'),
      signature: proved.signature.toString('base64'),
      device: caller.device,
    });
    const wallet = isLinked ? await ofAccount(caller.accountId, c) : null;
    if (!wallet) throw new AppError('key-changed');
    return wallet;
  });

  route(app, deps, linkedWallet.unlink, ({ caller }) => unlinkWallet(deps, caller.accountId, caller.device));

  route(app, deps, linkedWallet.find, async ({ params, c }) => {
    const found = await findByWallet(deps.db, params.address, origin(deps.config, c));
    if (!found) throw new AppError('not-found');
    return found;
  });
}
