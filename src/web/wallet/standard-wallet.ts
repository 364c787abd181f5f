// A wallet that registers itself by the Wallet Standard (wallet-standard/wallet-standard), as far as it speaks Solana's
// features (solana:signIn 1.0, solana:signMessage 1.1).
import type { Wallet, WalletAccount } from '@wallet-standard/base';
import type {
  StandardConnectFeature,
  StandardDisconnectFeature,
  StandardEventsFeature,
} from '@wallet-standard/features';
import {
  addressOf,
  asked,
  done,
  type InstalledWallet,
  type Outcome,
  peek,
  refused,
  type Signed,
  signedOf,
} from './wallet.ts';

/** What a wallet answers may be anything. */
interface SignOutput {
  signedMessage: unknown;
  signature: unknown;
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

/** Whether a registered wallet is of any use here. Anything may have registered: what is no wallet is of none. */
export const isSolanaWallet = (wallet: Wallet): boolean =>
  peek(
    () => typeof wallet.name === 'string' && ofSolana(wallet.chains) && 'standard:connect' in wallet.features,
    false,
  );

/** @param wallet one that `isSolanaWallet` */
export function standardWallet(wallet: Wallet): InstalledWallet {
  const features = wallet.features as Features;
  const account = () =>
    peek(
      () =>
        wallet.accounts.find(({ chains, address }) => ofSolana(chains) && addressOf(address) !== null) ??
        null,
      null,
    );
  const address = () => peek(() => addressOf(account()?.address), null);

  return {
    name: wallet.name,
    address,
    connect: () =>
      asked(async () => {
        await features['standard:connect']?.connect();
        return address();
      }),
    async disconnect() {
      await asked(async () => features['standard:disconnect']?.disconnect());
    },
    onChange(listener) {
      const end = peek((): unknown => features['standard:events']?.on('change', listener), null);
      return () => {
        if (typeof end === 'function') peek(() => end(), null);
      };
    },
    async signIn(input) {
      const feature = peek(() => features['solana:signIn'], undefined);
      if (!feature) return refused('unsupported');
      const outcome = await asked(async () => {
        const [output] = await feature.signIn(input);
        const signed = signedOf(output?.signedMessage, output?.signature);
        return output && signed ? { by: output.account.address, signed } : null;
      });
      if (!outcome.ok) return outcome;
      return outcome.value.by === input.address ? done(outcome.value.signed) : refused('other-address');
    },
    async signMessage(message): Promise<Outcome<Signed>> {
      const feature = peek(() => features['solana:signMessage'], undefined);
      const by = account();
      if (!feature) return refused('unsupported');
      if (!by) return refused('failed');
      return asked(async () => {
        const [output] = await feature.signMessage({ account: by, message });
        return signedOf(output?.signedMessage, output?.signature);
      });
    },
  };
}
