// What the page knows of itself and its server: what it shows from this device because nobody answers, and whether a newer app
// is ready. It stands in the query cache; the line beneath the head says it (shell/app-notice.tsx).
import type { QueryClient } from '@tanstack/react-query';

export interface AppState {
  /** What is shown as this device keeps it, by the path of its call: when it came from the server, in epoch milliseconds. */
  asOf: Readonly<Record<string, number>>;
  /** A newer app is kept here and waits until somebody takes it. */
  hasUpdate?: true;
}

export const APP_STATE = ['app-state'];

/** @param at null for what has come from the server just now */
export function noteAsOf(queryClient: QueryClient, path: string, at: number | null): void {
  const { asOf = {}, ...state } = queryClient.getQueryData<AppState>(APP_STATE) ?? {};
  if (at === null && !(path in asOf)) return;
  const { [path]: _, ...others } = asOf;
  const next: AppState = { ...state, asOf: at === null ? others : { ...others, [path]: at } };
  queryClient.setQueryData(APP_STATE, next);
}
