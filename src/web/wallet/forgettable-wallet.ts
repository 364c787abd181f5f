// Disconnecting is this page's to do: not every wallet can be told of it, nor says that it has heard.
import type { InstalledWallet } from './wallet.ts';

/** The same wallet, which shows this page no address from its disconnecting until it is connected again. */
export function forgettable(wallet: InstalledWallet): InstalledWallet {
  const listeners = new Set<() => void>();
  let isForgotten = false;
  function forget(value: boolean): void {
    if (isForgotten === value) return;
    isForgotten = value;
    for (const listener of [...listeners]) listener();
  }
  return {
    ...wallet,
    address: () => (isForgotten ? null : wallet.address()),
    async connect() {
      const outcome = await wallet.connect();
      if (outcome.ok) forget(false);
      return outcome;
    },
    async disconnect() {
      forget(true);
      await wallet.disconnect();
    },
    onChange(listener) {
      // One of its own, for whoever listens twice.
      const own = () => listener();
      listeners.add(own);
      const end = wallet.onChange(own);
      return () => {
        listeners.delete(own);
        end();
      };
    },
  };
}
