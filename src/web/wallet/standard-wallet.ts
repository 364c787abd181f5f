// A wallet that registers itself by the Wallet Standard (wallet-standard/wallet-standard), as far as it speaks Solana's
// features (solana:signIn 1.0, solana:signMessage 1.1).
import type { Wallet, WalletAccount } from '@wallet-standard/base';
import type {
  StandardConnectFeature,
  StandardDisconnectFeature,
  StandardEventsFeature,
} from '@wallet-standard/features';
import { asked, bytesOf, done, type InstalledWallet, type Outcome, refused, type Signed } from './wallet.ts';

interface SignOutput {
  signedMessage: Uint8Array;
  signature: Uint8Array;
}

interface SolanaFeatures {
  'solana:signIn'?: {
    signIn(...inputs: object[]): Promise<readonly (SignOutput & { account: WalletAccount })[]>;
  };
  'solana:signMessage'?: {
    signMessage(...inputs: { account: WalletAccount; message: Uint8Array }[]): Promise<readonly SignOutput[]>;
  };
}

type Features = Partial<StandardConnectFeature & StandardDisconnectFeature & StandardEventsFeature> &
  SolanaFeatures;

const ofSolana = (chains: readonly string[]) => chains.some((chain) => chain.startsWith('solana:'));

/** Whether a registered wallet is of any use here. */
export const isSolanaWallet = (wallet: Wallet): boolean =>
  ofSolana(wallet.chains) && 'standard:connect' in wallet.features;

export function standardWallet(wallet: Wallet): InstalledWallet {
  const features = wallet.features as Features;
  const account = () => wallet.accounts.find(({ chains }) => ofSolana(chains)) ?? null;

  return {
    name: wallet.name,
    address: () => account()?.address ?? null,
    connect: () =>
      asked(async () => {
        await features['standard:connect']?.connect();
        return account()?.address ?? null;
      }),
    async disconnect() {
      await asked(async () => features['standard:disconnect']?.disconnect() ?? null);
    },
    onChange(listener) {
      return features['standard:events']?.on('change', listener) ?? (() => {});
    },
    async signIn(input) {
      const feature = features['solana:signIn'];
      if (!feature) return refused('unsupported');
      const outcome = await asked(async () => (await feature.signIn(input))[0] ?? null);
      if (!outcome.ok) return outcome;
      return outcome.value.account.address === input.address
        ? done(signedOf(outcome.value))
        : refused('other-address');
    },
    async signMessage(message): Promise<Outcome<Signed>> {
      const feature = features['solana:signMessage'];
      const by = account();
      if (!feature) return refused('unsupported');
      if (!by) return refused('failed');
      const outcome = await asked(
        async () => (await feature.signMessage({ account: by, message }))[0] ?? null,
      );
      return outcome.ok ? done(signedOf(outcome.value)) : outcome;
    },
  };
}

const signedOf = ({ signedMessage, signature }: SignOutput): Signed => ({
  message: bytesOf(signedMessage),
  signature: bytesOf(signature),
});
