// A wallet of the time before the Wallet Standard, which puts itself at `window.solana`.
import { asked, bytesOf, done, type InstalledWallet, refused } from './wallet.ts';

interface PublicKey {
  toString(): string;
}

/** As Phantom's documentation describes its provider ("Detecting the provider", "Signing a message"). */
interface LegacyProvider {
  isPhantom?: boolean;
  publicKey: PublicKey | null;
  connect(): Promise<unknown>;
  disconnect?(): Promise<void>;
  signMessage?(message: Uint8Array, display: 'utf8'): Promise<{ signature: Uint8Array } | Uint8Array>;
  on?(event: string, listener: () => void): unknown;
  off?(event: string, listener: () => void): unknown;
}

const CHANGES = ['connect', 'disconnect', 'accountChanged'];

/** The wallet that stands in this window, or null. */
export function legacyProvider(): LegacyProvider | null {
  const { solana } = window as { solana?: Partial<LegacyProvider> };
  return typeof solana?.connect === 'function' ? (solana as LegacyProvider) : null;
}

export function legacyWallet(provider: LegacyProvider): InstalledWallet {
  const address = () => provider.publicKey?.toString() ?? null;
  return {
    name: provider.isPhantom ? 'Phantom' : 'The wallet of this browser',
    address,
    connect: () =>
      asked(async () => {
        await provider.connect();
        return address();
      }),
    async disconnect() {
      await asked(async () => provider.disconnect?.() ?? null);
    },
    onChange(listener) {
      for (const event of CHANGES) provider.on?.(event, listener);
      return () => {
        for (const event of CHANGES) provider.off?.(event, listener);
      };
    },
    signIn: async () => refused('unsupported'),
    async signMessage(message) {
      if (!provider.signMessage) return refused('unsupported');
      const outcome = await asked(async () => (await provider.signMessage?.(message, 'utf8')) ?? null);
      if (!outcome.ok) return outcome;
      const signature = 'signature' in outcome.value ? outcome.value.signature : outcome.value;
      return done({ message, signature: bytesOf(signature) });
    },
  };
}
