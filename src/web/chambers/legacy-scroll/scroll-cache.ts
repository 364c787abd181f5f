// What is done with a scroll, shown in the list of all.
import type { Scroll } from '../../../shared/nouns/legacy.ts';
import { type OpenedScroll, openScroll, scrollList } from '../../../vault/legacy/scroll-list.ts';
import { dropRow, putRow } from '../../../vault/replica/row-list.ts';
import { dropDrafts } from '../../vault/entries/drafts.ts';
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

export function scrollCache(vault: OpenVault): ScrollCache {
  return {
    async keep(row) {
      const scroll = await openScroll(row, vault);
      putRow(vault, scrollList, scroll);
      return scroll;
    },
    drop(id) {
      dropDrafts(vault.user.id, draftOfScroll(id));
      dropRow(vault, scrollList, id);
    },
    lookAgain: () => void vault.lists.refresh(scrollList),
  };
}
