// Beneath the head: that this app is too old to write; that nobody answers, and from when what is shown is; or that a newer app
// waits. What says so comes when it is wanted.
import { useQuery } from '@tanstack/react-query';
import { APP_STATE, type AppState } from '../api/app-state.ts';
import { later } from '../ui/later.tsx';

const AppWords = later(() => import('./app-words.tsx'));

/** @param tooOld that one line alone, which goes before all others; the others unless told */
export function AppNotice({ tooOld = false }: { tooOld?: boolean }) {
  const { data: state } = useQuery<AppState>({ queryKey: APP_STATE, enabled: false });
  const isSaid =
    state &&
    (tooOld
      ? state.newerContract
      : !state.newerContract && (state.hasUpdate || Object.keys(state.asOf).length > 0));
  return isSaid && <AppWords state={state} />;
}
