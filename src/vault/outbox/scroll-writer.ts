// Letters to be left: sealed here, kept by the server, which is never told a scroll's key nor a word of its letter.
import { deriveLetterKey, newScrollKey } from '../../crypto/scroll.ts';
import { newSealId } from '../../crypto/seal.ts';
import type { BodyOf } from '../../shared/http/call.ts';
import { legacyScrolls, type Scroll, type ScrollState, scrollState } from '../../shared/nouns/legacy.ts';
import { rehearsals } from '../../shared/nouns/rehearsals.ts';
import type { ScrollRecipient } from '../../shared/nouns/scroll-recipients.ts';
import { refusedAs } from '../api/api-error.ts';
import { inBook } from '../book/in-book.ts';
import { factsAsOpened } from '../entries/facts.ts';
import { readFiles } from '../files/file-ref.ts';
import type { KeptSisters, LetterSisters } from '../legacy/kept-sisters.ts';
import { type Letter, sealRehearsal } from '../legacy/letter.ts';
import { detailsOfLetter } from '../legacy/letter-files.ts';
import type { NewKey } from '../legacy/recipient-keys.ts';
import { type OpenedScroll, openScroll, type ReadableScroll, scrollList } from '../legacy/scroll-list.ts';
import { sealOwn, sealUnder } from '../legacy/scrolls.ts';
import { sendResealed } from '../opening/resealing.ts';
import { dropRow, type ListedVault, putRow } from '../replica/row-list.ts';
import { complete, erase } from './files-of-entry.ts';
import { EarlierWentOn, notTaken, refuseOvertaken } from './own-refusals.ts';
import { asDraft, bodyOf, filesOf, type NewKeys, nameOf, type ScrollDraft } from './scroll-draft.ts';

/** Which of these files a letter names: all of them where it does not open, as it may. */
function namedBy({ letter }: OpenedScroll, added: readonly string[]): readonly string[] {
  if (letter === null) return added;
  const named = new Set(readFiles(detailsOfLetter(letter)).files.map(({ id }) => id));
  return added.filter((id) => named.has(id));
}

/** How what is done with letters is sent, and shown in their list. */
function listedScrolls(vault: ListedVault) {
  const send = (body: object, sealId: string | null, version: number, over?: string) =>
    inBook(vault, { put: [{ kind: 'legacy-scroll', sealId, sealed: body, over, version }] });
  // A row is the answer of a moment: what a step does to it and to the others is asked once more.
  const refresh = () => void vault.lists.refresh(scrollList);

  async function show(row: Scroll): Promise<OpenedScroll> {
    const scroll = await openScroll(row, vault);
    putRow(vault, scrollList, scroll);
    return scroll;
  }

  async function patch(
    { id, sealId, leaf }: OpenedScroll,
    body: BodyOf<typeof legacyScrolls.update>,
  ): Promise<OpenedScroll> {
    const params = { id: String(id) };
    const sending = send(body, sealId, body.version + 1, leaf).send(legacyScrolls.update, { params, body });
    const row = await sending.catch(refuseOvertaken);
    const scroll = await show(row);
    refresh();
    return scroll;
  }

  return { send, show, patch, refresh };
}

type Listed = ReturnType<typeof listedScrolls>;

/** The steps of a scroll that is sealed. */
function scrollSteps(vault: ListedVault, { show, refresh }: Listed) {
  /** @throws ApiError also where the answer itself says that it is not so: nobody is told of a step that was not taken */
  async function step(sending: Promise<Scroll>, wanted: ScrollState): Promise<OpenedScroll> {
    try {
      const row = await sending;
      if (scrollState(row) !== wanted) throw notTaken();
      return await show(row);
    } finally {
      // Also when it was refused: then it is not as this list has it.
      refresh();
    }
  }

  return {
    /** Sets a scroll to watch. */
    activate: (
      { id, version }: OpenedScroll,
      choice: Omit<BodyOf<typeof legacyScrolls.activate>, 'version'>,
    ): Promise<OpenedScroll> =>
      step(
        vault.api.send(legacyScrolls.activate, { params: { id: String(id) }, body: { ...choice, version } }),
        'watching',
      ),
    disarm: ({ id }: OpenedScroll): Promise<OpenedScroll> =>
      step(vault.api.send(legacyScrolls.disarm, { params: { id: String(id) } }), 'dormant'),
    /** Sends it now. */
    release: ({ id }: OpenedScroll): Promise<OpenedScroll> =>
      step(vault.api.send(legacyScrolls.release, { params: { id: String(id) } }), 'released'),

    /** What a rehearsal says, sealed: the same for every try of one press, so that a lost answer sends nothing twice. */
    async sealSentence({ scrollKey, sealId, signedAs }: ReadableScroll, sentence: string): Promise<string> {
      const letterKey = await deriveLetterKey(scrollKey);
      return sealRehearsal({ v: 1, sentence, authorName: signedAs }, letterKey, sealId ?? '');
    },

    /** Sends a rehearsal to some of its recipients. */
    async rehearse({ id }: OpenedScroll, body: BodyOf<typeof rehearsals.ask>): Promise<OpenedScroll> {
      try {
        return await show(await vault.api.send(rehearsals.ask, { params: { id: String(id) }, body }));
      } finally {
        refresh();
      }
    },

    async remove({ id, sealId }: OpenedScroll): Promise<void> {
      await inBook(vault, { removed: [sealId] }).send(legacyScrolls.remove, { params: { id: String(id) } });
      dropRow(vault, scrollList, id);
      refresh();
    },
  };
}

