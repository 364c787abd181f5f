// The vault's legacy scrolls: listed and opened for their author, and what can be done with them.
import { useQuery } from '@tanstack/react-query';
import { legacyScrolls } from '../../../shared/nouns/legacy.ts';
import { proofOfLife } from '../../../shared/nouns/switch-state.ts';
import { SECOND } from '../../../shared/time.ts';
import { inBook } from '../../../vault/book/in-book.ts';
import { type OpenedScroll, scrollList } from '../../../vault/legacy/scroll-list.ts';
import { refreshUser } from '../../hooks/use-user.ts';
import { useRows } from '../../vault/session/use-rows.ts';
import { useVault } from '../../vault/session/vault-context.ts';
import type { ScrollForm } from './form.ts';
import { scrollCache } from './scroll-cache.ts';
import { adoptScroll, createScroll, type NewKeys, renewKey, updateScroll } from './scroll-writing.ts';
import type { NewKey, ReadableScroll } from './sealing.ts';

/** When a message that leaves at once has left. */
const AFTER_RELEASE = 5 * SECOND;

export function useScrolls() {
  const vault = useVault();
  const { send } = vault.api;
  const cache = scrollCache(vault);
  const desk = { vault, cache };
  const list = useRows(scrollList, {
    // This screen counts time: what it said of a watch when it was left is wrong by now (docs/interface.md, "Fetching").
    refetchOnMount: 'always',
    refetchOnWindowFocus: 'always',
  });
  const transports = useQuery({
    queryKey: [legacyScrolls.transports.path],
    queryFn: () => send(legacyScrolls.transports, {}),
  });

  async function step(call: 'activate' | 'disarm' | 'release', { id }: OpenedScroll, body?: object) {
    const params = { id: String(id) };
    try {
      const row =
        call === 'activate'
          ? await send(legacyScrolls.activate, { params, body: body ?? {} })
          : await send(legacyScrolls[call], { params });
      const scroll = await cache.keep(row);
      // Its message is on its way by then.
      if (call === 'release') setTimeout(cache.lookAgain, AFTER_RELEASE);
      return scroll;
    } finally {
      // Also when it was refused: then it is not as this list has it.
      cache.lookAgain();
      // How many scrolls watch decides whether this page gives signs of life.
      void refreshUser(vault);
    }
  }

  return {
    list,
    transports: transports.data,
    drop: cache.drop,
    create: (form: ScrollForm, keys: NewKeys, sealId: string) => createScroll(desk, form, keys, sealId),
    update: (scroll: ReadableScroll, form: ScrollForm, keys: NewKeys, version: number) =>
      updateScroll(desk, scroll, form, keys, version),
    renewKey: (scroll: ReadableScroll, recipientId: number, key: NewKey) =>
      renewKey(desk, scroll, recipientId, key),

    async adopt(scroll: ReadableScroll): Promise<void> {
      await adoptScroll(desk, scroll);
      await list.refetch();
    },

    /** Fetches everything again; the scroll as it stands now, or null when it is gone. */
    async refetch(id: number): Promise<OpenedScroll | null> {
      const { data } = await list.refetch();
      return data?.find((scroll) => scroll.id === id) ?? null;
    },

    activate: (
      scroll: OpenedScroll,
      choice: { handedOver: boolean; warning: 'mail' | 'dashboard'; label: string | null },
    ) => step('activate', scroll, { ...choice, version: scroll.version }),
    disarm: (scroll: OpenedScroll) => step('disarm', scroll),
    release: (scroll: OpenedScroll) => step('release', scroll),

    /** A sign of life, for every scroll of the account. */
    async stillHere(): Promise<void> {
      await send(proofOfLife.give, {});
      await list.refetch();
    },

    async remove({ id, sealId }: OpenedScroll): Promise<void> {
      await inBook(vault, { removed: [sealId] }).send(legacyScrolls.remove, { params: { id: String(id) } });
      cache.drop(id);
      cache.lookAgain();
      void refreshUser(vault);
    },
  };
}

export type Scrolls = ReturnType<typeof useScrolls>;
