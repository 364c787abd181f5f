// Which wallets this browser has. It asks them nothing: a wallet hears of the page's interest when somebody connects it.
import { getWallets } from '@wallet-standard/app';
import { forgettable } from './forgettable-wallet.ts';
import { legacyProvider, legacyWallet } from './legacy-wallet.ts';
import { isSolanaWallet, standardWallet } from './standard-wallet.ts';
import { type InstalledWallet, peek } from './wallet.ts';

/** One for each thing that a wallet has put into the window, so that two looks find the same. */
const known = new WeakMap<object, InstalledWallet>();

/** @returns nothing for what turns out to be no wallet after all */
function knownAs<Provider extends object>(
  provider: Provider,
  make: (provider: Provider) => InstalledWallet,
): InstalledWallet[] {
  const wallet = known.get(provider) ?? peek(() => forgettable(make(provider)), null);
  if (!wallet) return [];
  known.set(provider, wallet);
  return [wallet];
}

/**
 * Those that registered by the Wallet Standard; where none has, the one at `window.solana`. No two have the same name,
 * whatever they call themselves: the second "Phantom" is "Phantom 2".
 */
export function installedWallets(): InstalledWallet[] {
  const registered = getWallets()
    .get()
    .filter(isSolanaWallet)
    .flatMap((wallet) => knownAs(wallet, standardWallet));
  if (registered.length > 0) return named(registered);
  const provider = legacyProvider();
  return provider ? named(knownAs(provider, legacyWallet)) : [];
}

const NAME_LENGTH = 40;

/** What each wallet calls itself. */
const ownNames = new WeakMap<InstalledWallet, string>();

function named(wallets: InstalledWallet[]): InstalledWallet[] {
  const taken = new Set<string>();
  for (const wallet of wallets) {
    const own = ownNames.get(wallet) ?? readable(wallet.name);
    ownNames.set(wallet, own);
    let name = own;
    // Typed names are compared in lower case.
    for (let count = 2; taken.has(name.toLowerCase()); count++) name = `${own} ${count}`;
    taken.add(name.toLowerCase());
    wallet.name = name;
  }
  return wallets;
}

const readable = (name: string): string =>
  name
    .replace(/[\s\p{Cc}\p{Cf}]+/gu, ' ')
    .trim()
    .slice(0, NAME_LENGTH)
    .trim() || 'A wallet without a name';

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
