// The vault's legacy scrolls, as their author's screens have them: listed, and what can be done with them.
import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { legacyScrolls } from '../../../shared/nouns/legacy.ts';
import { proofOfLife } from '../../../shared/nouns/switch-state.ts';
import { SECOND } from '../../../shared/time.ts';
import { draftOf } from '../../../vault/kinds/entry-kind.ts';
import { type OpenedScroll, type ReadableScroll, scrollList } from '../../../vault/legacy/scroll-list.ts';
import type { NewKeys } from '../../../vault/outbox/scroll-draft.ts';
import { scrollWriter } from '../../../vault/outbox/scroll-writer.ts';
import { dropRow } from '../../../vault/replica/row-list.ts';
import { refreshUser } from '../../hooks/use-user.ts';
import { dropDrafts } from '../../vault/session/drafts.ts';
import { useRows } from '../../vault/session/use-rows.ts';
import { useVault } from '../../vault/session/vault-context.ts';
import { draftOfForm, type ScrollForm, zoneOf } from './form.ts';

/** When a message that leaves at once has left. */
const AFTER_RELEASE = 5 * SECOND;

/** The name under which the draft of a change to a scroll is kept. */
export const scrollDraft = ({ sealId }: Pick<OpenedScroll, 'sealId'>) =>
  draftOf({ noun: 'legacy-scroll' }, sealId);

export function useScrolls() {
  const vault = useVault();
  const { send } = vault.api;
  const writer = useMemo(() => scrollWriter(vault), [vault]);
  const list = useRows(scrollList, {
    // This screen counts time: what it said of a watch when it was left is wrong by now (docs/interface.md, "Fetching").
    refetchOnMount: 'always',
    refetchOnWindowFocus: 'always',
  });
  const transports = useQuery({
    queryKey: [legacyScrolls.transports.path],
    queryFn: () => send(legacyScrolls.transports, {}),
  });

  /** How many scrolls watch decides whether this page gives signs of life. */
  async function thenLookAtUser<Done>(doing: Promise<Done>): Promise<Done> {
    try {
      return await doing;
    } finally {
      void refreshUser(vault);
    }
  }

  /** Takes a scroll that is gone on the server out of the list, and the draft of a change to it. */
  function drop(scroll: Pick<OpenedScroll, 'id' | 'sealId'>): void {
    dropDrafts(vault.user.id, scrollDraft(scroll));
    dropRow(vault, scrollList, scroll.id);
  }

  return {
    list,
    transports: transports.data,
    drop,
    create: async (form: ScrollForm, keys: NewKeys, sealId: string) =>
      writer.create(draftOfForm(form, zoneOf(form)), keys, sealId),
    async update(scroll: ReadableScroll, form: ScrollForm, keys: NewKeys, version: number) {
      const draft = draftOfForm(form, zoneOf(form, scroll), scroll.letter);
      return thenLookAtUser(writer.update(scroll, draft, keys, version));
    },
    renewKey: (...given: Parameters<typeof writer.renewKey>) => thenLookAtUser(writer.renewKey(...given)),

    async adopt(scroll: ReadableScroll): Promise<void> {
      await writer.adopt(scroll);
      await list.refetch();
    },

    /** Fetches everything again; the scroll as it stands now, or null when it is gone. */
    async refetch(id: number): Promise<OpenedScroll | null> {
      const { data } = await list.refetch();
      return data?.find((scroll) => scroll.id === id) ?? null;
    },

    activate: (scroll: OpenedScroll, choice: Parameters<typeof writer.activate>[1]) =>
      thenLookAtUser(writer.activate(scroll, choice)),
    disarm: (scroll: OpenedScroll) => thenLookAtUser(writer.disarm(scroll)),
    async release(scroll: OpenedScroll): Promise<OpenedScroll> {
      const released = await thenLookAtUser(writer.release(scroll));
      // Its message is on its way by then.
      setTimeout(writer.refresh, AFTER_RELEASE);
      return released;
    },

    sealSentence: writer.sealSentence,
    async rehearse(
      scroll: OpenedScroll,
      asked: Parameters<typeof writer.rehearse>[1],
    ): Promise<OpenedScroll> {
      const rehearsed = await writer.rehearse(scroll, asked);
      // As after a release.
      setTimeout(writer.refresh, AFTER_RELEASE);
      return rehearsed;
    },

    /** A sign of life, for every scroll of the account. */
    async stillHere(): Promise<void> {
      await send(proofOfLife.give, {});
      await list.refetch();
    },

    async remove(scroll: OpenedScroll): Promise<void> {
      await thenLookAtUser(writer.remove(scroll));
      drop(scroll);
    },
  };
}

export type Scrolls = ReturnType<typeof useScrolls>;
