// The vault's legacy scrolls: listed and opened for their author, sealed in this browser, watched by the server. The
// server is never told a scroll's key, nor a word of its letter.
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { newSealId } from '../../../crypto/seal.ts';
import { PAGE_MAX } from '../../../shared/http/wire.ts';
import { legacyScrolls, normaliseAddress, type Scroll, scrollState } from '../../../shared/nouns/legacy.ts';
import { proofOfLife } from '../../../shared/nouns/switch.ts';
import { refusedAs } from '../../api/api-error.ts';
import { everyPage } from '../../api/every-page.ts';
import { useApi } from '../../api/services.tsx';
import { refreshUser } from '../../hooks/use-user.ts';
import { dropDraft } from '../../vault/entries/drafts.ts';
import { sendResealed } from '../../vault/entries/resealing.ts';
import { type Letter, openOwn, sealAgain, sealOwn } from '../../vault/legacy/scrolls.ts';
import { type OpenVault, useVault } from '../../vault/session/vault-context.ts';
import { type ScrollForm, timeZoneHere, zoneOf } from './form.ts';
import { type NewKey, type OpenedScroll, type ReadableScroll, sealFor } from './sealing.ts';

/** When a message that leaves at once has left, in milliseconds. */
const AFTER_RELEASE = 5000;

/** The name under which the draft of a change is kept. */
export const draftOfScroll = (id: number) => `legacy-scroll-${id}`;

const keyOf = ({ user, fingerprint }: OpenVault) => ['opened', legacyScrolls.list.path, user.id, fingerprint];

async function openRow(row: Scroll, vault: OpenVault): Promise<OpenedScroll> {
  const { title: _, encryptedContent: __, encryptedScrollKey: ___, ...open } = row;
  return { ...open, ...(await openOwn(row, vault)) };
}

async function loadAll(vault: OpenVault): Promise<OpenedScroll[]> {
  const rows = await everyPage((before) =>
    vault.api.sendForPage(legacyScrolls.list, { query: { limit: PAGE_MAX, before } }),
  );
  return Promise.all(rows.map((row) => openRow(row, vault)));
}

/** What a form says in the clear. */
const clearOf = (
  { triggerType, triggerValue, recipientType, recipientAddress }: ScrollForm,
  timeZone: string,
) => ({
  triggerType,
  triggerValue,
  timeZone,
  recipientType,
  recipientAddress: normaliseAddress(recipientType, recipientAddress),
});

