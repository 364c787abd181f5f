// Who stands behind a whisper's address: looked up in this server, believed only when the keys make that address. A
// wallet's address stands for the vault that it is linked to, where the wallet has signed that it is.
import { useQueries } from '@tanstack/react-query';
import { linkedWallet } from '../../../shared/nouns/holders.ts';
import { addressProblem, normaliseAddress } from '../../../shared/nouns/scroll-recipients.ts';
import { vaults } from '../../../shared/nouns/whispers.ts';
import type { ApiClient } from '../../../vault/api/api-client.ts';
import { ApiError, sentenceOf } from '../../../vault/api/api-error.ts';
import { areKeysOf, type VaultKeys } from '../../../vault/legacy/whispers.ts';
import { useApi } from '../../api/services.tsx';
import { checkLink, type LinkCheck, typedWallet } from '../../vault/legacy/linked-vault.ts';
import type { RecipientForm, ScrollForm } from './form.ts';

export type Recipient =
  /** No whisper, or its address is not whole yet. */
  | { state: 'none' }
  | { state: 'looking' }
  /** `wallet` where the vault was found by a wallet that is linked to it. */
  | { state: 'found'; to: { address: string; keys: VaultKeys }; wallet?: string }
  /** This server knows no such vault. */
  | { state: 'unknown' }
  /** A wallet that leads to no vault, with the reason in a sentence. */
  | { state: 'unlinked'; why: string }
  /** It could not be found out, or the server answered with other keys than the address says. */
  | { state: 'failed'; why: string; again: () => void };

/** A key card in place of the vault would do what such a server wants: the letter waits. */
const FORGED =
  'The server answered with keys that do not belong to this address. Nothing is sealed to them, and nothing is sent as long as it does.';

const notLinked: Record<Exclude<LinkCheck, 'linked'> | 'unknown', string> = {
  unknown: 'No vault on this server is linked to this wallet.',
  forged:
    'The server named a vault that this wallet has not signed for. It is not believed: ask for the vault’s own address.',
  unchecked:
    'This browser cannot check the signature of a wallet. Use a newer one, or ask for the vault’s own address.',
};

async function look({ send }: ApiClient, address: string): Promise<VaultKeys | 'unknown' | 'forged'> {
  try {
    const keys = await send(vaults.find, { params: { address } });
    return (await areKeysOf(address, keys)) ? keys : 'forged';
  } catch (error) {
    if (error instanceof ApiError && error.code === 'not-found') return 'unknown';
    throw error;
  }
}

async function lookForLink({ send }: ApiClient, wallet: string) {
  try {
    const found = await send(linkedWallet.find, { params: { address: wallet } });
    const check = await checkLink(wallet, found, location.host);
    return check === 'linked' ? { vault: found.vaultAddress } : { why: notLinked[check] };
  } catch (error) {
    if (error instanceof ApiError && error.code === 'not-found') return { why: notLinked.unknown };
    throw error;
  }
}

type Addressed = Pick<RecipientForm, 'recipientType' | 'recipientAddress'>;

const walletOf = ({ recipientType, recipientAddress }: Addressed) =>
  recipientType === 'whisper' ? typedWallet(recipientAddress) : null;

/** Who stands behind each of these addresses, in the same order. */
export function useRecipients(addressed: readonly Addressed[]): Recipient[] {
  const api = useApi();
  const wallets = addressed.map(walletOf);
  const links = useQueries({
    queries: wallets.map((wallet, i) => ({
      queryKey: wallet === null ? [linkedWallet.find.path, null, i] : [linkedWallet.find.path, wallet],
      queryFn: () => lookForLink(api, wallet ?? ''),
      enabled: wallet !== null,
      refetchOnMount: 'always' as const,
    })),
  });
  const asked = addressed.map(({ recipientType, recipientAddress }, i) => {
    const wallet = wallets[i] ?? null;
    const linked = wallet === null ? null : (links[i]?.data?.vault ?? null);
    const address = linked ?? normaliseAddress('whisper', recipientAddress);
    const whole =
      recipientType === 'whisper' &&
      (wallet === null || linked !== null) &&
      addressProblem('whisper', address) === null;
    return { wallet, linked, address, whole };
  });
  const vaultsFound = useQueries({
    queries: asked.map(({ address, whole }, i) => ({
      queryKey: whole ? [vaults.find.path, address] : [vaults.find.path, null, i],
      queryFn: () => look(api, address),
      enabled: whole,
      refetchOnMount: 'always' as const,
    })),
  });
  return asked.map(({ wallet, linked, address, whole }, i): Recipient => {
    const [link, query] = [links[i], vaultsFound[i]];
    if (!link || !query) return { state: 'none' };
    if (wallet !== null && linked === null) return linkState(link);
    if (!whole) return { state: 'none' };
    if (query.data === 'unknown') return { state: 'unknown' };
    if (query.data === 'forged') return { state: 'failed', why: FORGED, again: () => void query.refetch() };
    if (query.data) {
      return { state: 'found', to: { address, keys: query.data }, ...(wallet !== null && { wallet }) };
    }
    return waiting(query);
  });
}

/** Who stands behind one address. */
export const useRecipient = (addressed: Addressed): Recipient =>
  useRecipients([addressed])[0] ?? { state: 'none' };

interface Waiting {
  isError: boolean;
  isFetching: boolean;
  error: unknown;
  refetch(): Promise<unknown>;
}

function linkState(link: Waiting & { data: { vault: string } | { why: string; vault?: never } | undefined }) {
  return link.data?.vault === undefined && link.data
    ? ({ state: 'unlinked', why: link.data.why } as const)
    : waiting(link);
}

function waiting(query: Waiting): Recipient {
  if (query.isError && !query.isFetching) {
    return { state: 'failed', why: sentenceOf(query.error), again: () => void query.refetch() };
  }
  return { state: 'looking' };
}

/** What is sent of a form: a wallet's address gives way to that of the vault it is linked to. */
export const meantBy = (form: ScrollForm, found: readonly Recipient[]): ScrollForm => ({
  ...form,
  recipients: form.recipients.map((one, i) => {
    const recipient = found[i];
    return recipient?.state === 'found' && recipient.wallet !== undefined
      ? { ...one, recipientAddress: recipient.to.address }
      : one;
  }),
});
