// Who stands behind a whisper's address: looked up in this server, believed only when the keys make that address.
import { useQuery } from '@tanstack/react-query';
import { addressProblem, normaliseAddress, vaults } from '../../../shared/nouns/legacy.ts';
import { ApiError, sentenceOf } from '../../api/api-error.ts';
import type { ApiClient } from '../../api/client.ts';
import { useApi } from '../../api/services.tsx';
import { areKeysOf, type VaultKeys } from '../../vault/legacy/scrolls.ts';
import type { ScrollForm } from './form.ts';

export type Recipient =
  /** No whisper, or its address is not whole yet. */
  | { state: 'none' }
  | { state: 'looking' }
  | { state: 'found'; to: { address: string; keys: VaultKeys } }
  /** This server knows no such vault. */
  | { state: 'unknown' }
  /** The server answered with keys that are not this address's: nothing is sealed to them. */
  | { state: 'forged' }
  | { state: 'failed'; why: string; again: () => void };

async function look({ send }: ApiClient, address: string): Promise<VaultKeys | 'unknown' | 'forged'> {
  try {
    const keys = await send(vaults.find, { params: { address } });
    return (await areKeysOf(address, keys)) ? keys : 'forged';
  } catch (error) {
    if (error instanceof ApiError && error.code === 'not-found') return 'unknown';
    throw error;
  }
}

export function useRecipient({
  recipientType,
  recipientAddress,
}: Pick<ScrollForm, 'recipientType' | 'recipientAddress'>): Recipient {
  const api = useApi();
  const address = normaliseAddress('whisper', recipientAddress);
  const whole = recipientType === 'whisper' && addressProblem('whisper', address) === null;
  const query = useQuery({
    queryKey: [vaults.find.path, address],
    queryFn: () => look(api, address),
    enabled: whole,
    refetchOnMount: 'always',
  });
  if (!whole) return { state: 'none' };
  if (query.data === 'unknown' || query.data === 'forged') return { state: query.data };
  if (query.data) return { state: 'found', to: { address, keys: query.data } };
  if (query.isError && !query.isFetching) {
    return { state: 'failed', why: sentenceOf(query.error), again: () => void query.refetch() };
  }
  return { state: 'looking' };
}
