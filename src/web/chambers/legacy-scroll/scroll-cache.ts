// The scrolls that this browser has opened, as the query cache holds them.
import type { QueryClient } from '@tanstack/react-query';
import { PAGE_MAX } from '../../../shared/http/wire.ts';
import { legacyScrolls, type Scroll } from '../../../shared/nouns/legacy.ts';
import { everyPage } from '../../../vault/api/every-page.ts';
import { holdAgainstBook } from '../../../vault/book/hold-against.ts';
import { dropDraft } from '../../vault/entries/drafts.ts';
import { openOwn } from '../../vault/legacy/scrolls.ts';
import type { OpenVault } from '../../vault/session/vault-context.ts';
import type { OpenedScroll } from './sealing.ts';

/** The name under which the draft of a change is kept. */
export const draftOfScroll = (id: number) => `legacy-scroll-${id}`;

export const queryKeyOf = ({ user, fingerprint }: OpenVault) => [
  'opened',
  legacyScrolls.list.path,
  user.id,
  fingerprint,
];

async function openRow(row: Scroll, vault: OpenVault): Promise<OpenedScroll> {
  const { title: _, encryptedScrollKey: __, ...open } = row;
  return { ...open, ...(await openOwn(row, vault)) };
}

/** Fetches all scrolls and opens what opens. @throws ApiError, TypeError */
export async function loadScrolls(vault: OpenVault): Promise<OpenedScroll[]> {
  const rows = await everyPage((before) =>
    vault.api.sendForPage(legacyScrolls.list, { query: { limit: PAGE_MAX, before } }),
  );
  holdAgainstBook(vault, 'legacy-scroll', rows);
  return Promise.all(rows.map((row) => openRow(row, vault)));
}

export interface ScrollCache {
  /** Puts a row of the server in the place of the one that stood there, or first. */
  keep(row: Scroll): Promise<OpenedScroll>;
  /** Takes a scroll that is gone on the server out of the list. */
  drop(id: number): void;
  /** A row is the answer of a moment: what a step does to it and to the others is asked once more. */
  lookAgain(): void;
}

export function scrollCache(queryClient: QueryClient, vault: OpenVault): ScrollCache {
  const queryKey = queryKeyOf(vault);
  return {
    async keep(row) {
      const scroll = await openRow(row, vault);
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
