// The messages of this house, newest first, a page at a time; and what a keeper does about one.
import { type InfiniteData, useInfiniteQuery } from '@tanstack/react-query';
import { type Message, outbox } from '../../../shared/switch.ts';
import { send, sendForPage } from '../../api/client.ts';
import { queryClient } from '../../api/query-client.ts';

const KEY = [outbox.list.path];
const PAGE = 50;

type Pages = InfiniteData<{ reply: Message[]; hasNext: boolean }, number | undefined>;

function replace(changed: Message): void {
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

export function useOutbox() {
  const list = useInfiniteQuery({
    queryKey: KEY,
    queryFn: ({ pageParam }: { pageParam: number | undefined }) =>
      sendForPage(outbox.list, { query: { limit: PAGE, ...(pageParam && { before: pageParam }) } }),
    initialPageParam: undefined,
    getNextPageParam: ({ reply, hasNext }) => (hasNext ? reply.at(-1)?.id : undefined),
    // Messages come and go without the keeper.
    refetchOnMount: 'always',
    gcTime: 0,
  });
  return {
    list,
    messages: list.data?.pages.flatMap(({ reply }) => reply),
    async retry({ id }: Message): Promise<Message> {
      const message = await send(outbox.retry, { params: { id: String(id) } });
      replace(message);
      return message;
    },
    async passedOn({ id }: Message): Promise<void> {
      replace(await send(outbox.passedOn, { params: { id: String(id) } }));
    },
  };
}

export type Outbox = ReturnType<typeof useOutbox>;
