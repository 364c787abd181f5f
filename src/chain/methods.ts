// The methods of Solana's JSON-RPC that the product and its tests ask for, over the local machine.
import { type Address, isAddress } from '@solana/kit';
import type { Ledger } from './ledger.ts';
import {
  type Account,
  type AccountConfig,
  type Filter,
  invalidParams,
  matches,
  printAccount,
  printAmount,
  RpcError,
  supplyOf,
} from './wire.ts';

/** The version of the validator whose wire format this is. */
const API_VERSION = '3.0.0';

type Params = readonly unknown[];
type Method = (params: Params) => unknown;

interface ListConfig extends AccountConfig {
  filters?: Filter[];
  withContext?: boolean;
}

/** @returns the result of a call; throws RpcError */
export function createMethods({ svm, slot }: Ledger): (method: string, params: Params) => unknown {
  const inContext = (value: unknown) => ({ context: { apiVersion: API_VERSION, slot: slot() }, value });
  const find = (key: unknown): Account | null => {
    const account = svm.getAccount(asAddress(key));
    return account.exists ? account : null;
  };

  const methods: Record<string, Method> = {
    getHealth: () => 'ok',
    getVersion: () => ({ 'feature-set': 1, 'solana-core': API_VERSION }),
    getSlot: () => slot(),
    getAccountInfo: ([key, config]) => {
      const account = find(key);
      return inContext(account && printAccount(account, (config ?? {}) as AccountConfig));
    },
    getProgramAccounts: ([program, given]) => {
      const config = (given ?? {}) as ListConfig;
      const list = svm
        .getProgramAccounts(asAddress(program))
        .filter((account) => matches(account, config.filters ?? []))
        .map((account) => ({ account: printAccount(account, config), pubkey: account.address }));
      return config.withContext ? inContext(list) : list;
    },
    getTokenSupply: ([key]) => {
      const account = find(key);
      if (!account) throw invalidParams('Invalid param: could not find account');
      const supply = supplyOf(account);
      if (!supply) throw invalidParams('Invalid param: not a Token mint');
      return inContext(printAmount(supply));
    },
  };

  return (name, params) => {
    const method = Object.hasOwn(methods, name) ? methods[name] : undefined;
    if (!method) throw new RpcError(-32601, 'Method not found');
    return method(params);
  };
}

function asAddress(key: unknown): Address {
  if (typeof key !== 'string' || !isAddress(key)) throw invalidParams('Invalid param: WrongSize');
  return key;
}
