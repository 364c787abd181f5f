// Who is signed in.
import { type UseQueryResult, useQuery } from '@tanstack/react-query';
import type { User } from '../../shared/nouns/user.ts';
import { isForEverybody } from '../../shared/screens.ts';
import { ApiError, isUnanswered } from '../../vault/api/api-error.ts';
import { currentUser } from '../../vault/api/first-calls.ts';
import { noteAsOf } from '../api/app-state.ts';
import { type Services, useServices } from '../api/services.tsx';

const KEY = [currentUser.path];

/** How long a start waits for its server before it shows what this device keeps, in milliseconds. */
const PATIENCE = 3000;

/** Who is signed in; where nobody answers, or not in time, whom this device keeps. @throws as `api.send` where it keeps nobody */
function fetchUser(services: Services): Promise<User | null> {
  const answer = askForUser(services);
  // Whom the page knows stays there while it asks again.
  if (knownUser(services)) return answer;
  return new Promise((resolve) => {
    let isOver = false;
    const timer = setTimeout(async () => {
      const part = await keptPart();
      const kept = !isOver && part?.showKeptUser(services);
      if (!kept) return;
      resolve(kept);
      answer.then(
        (user) => services.queryClient.setQueryData(KEY, user),
        () => {},
      );
    }, PATIENCE);
    const end = () => {
      isOver = true;
      clearTimeout(timer);
      resolve(answer);
    };
    answer.then(end, end);
  });
}

async function askForUser(services: Services): Promise<User | null> {
  const { api, queryClient } = services;
  try {
    const user = await api.send(currentUser, {});
    api.showAccount(user.id);
    noteAsOf(queryClient, currentUser.path, null);
    return user;
  } catch (error) {
    if (error instanceof ApiError && error.status === 401) return null;
    const kept = isUnanswered(error) && (await keptPart())?.showKeptUser(services);
    if (!kept) throw error;
    return kept;
  }
}

/** What knows whom this device keeps for a start without a network; null where that part of the app is not here. */
const keptPart = () => import('../api/kept-user.ts').catch(() => null);

/** The signed-in user; `data` is null for nobody. */
export function useUser(): UseQueryResult<User | null> {
  const services = useServices();
  return useQuery({ queryKey: KEY, queryFn: () => fetchUser(services) });
}

/** The user as this page knows it; null for nobody, also before that is known. */
export function knownUser({ queryClient }: Pick<Services, 'queryClient'>): User | null {
  return queryClient.getQueryData<User | null>(KEY) ?? null;
}

/** Asks who is signed in before a screen does, unless that is one which does not ask. Resolves also when that failed. */
export async function prefetchUser(services: Services, path: string): Promise<void> {
  const { queryClient } = services;
  if (isForEverybody(path)) return;
  // The server has chosen this document because nobody has signed in. Asking would be refused, and the console would say so.
  if ('visitor' in document.documentElement.dataset) {
    queryClient.setQueryData(KEY, null);
    return;
  }
  await queryClient.prefetchQuery({ queryKey: KEY, queryFn: () => fetchUser(services) });
}

/** Puts a user that some call has answered in place of the one that was known. */
export function setUser({ api, queryClient }: Services, user: User): void {
  api.showAccount(user.id);
  queryClient.setQueryData(KEY, user);
}

/** Asks again who is signed in. */
export function refreshUser({ queryClient }: Pick<Services, 'queryClient'>): Promise<void> {
  return queryClient.invalidateQueries({ queryKey: KEY });
}
