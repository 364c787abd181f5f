// Which wallets this browser has. It asks them nothing: a wallet hears of the page's interest when somebody connects it.
import { getWallets } from '@wallet-standard/app';
import type { Wallet } from '@wallet-standard/base';
import { legacyProvider, legacyWallet } from './legacy-wallet.ts';
import { isSolanaWallet, standardWallet } from './standard-wallet.ts';
import type { InstalledWallet } from './wallet.ts';

/** One for each thing that a wallet has put into the window, so that two looks find the same. */
const known = new WeakMap<object, InstalledWallet>();

function knownAs<Provider extends object>(
  provider: Provider,
  make: (provider: Provider) => InstalledWallet,
): InstalledWallet {
  const wallet = known.get(provider) ?? make(provider);
  known.set(provider, wallet);
  return wallet;
}

/** Those that registered by the Wallet Standard; where none has, the one at `window.solana`. */
export function installedWallets(): InstalledWallet[] {
  const registered = getWallets().get().filter(isSolanaWallet);
  if (registered.length > 0) return registered.map((wallet: Wallet) => knownAs(wallet, standardWallet));
  const provider = legacyProvider();
  return provider ? [knownAs(provider, legacyWallet)] : [];
}

/** Calls back when a wallet has registered or left. Returns what ends that. */
export function onWalletsChanged(listener: () => void): () => void {
  const wallets = getWallets();
  const ends = [wallets.on('register', listener), wallets.on('unregister', listener)];
  return () => {
    for (const end of ends) end();
  };
}

/** The wallet that is connected to this page already, if any. */
export const connectedWallet = (): InstalledWallet | null =>
  installedWallets().find((wallet) => wallet.address() !== null) ?? null;