/** What is sealed anew of a letter whose words stay as they are. */
function sealedAnew(vault: ListedVault, patch: Listed['patch']) {
  return {
    /** Another key for one recipient of the same letter: what they had before opens nothing any more. */
    async renewKey(
      scroll: ReadableScroll,
      { publicId }: Pick<ScrollRecipient, 'publicId'>,
      key: NewKey,
    ): Promise<OpenedScroll> {
      const { scrollKey, encryptedContent, version, sisters } = scroll;
      const sealed = { scrollKey, encryptedContent, sisters, sealId: scroll.sealId ?? '' };
      const keys = { [publicId]: key };
      const body = await bodyOf(vault, asDraft(scroll), keys, sealed, scroll);
      return patch(scroll, { ...body, version });
    },

    /**
     * Seals the letter with what it tells of its sisters, and with it what its author keeps of them.
     * @param told absent for a letter that tells of none
     * @param keep is given the letter as it will be served
     */
    async keepSisters(
      scroll: ReadableScroll,
      told: LetterSisters | undefined,
      keep: (encryptedContent: string) => Promise<KeptSisters>,
    ): Promise<OpenedScroll> {
      const { scrollKey, version } = scroll;
      const sealId = scroll.sealId ?? '';
      const encryptedContent = await sealUnder(scrollKey, { ...scroll.letter, sisters: told }, sealId);
      const sealed = { scrollKey, sealId, encryptedContent, sisters: await keep(encryptedContent) };
      return patch(scroll, { ...(await bodyOf(vault, asDraft(scroll), {}, sealed, scroll)), version });
    },

    /** Its author says that a scroll which arrived from outside is theirs: its title and key are sealed anew. */
    async adopt(scroll: ReadableScroll): Promise<void> {
      const { id, version, title, sealId, leaf } = scroll;
      const facts = factsAsOpened('legacy-scroll', scroll);
      const own = await sealOwn(title, scroll, sealId ?? '', facts, vault);
      const entry = { kind: 'legacy-scroll' as const, id, version, ...own };
      await sendResealed([{ sealId, entry, over: leaf }], vault, 'taken in').catch(refuseOvertaken);
    },
  };
}

/** What a screen does with letters. Each shows in the list what it has done. */
export function scrollWriter(vault: ListedVault) {
  const listed = listedScrolls(vault);
  const { send, show, patch, refresh } = listed;

  return {
    /**
     * @param sealId the same for every try of one scroll, so that a lost answer does not keep it twice
     * @throws SealError, AnotherKey, FileNotWhole, EarlierWentOn, ApiError, TypeError
     */
    async create(draft: ScrollDraft, keys: NewKeys, sealId: string): Promise<OpenedScroll> {
      const { title, content } = draft;
      const createdAt = new Date().toISOString();
      const letter: Letter = {
        ...{ v: 1, title, content, createdAt, authorName: nameOf(draft) },
        ...filesOf(draft),
      };
      const scrollKey = newScrollKey();
      const sealed = { scrollKey, sealId, encryptedContent: await sealUnder(scrollKey, letter, sealId) };
      const asNew = { ...draft, recipients: draft.recipients.map((one) => ({ ...one, publicId: null })) };
      const body = await bodyOf(vault, asNew, keys, sealed, null);
      // A letter that names a file is sent only once the file is whole and belongs to it.
      await complete(draft, vault, sealId);
      try {
        const reply = await send(body, sealId, 1).send(legacyScrolls.create, { body: { ...body, sealId } });
        const scroll = await show(reply);
        refresh();
        return scroll;
      } catch (error) {
        if (!refusedAs(error, 'seal-reused')) throw error;
        // An earlier try had arrived and only its answer was lost: what was written since goes into that scroll.
        const earlier = (await vault.lists.load(scrollList)).find((scroll) => scroll.sealId === sealId);
        if (!earlier) throw error;
        // But not into one that has gone on since: its card may be in somebody's hands. Files belong to one letter alone.
        if (scrollState(earlier) !== 'dormant') {
          const added = draft.files?.added ?? [];
          if (added.length > 0) throw new EarlierWentOn(namedBy(earlier, added));
          return this.create(draft, keys, newSealId());
        }
        const { version } = earlier;
        const before = { version, createdAt: letter.createdAt, recipients: [] };
        return patch(earlier, { ...(await bodyOf(vault, asNew, keys, sealed, before)), version });
      }
    },

    /**
     * Changes a scroll as a draft says. Its own key stays, and with it the cards and passphrases of those who get no other.
     * @param keys for each whisper it says to whom the signature is made anew
     * @throws SealError, AnotherKey, FileNotWhole, ApiError, TypeError
     */
    async update(
      scroll: ReadableScroll,
      draft: ScrollDraft,
      keys: NewKeys,
      version: number,
    ): Promise<OpenedScroll> {
      const { title, content } = draft;
      const { scrollKey } = scroll;
      const sealId = scroll.sealId ?? '';
      const { files: before, ...others } = scroll.letter;
      const letter = {
        ...{ ...others, title, content, authorName: nameOf(draft) },
        ...(draft.files ? filesOf(draft) : { files: before }),
      };
      const encryptedContent = await sealUnder(scrollKey, letter, sealId);
      const sealed = { scrollKey, sealId, encryptedContent, sisters: scroll.sisters };
      // A draft may name somebody who was removed elsewhere meanwhile: they are added anew.
      const body = await bodyOf(vault, draft, keys, sealed, { ...scroll, version });
      await complete(draft, vault, sealId);
      const changed = await patch(scroll, { ...body, version });
      // What cannot be erased goes with its letter.
      void erase(draft, vault).catch(() => {});
      return changed;
    },

    ...sealedAnew(vault, patch),
    ...scrollSteps(vault, listed),
    refresh,
  };
}
