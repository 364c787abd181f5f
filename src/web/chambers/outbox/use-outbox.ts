// The messages of this server, newest first, a page at a time; and what an administrator does about one.
import { type InfiniteData, type QueryClient, useInfiniteQuery, useQueryClient } from '@tanstack/react-query';
import { type Message, outbox } from '../../../shared/nouns/outbox.ts';
import { useApi } from '../../api/services.tsx';

const KEY = [outbox.list.path];
const PAGE = 50;
/** How long a delivery that was asked for may take before it is looked at. */
const LOOK_AFTER = 4000;

type Pages = InfiniteData<{ reply: Message[]; hasNext: boolean }, number | undefined>;

function replace(queryClient: QueryClient, changed: Message): void {
  queryClient.setQueryData<Pages>(
    KEY,
    (all) =>
      all && {
        ...all,
        pages: all.pages.map((page) => ({
          ...page,
          reply: page.reply.map((message) => (message.id === changed.id ? changed : message)),
        })),
      },
  );
}

/** Puts what the server says of a message in its place, and asks what else has changed by it: now and a little later. */
function follow(queryClient: QueryClient, changed: Message): void {
  replace(queryClient, changed);
  const ask = () => void queryClient.invalidateQueries({ queryKey: KEY });
  ask();
  setTimeout(ask, LOOK_AFTER);
}

export function useOutbox() {
  const { send, sendForPage } = useApi();
  const queryClient = useQueryClient();
  const list = useInfiniteQuery({
    queryKey: KEY,
    queryFn: ({ pageParam }: { pageParam: number | undefined }) =>
      sendForPage(outbox.list, { query: { limit: PAGE, ...(pageParam && { before: pageParam }) } }),
    initialPageParam: undefined,
    getNextPageParam: ({ reply, hasNext }) => (hasNext ? reply.at(-1)?.id : undefined),
    // Messages come and go without the administrator.
    refetchOnMount: 'always',
    gcTime: 0,
  });
  return {
    list,
    messages: list.data?.pages.flatMap(({ reply }) => reply),
    async retry({ id }: Message): Promise<Message> {
      const message = await send(outbox.retry, { params: { id: String(id) } });
      follow(queryClient, message);
      return message;
    },
    async passedOn({ id }: Message): Promise<void> {
      follow(queryClient, await send(outbox.passedOn, { params: { id: String(id) } }));
    },
  };
}

export type Outbox = ReturnType<typeof useOutbox>;
