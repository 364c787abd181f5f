// Who is signed in.
import { type UseQueryResult, useQuery } from '@tanstack/react-query';
import { account, type User } from '../../shared/account.ts';
import { ApiError, send, showAccount } from '../api/client.ts';
import { queryClient } from '../api/query-client.ts';

const KEY = [account.user.path];

async function fetchUser(): Promise<User | null> {
  try {
    const user = await send(account.user, {});
    showAccount(user.id);
    return user;
  } catch (error) {
    if (error instanceof ApiError && error.status === 401) return null;
    throw error;
  }
}

/** The signed-in user; `data` is null for nobody. */
export function useUser(): UseQueryResult<User | null> {
  return useQuery({ queryKey: KEY, queryFn: fetchUser });
}

/** Puts a user that some call has answered in place of the one that was known. */
export function setUser(user: User): void {
  showAccount(user.id);
  queryClient.setQueryData(KEY, user);
}

/** Asks again who is signed in. */
export function refreshUser(): Promise<void> {
  return queryClient.invalidateQueries({ queryKey: KEY });
}
