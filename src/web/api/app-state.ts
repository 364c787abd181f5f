// What the page knows of itself and its server: what it shows from this device because nobody answers, and whether a newer app
// is ready. It stands in the query cache; the line beneath the head says it (shell/app-notice.tsx).
import type { QueryClient } from '@tanstack/react-query';
import { CONTRACT } from '../../shared/http/call.ts';

export interface AppState {
  /** What is shown as this device keeps it, by the path of its call: when it came from the server, in epoch milliseconds. */
  asOf: Readonly<Record<string, number>>;
  /** A newer app is kept here and waits until somebody takes it. */
  hasUpdate?: true;
  /** The number of its server's contract, where that is higher than this app's: nothing is written any more. */
  newerContract?: number | undefined;
  /** That number is what this device keeps: what a server says takes its place. */
  isContractKept?: true | undefined;
}

export const APP_STATE = ['app-state'];

/** Whether this app is too old to write. */
export const isTooOld = (queryClient: QueryClient): boolean =>
  queryClient.getQueryData<AppState>(APP_STATE)?.newerContract !== undefined;

/**
 * Notes that a server has a newer contract than this app. Where a server has said so, it holds as long as the page.
 * @param contract its number; 0, or none, where nothing is said of it
 * @param isKept it is what this device keeps, which holds until a server says another
 */
export function noteNewerContract(queryClient: QueryClient, contract: number, isKept?: true): void {
  const state = queryClient.getQueryData<AppState>(APP_STATE) ?? { asOf: {} };
  const isNewer = contract > ((!state.isContractKept && state.newerContract) || CONTRACT);
  if (!isNewer && !(state.isContractKept && contract >= 1)) return;
  const said = isNewer ? { newerContract: contract, isContractKept: isKept } : { newerContract: undefined };
  queryClient.setQueryData<AppState>(APP_STATE, { ...state, isContractKept: undefined, ...said });
}

/** @param at null for what has come from the server just now */
export function noteAsOf(queryClient: QueryClient, path: string, at: number | null): void {
  const { asOf = {}, ...state } = queryClient.getQueryData<AppState>(APP_STATE) ?? {};
  if (at === null && !(path in asOf)) return;
  const { [path]: _, ...others } = asOf;
  const next: AppState = { ...state, asOf: at === null ? others : { ...others, [path]: at } };
  queryClient.setQueryData(APP_STATE, next);
}
