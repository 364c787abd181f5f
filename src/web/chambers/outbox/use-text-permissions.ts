// The accounts that want to send text messages: those with messages that wait come first, then the others, each newest
// first and a page at a time. And any account, by its number.
import { type InfiniteData, useInfiniteQuery, useQueryClient } from '@tanstack/react-query';
import { outbox, type TextPermission, textPermissions } from '../../../shared/nouns/outbox.ts';
import type { ApiClient } from '../../../vault/api/api-client.ts';
import { useApi } from '../../api/services.tsx';

const KEY = [textPermissions.list.path];
const PAGE = 50;

interface Where {
  waiting: 'yes' | 'no';
  before?: number | undefined;
}
type Pages = InfiniteData<{ reply: TextPermission[]; hasNext: boolean }, Where>;

function nextAfter({ reply, hasNext }: Pages['pages'][number], { waiting }: Where): Where | undefined {
  const last = reply.at(-1);
  if (hasNext && last) return { waiting, before: last.id };
  return waiting === 'yes' ? { waiting: 'no' } : undefined;
}

/** Fetches a page. Where nobody waits, or the last of them does, it goes on with the others at once. */
async function fetchPage(api: ApiClient, where: Where): Promise<Pages['pages'][number] & { of: Where }> {
  const page = await api.sendForPage(textPermissions.list, { query: { ...where, limit: PAGE } });
  const next = page.reply.length < PAGE ? nextAfter(page, where) : undefined;
  if (!next) return { ...page, of: where };
  const rest = await fetchPage(api, next);
  return { ...rest, reply: [...page.reply, ...rest.reply] };
}

export function useTextPermissions() {
  const api = useApi();
  const queryClient = useQueryClient();
  const list = useInfiniteQuery({
    queryKey: KEY,
    queryFn: ({ pageParam }) => fetchPage(api, pageParam),
    initialPageParam: { waiting: 'yes' } as Where,
    getNextPageParam: (page) => nextAfter(page, page.of),
    refetchOnMount: 'always',
    gcTime: 0,
  });
  // Whoever stopped waiting between two pages is in both.
  const all = list.data?.pages.flatMap(({ reply }) => reply);
  const accounts = all && [...new Map(all.map((account) => [account.id, account])).values()];
  return {
    list,
    accounts,

    /** @throws ApiError 404 for a number that nobody has, or that needs no permission */
    find: (accountId: string): Promise<TextPermission> =>
      api.send(textPermissions.find, { params: { accountId } }),

    /** Gives the permission to an account that has none, and takes it from one that has. */
    async decide({ accountId, permitted }: TextPermission): Promise<TextPermission> {
      const call = permitted ? textPermissions.revoke : textPermissions.grant;
      const decided = await api.send(call, { params: { accountId } });
      queryClient.setQueryData<Pages>(
        KEY,
        (pages) =>
          pages && {
            ...pages,
            pages: pages.pages.map((page) => ({
              ...page,
              reply: page.reply.map((one) => (one.accountId === accountId ? decided : one)),
            })),
          },
      );
      void queryClient.invalidateQueries({ queryKey: [outbox.list.path] });
      return decided;
    },
  };
}
