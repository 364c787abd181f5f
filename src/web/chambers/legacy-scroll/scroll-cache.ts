// The scrolls that this browser has opened, as the query cache holds them.
import type { QueryClient } from '@tanstack/react-query';
import type { Scroll } from '../../../shared/nouns/legacy.ts';
import { dropDraft } from '../../vault/entries/drafts.ts';
import { type OpenedScroll, openScroll, scrollsKey } from '../../vault/legacy/own-scrolls.ts';
import type { OpenVault } from '../../vault/session/vault-context.ts';

/** The name under which the draft of a change is kept. */
export const draftOfScroll = (id: number) => `legacy-scroll-${id}`;

export interface ScrollCache {
  /** Puts a row of the server in the place of the one that stood there, or first. */
  keep(row: Scroll): Promise<OpenedScroll>;
  /** Takes a scroll that is gone on the server out of the list. */
  drop(id: number): void;
  /** A row is the answer of a moment: what a step does to it and to the others is asked once more. */
  lookAgain(): void;
}

export function scrollCache(queryClient: QueryClient, vault: OpenVault): ScrollCache {
  const queryKey = scrollsKey(vault);
  return {
    async keep(row) {
      const scroll = await openScroll(row, vault);
      queryClient.setQueryData<OpenedScroll[]>(queryKey, (all) =>
        all?.some(({ id }) => id === scroll.id)
          ? all.map((other) => (other.id === scroll.id ? scroll : other))
          : [scroll, ...(all ?? [])],
      );
      return scroll;
    },
    drop(id) {
      dropDraft(vault.user.id, draftOfScroll(id));
      queryClient.setQueryData<OpenedScroll[]>(queryKey, (all) => all?.filter((scroll) => scroll.id !== id));
    },
    lookAgain: () => void queryClient.invalidateQueries({ queryKey }),
  };
}
