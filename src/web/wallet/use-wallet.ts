// The wallet that a screen works with: one that is connected to this page already, or the one that is connected here.
import { useState, useSyncExternalStore } from 'react';
import { connectedWallet, onWalletsChanged } from './installed-wallets.ts';
import type { InstalledWallet } from './wallet.ts';

export interface WalletInUse {
  wallet: InstalledWallet | null;
  /** What the wallet shows now; null while none is connected. */
  address: string | null;
  /** Asks a wallet for its address. A failure is logged, and shown to nobody: the wallet itself has said why. */
  connect(wallet: InstalledWallet): Promise<boolean>;
  /** Forgets its address here at once, whatever it answers. */
  disconnect(): Promise<void>;
}

export function useWallet(): WalletInUse {
  const [chosen, setChosen] = useState<InstalledWallet | null>(null);
  const inUse = () => chosen ?? connectedWallet();
  const wallet = useSyncExternalStore(onWalletsChanged, inUse);
  const address = useSyncExternalStore(
    (listener) => wallet?.onChange(listener) ?? (() => {}),
    () => wallet?.address() ?? null,
  );
  return {
    wallet,
    address,
    async connect(next) {
      const outcome = await next.connect();
      // biome-ignore lint/suspicious/noConsole: the specification has it logged; what the wallet said stays out of it
      if (!outcome.ok) console.info(`A wallet did not connect: ${outcome.problem}.`);
      else setChosen(next);
      return outcome.ok;
    },
    async disconnect() {
      // It stays the one in use: another one that is connected was not asked for.
      setChosen(wallet);
      await wallet?.disconnect();
    },
  };
}
