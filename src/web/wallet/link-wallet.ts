// Linking a wallet to this vault: everything that Settings needs of wallets, in one chunk that a press fetches.
import { type LinkedWallet, linkedWallet, linkStatement } from '../../shared/nouns/holders.ts';
import { ownAddress } from '../../vault/keys/own-address.ts';
import type { OpenVault } from '../vault/session/vault-context.ts';
import { proveWallet } from './prove-wallet.ts';
import { type InstalledWallet, walletSentences } from './wallet.ts';

export { installedWallets } from './installed-wallets.ts';
export { NO_WALLET } from './wallet.ts';

/**
 * Connects a wallet, has it sign that it belongs to this vault, and links it.
 * @returns what the server says of it; null when it did not connect, which is logged; else why not, in a sentence
 * @throws ApiError or TypeError when a call fails, AnotherKey
 */
export async function linkWallet(
  wallet: InstalledWallet,
  vault: OpenVault,
): Promise<LinkedWallet | { sentence: string } | null> {
  const connected = await wallet.connect();
  if (!connected.ok) {
    // biome-ignore lint/suspicious/noConsole: the specification has it logged; what the wallet said stays out of it
    console.info(`A wallet did not connect: ${connected.problem}.`);
    return null;
  }
  const { send } = vault.api;
  const challenge = await send(linkedWallet.challenge, { body: { walletAddress: connected.value } });
  // Whoever whispers to this wallet will believe the text: it must name this vault and no other.
  const statement = linkStatement(await ownAddress(vault));
  const proof = await proveWallet(wallet, challenge, statement);
  if (!proof.ok) return { sentence: walletSentences[proof.problem] };
  return send(linkedWallet.link, { body: proof.value });
}