export function useScrolls() {
  const queryClient = useQueryClient();
  const { send } = useApi();
  const vault = useVault();
  const queryKey = keyOf(vault);
  const list = useQuery({
    queryKey,
    queryFn: () => loadAll(vault),
    structuralSharing: false,
    // This screen counts time: what it said of a watch when it was left is wrong by now (docs/decisions/0077).
    refetchOnMount: 'always',
    refetchOnWindowFocus: 'always',
  });
  const couriers = useQuery({
    queryKey: [legacyScrolls.couriers.path],
    queryFn: () => send(legacyScrolls.couriers, {}),
  });

  /** A row is the answer of a moment: what a step does to it and to the others is asked once more. */
  const lookAgain = () => void queryClient.invalidateQueries({ queryKey });

  async function keep(row: Scroll): Promise<OpenedScroll> {
    const scroll = await openRow(row, vault);
    queryClient.setQueryData<OpenedScroll[]>(queryKey, (all) =>
      all?.some(({ id }) => id === scroll.id)
        ? all.map((other) => (other.id === scroll.id ? scroll : other))
        : [scroll, ...(all ?? [])],
    );
    return scroll;
  }

  /** What is sent of a scroll that was sealed anew; its seal number stays. */
  async function sealedFields(title: string, sealId: string, made: Awaited<ReturnType<typeof sealFor>>) {
    const { encryptedContent, access, scrollKey } = made;
    const own = await sealOwn(title, scrollKey, sealId, vault);
    return { ...own, encryptedContent, access, keyFingerprint: vault.fingerprint };
  }

  /**
   * @param sealId the same for every try of one scroll, so that a lost answer does not keep it twice
   * @throws SealError, AnotherKey, ApiError, TypeError
   */
  async function create(form: ScrollForm, key: NewKey, sealId: string): Promise<OpenedScroll> {
    const { title, content } = form;
    const letter: Letter = { v: 1, title, content, createdAt: new Date().toISOString() };
    const clear = clearOf(form, timeZoneHere());
    const made = await sealFor(clear, letter, sealId, key, vault);
    const body = { ...clear, ...(await sealedFields(title, sealId, made)) };
    try {
      const scroll = await keep(await send(legacyScrolls.create, { body: { ...body, sealId } }));
      lookAgain();
      return scroll;
    } catch (error) {
      if (!refusedAs(error, 'seal-reused')) throw error;
      // An earlier try had arrived and only its answer was lost: what was written since goes into that scroll.
      const earlier = (await loadAll(vault)).find((scroll) => scroll.sealId === sealId);
      if (!earlier) throw error;
      // But not into one that has gone on since: its card may be in somebody's hands.
      if (scrollState(earlier) !== 'dormant') return create(form, key, newSealId());
      return patch(earlier, { ...body, version: earlier.version });
    }
  }

  async function patch(
    { id }: OpenedScroll,
    body: Parameters<typeof send<typeof legacyScrolls.update>>[1]['body'],
  ) {
    const scroll = await keep(await send(legacyScrolls.update, { params: { id: String(id) }, body }));
    void refreshUser(vault);
    lookAgain();
    return scroll;
  }

  async function step(call: 'activate' | 'disarm' | 'release', { id }: OpenedScroll, body?: object) {
    const params = { id: String(id) };
    try {
      const row =
        call === 'activate'
          ? await send(legacyScrolls.activate, { params, body: body ?? {} })
          : await send(legacyScrolls[call], { params });
      const scroll = await keep(row);
      // Its message is on its way by then.
      if (call === 'release') setTimeout(lookAgain, AFTER_RELEASE);
      return scroll;
    } finally {
      // Also when it was refused: then it is not as this list has it.
      lookAgain();
      // How many scrolls watch decides whether this page gives signs of life.
      void refreshUser(vault);
    }
  }

  /** Takes a scroll that is gone on the server out of the list. */
  function drop(id: number): void {
    dropDraft(vault.user.id, draftOfScroll(id));
    queryClient.setQueryData<OpenedScroll[]>(queryKey, (all) => all?.filter((scroll) => scroll.id !== id));
  }

  return {
    list,
    couriers: couriers.data,
    drop,

    create,

    /**
     * Changes a scroll as its form says. Its key stays, and with it its card or passphrase, unless another is given.
     * @param key null keeps the key; for a whisper to the same vault it says to whom the signature is made anew
     */
    async update(
      scroll: ReadableScroll,
      form: ScrollForm,
      key: NewKey | null,
      version: number,
    ): Promise<OpenedScroll> {
      const { title, content } = form;
      const sealId = scroll.sealId ?? '';
      const letter: Letter = { ...scroll.letter, title, content };
      const clear = clearOf(form, zoneOf(form, scroll));
      if (key) {
        const sameVault = clear.recipientAddress === scroll.recipientAddress && scroll.access === 'vault';
        const made = await sealFor(
          clear,
          letter,
          sealId,
          key,
          vault,
          sameVault ? scroll.scrollKey : undefined,
        );
        return patch(scroll, { ...clear, ...(await sealedFields(title, sealId, made)), version });
      }
      const encryptedContent = await sealAgain(letter, scroll.scrollKey, sealId);
      const own = await sealOwn(title, scroll.scrollKey, sealId, vault);
      return patch(scroll, {
        ...clear,
        ...own,
        encryptedContent,
        keyFingerprint: vault.fingerprint,
        version,
      });
    },

    /** The same letter under another key: what opened it before opens nothing any more. */
    async renewKey(scroll: ReadableScroll, key: NewKey): Promise<OpenedScroll> {
      const sealId = scroll.sealId ?? '';
      const made = await sealFor(scroll, scroll.letter, sealId, key, vault);
      const sealed = await sealedFields(scroll.title, sealId, made);
      const { triggerType, triggerValue, timeZone, recipientType, recipientAddress, version } = scroll;
      return patch(scroll, {
        ...{ triggerType, triggerValue, timeZone, recipientType, recipientAddress, version },
        ...sealed,
      });
    },

    /** Its author says that a scroll which arrived from outside is theirs: its title and key are sealed anew. */
    async adopt(scroll: ReadableScroll): Promise<void> {
      const { id, version, title, scrollKey, sealId } = scroll;
      const own = await sealOwn(title, scrollKey, sealId ?? '', vault);
      await sendResealed([{ kind: 'legacy-scroll', id, version, ...own }], vault);
      await list.refetch();
    },

    /** Fetches everything again; the scroll as it stands now, or null when it is gone. */
    async refetch(id: number): Promise<OpenedScroll | null> {
      const { data } = await list.refetch();
      return data?.find((scroll) => scroll.id === id) ?? null;
    },

    activate: (scroll: OpenedScroll, choice: { handedOver: boolean; warning: 'mail' | 'dashboard' }) =>
      step('activate', scroll, { ...choice, version: scroll.version }),
    disarm: (scroll: OpenedScroll) => step('disarm', scroll),
    release: (scroll: OpenedScroll) => step('release', scroll),

    /** A proof of life, for every scroll of the account. */
    async stillHere(): Promise<void> {
      await send(proofOfLife.give, {});
      await list.refetch();
    },

    async remove(id: number): Promise<void> {
      await send(legacyScrolls.remove, { params: { id: String(id) } });
      drop(id);
      lookAgain();
      void refreshUser(vault);
    },
  };
}

export type Scrolls = ReturnType<typeof useScrolls>;
