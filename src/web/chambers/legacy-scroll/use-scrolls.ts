// The vault's legacy scrolls, as their author's screens have them: listed, and what can be done with them.
import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { legacyScrolls } from '../../../shared/nouns/legacy.ts';
import { proofOfLife } from '../../../shared/nouns/switch-state.ts';
import { SECOND } from '../../../shared/time.ts';
import { draftOf } from '../../../vault/kinds/entry-kind.ts';
import {
  namesSisters,
  type OpenedScroll,
  type ReadableScroll,
  scrollList,
} from '../../../vault/legacy/scroll-list.ts';
import type { NewKeys } from '../../../vault/outbox/scroll-draft.ts';
import { scrollWriter } from '../../../vault/outbox/scroll-writer.ts';
import { dropRow } from '../../../vault/replica/row-list.ts';
import { useAnswer } from '../../api/use-answer.ts';
import { refreshUser } from '../../hooks/use-user.ts';
import { isRowInQuestion } from '../../vault/legacy/row-in-question.ts';
import { readSisterMemory } from '../../vault/legacy/sister-device.ts';
import { dropDrafts } from '../../vault/session/drafts.ts';
import { useRows } from '../../vault/session/use-rows.ts';
import { type OpenVault, useVault } from '../../vault/session/vault-context.ts';
import { draftOfForm, type ScrollForm, zoneOf } from './form.ts';

/** When a message that leaves at once has left. */
const AFTER_RELEASE = 5 * SECOND;

/** The name under which the draft of a change to a scroll is kept. */
export const scrollDraft = ({ sealId }: Pick<OpenedScroll, 'sealId'>) =>
  draftOf({ noun: 'legacy-scroll' }, sealId);

/** Few letters have sisters. */
const sistersAfter = () => import('./sisters-after.ts');
/** Also where its row does not say so, as long as this device remembers any, or the row is in question: a server can spoil a row. */
const mayHaveSome = (vault: OpenVault, scroll: OpenedScroll) =>
  namesSisters(scroll) || readSisterMemory(vault.user.id) !== null || isRowInQuestion(vault, scroll);

export function useScrolls() {
  const vault = useVault();
  const { send } = vault.api;
  const writer = useMemo(() => scrollWriter(vault), [vault]);
  const list = useRows(scrollList, {
    // This screen counts time: what it said of a watch when it was left is wrong by now (docs/interface.md, "Fetching").
    refetchOnMount: 'always',
    refetchOnWindowFocus: 'always',
  });
  const transports = useAnswer(legacyScrolls.transports);

  /** How many scrolls watch decides whether this page gives signs of life. */
  async function thenLookAtUser<Done>(doing: Promise<Done>): Promise<Done> {
    try {
      return await doing;
    } finally {
      void refreshUser(vault);
    }
  }

  /** Its message is on its way by then. */
  async function thenLookAtDelivery<Done>(doing: Promise<Done>): Promise<Done> {
    const done = await doing;
    setTimeout(writer.refresh, AFTER_RELEASE);
    return done;
  }

  /** Takes a scroll that is gone on the server out of the list, and the draft of a change to it. */
  function drop(scroll: Pick<OpenedScroll, 'id' | 'sealId'>): void {
    dropDrafts(vault.user.id, scrollDraft(scroll));
    dropRow(vault, scrollList, scroll.id);
  }

  /** What its sisters keep is to be what it says now. */
  const followBySisters = async (scroll: OpenedScroll, before: OpenedScroll): Promise<OpenedScroll> =>
    mayHaveSome(vault, before) ? (await sistersAfter()).sendAfterChange(vault, scroll, before) : scroll;

  return {
    list,
    transports: transports.data,
    drop,
    create: async (form: ScrollForm, keys: NewKeys, sealId: string) =>
      writer.create(draftOfForm(form, zoneOf(form)), keys, sealId),
    async update(scroll: ReadableScroll, form: ScrollForm, keys: NewKeys, version: number) {
      const draft = draftOfForm(form, zoneOf(form, scroll), scroll.letter);
      const changed = await thenLookAtUser(writer.update(scroll, draft, keys, version));
      return followBySisters(changed, scroll);
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
    /** @param regardless of sisters that cannot be told, which was said before */
    async disarm(scroll: OpenedScroll, regardless = false): Promise<void> {
      const sisters = mayHaveSome(vault, scroll) ? await sistersAfter() : null;
      if (!regardless)
        sisters?.refuseUntold(vault, scroll, list.data ?? [], 'Press again to disarm it here alone.');
      const disarmed = await thenLookAtUser(writer.disarm(scroll));
      await sisters?.endAfterDisarming(vault, disarmed, scroll);
    },
    release: (scroll: OpenedScroll) => thenLookAtDelivery(thenLookAtUser(writer.release(scroll))),
    sealSentence: writer.sealSentence,
    rehearse: (...given: Parameters<typeof writer.rehearse>) => thenLookAtDelivery(writer.rehearse(...given)),

    /** A sign of life, for every scroll of the account. */
    async stillHere(): Promise<void> {
      await send(proofOfLife.give, {});
      await list.refetch();
    },

    /** @param regardless of sisters that were not reached, which was said before */
    async remove(scroll: OpenedScroll, regardless = false): Promise<void> {
      if (mayHaveSome(vault, scroll) && !regardless) {
        const sisters = await sistersAfter();
        sisters.refuseUntold(vault, scroll, list.data ?? [], 'Press again to delete it all the same.');
        await sisters.endBeforeDeleting(vault, scroll);
      }
      await thenLookAtUser(writer.remove(scroll));
      drop(scroll);
    },
  };
}

/** Whether this server is joined with other instances. @param wanted false while no letter could be left with them */
export function useHasSisters(wanted: boolean): boolean {
  const { api } = useVault();
  const { data } = useQuery({
    queryKey: ['sisters', 'any'],
    queryFn: async () => {
      // Most servers are joined with none, and what describes them is kept by no device.
      const { sisters } = await import('../../../shared/nouns/sisters.ts');
      return (await api.send(sisters.list, {})).length > 0;
    },
    enabled: wanted,
  });
  return data ?? false;
}

export type Scrolls = ReturnType<typeof useScrolls>;
