// A wallet of the time before the Wallet Standard, which puts itself at `window.solana`.
import { addressOf, asked, type InstalledWallet, peek, refused, signedOf } from './wallet.ts';

/**
 * As Phantom's documentation describes its provider ("Detecting the provider", "Signing a message"). What it answers may be
 * anything.
 */
interface LegacyProvider {
  isPhantom?: boolean;
  publicKey: unknown;
  connect(): Promise<unknown>;
  disconnect?(): Promise<unknown>;
  signMessage?(message: Uint8Array, display: 'utf8'): Promise<unknown>;
  on?(event: string, listener: () => void): unknown;
  off?(event: string, listener: () => void): unknown;
}

const CHANGES = ['connect', 'disconnect', 'accountChanged'];

/** The wallet that stands in this window, or null. */
export function legacyProvider(): LegacyProvider | null {
  return peek(() => {
    const { solana } = window as { solana?: Partial<LegacyProvider> };
    return typeof solana?.connect === 'function' ? (solana as LegacyProvider) : null;
  }, null);
}

export function legacyWallet(provider: LegacyProvider): InstalledWallet {
  const address = () => peek(() => addressOf(String(provider.publicKey)), null);
  return {
    name: peek(() => provider.isPhantom === true, false) ? 'Phantom' : 'The wallet of this browser',
    address,
    connect: () =>
      asked(async () => {
        await provider.connect();
        return address();
      }),
    async disconnect() {
      await asked(async () => provider.disconnect?.());
    },
    onChange(listener) {
      for (const event of CHANGES) peek(() => provider.on?.(event, listener), null);
      return () => {
        for (const event of CHANGES) peek(() => provider.off?.(event, listener), null);
      };
    },
    signIn: async () => refused('unsupported'),
    async signMessage(message) {
      if (!peek(() => typeof provider.signMessage === 'function', false)) return refused('unsupported');
      return asked(async () => {
        const answer = await provider.signMessage?.(message, 'utf8');
        if (typeof answer !== 'object' || answer === null) return null;
        return signedOf(message, 'signature' in answer ? answer.signature : answer);
      });
    },
  };
}
