// Writing scrolls: sealed in this browser, kept by the server, which is never told a scroll's key nor a word of its letter.
import { newRecipientNumber, newScrollKey } from '../../../crypto/scroll.ts';
import { newSealId } from '../../../crypto/seal.ts';
import { normaliseAuthorName } from '../../../shared/author-name.ts';
import type { BodyOf } from '../../../shared/http/call.ts';
import { legacyScrolls, scrollState } from '../../../shared/nouns/legacy.ts';
import { normaliseAddress } from '../../../shared/nouns/scroll-recipients.ts';
import { boundRecipient } from '../../../shared/sealed-facts.ts';
import { refusedAs } from '../../../vault/api/api-error.ts';
import { inBook } from '../../../vault/book/in-book.ts';
import { factsAsOpened, factsNow } from '../../../vault/entries/facts.ts';
import { sendResealed } from '../../../vault/entries/resealing.ts';
import type { Letter } from '../../../vault/legacy/letter.ts';
import { type OpenedScroll, scrollList } from '../../../vault/legacy/scroll-list.ts';
import { sealOwn, sealUnder } from '../../../vault/legacy/scrolls.ts';
import { refreshUser } from '../../hooks/use-user.ts';
import type { OpenVault } from '../../vault/session/vault-context.ts';
import { type ScrollForm, timeZoneHere, triggerValueOf, zoneOf } from './form.ts';
import type { ScrollCache } from './scroll-cache.ts';
import { formOf, makeKeyFor, type NewKey, type ReadableScroll, type SealedLetter } from './sealing.ts';

export interface ScrollDesk {
  vault: OpenVault;
  cache: ScrollCache;
}

/** The keys that a form gives its recipients, by the key of each in the form; null and none keep what one has. */
export type NewKeys = Readonly<Record<string, NewKey | null>>;

/** What a scroll was before it is written: none of it for a new one. */
type Before = Pick<OpenedScroll, 'version' | 'createdAt' | 'recipients'>;

/** What is sent of a form and its sealed letter, spelled as the server keeps it. A new key is made for whoever gets one. */
async function bodyOf(
  { vault }: ScrollDesk,
  form: ScrollForm,
  timeZone: string,
  keys: NewKeys,
  letter: SealedLetter,
  before: Before | null,
) {
  const { title, triggerType } = form;
  const triggerValue = triggerValueOf(form);
  const authorName = normaliseAuthorName(form.authorName) || null;
  const recipients = await Promise.all(
    form.recipients.map(async ({ key, id, recipientType, recipientAddress, tell }) => {
      const to = { recipientType, recipientAddress: normaliseAddress(recipientType, recipientAddress) };
      const given = keys[key];
      const access = given ? await makeKeyFor(to, given, letter, vault) : null;
      const kept = id === null ? undefined : before?.recipients.find((one) => one.id === id);
      const publicId = kept?.publicId ?? newRecipientNumber();
      return {
        sent: { id, ...to, tell, access, publicId },
        bound: boundRecipient({ ...to, tell, publicId }, access, kept),
      };
    }),
  );
  const bound = recipients.map((one) => one.bound);
  const version = (before?.version ?? 0) + 1;
  const chosen = { triggerType, triggerValue, timeZone, authorName };
  const facts = factsNow('legacy-scroll', { version, ...chosen, recipients: bound }, before?.createdAt);
  const own = await sealOwn(title, letter.scrollKey, letter.sealId, facts, vault);
  const { encryptedContent } = letter;
  const sent = recipients.map((one) => one.sent);
  return { ...chosen, recipients: sent, encryptedContent, ...own, keyFingerprint: vault.fingerprint };
}

/**
 * @param sealId the same for every try of one scroll, so that a lost answer does not keep it twice
 * @throws SealError, AnotherKey, ApiError, TypeError
 */
export async function createScroll(
  desk: ScrollDesk,
  form: ScrollForm,
  keys: NewKeys,
  sealId: string,
): Promise<OpenedScroll> {
  const { vault, cache } = desk;
  const { title, content } = form;
  const letter: Letter = { v: 1, title, content, createdAt: new Date().toISOString() };
  const scrollKey = newScrollKey();
  const sealed = { scrollKey, sealId, encryptedContent: await sealUnder(scrollKey, letter, sealId) };
  const asNew = { ...form, recipients: form.recipients.map((one) => ({ ...one, id: null })) };
  const body = await bodyOf(desk, asNew, timeZoneHere(), keys, sealed, null);
  try {
    const scroll = await cache.keep(
      await inBook(vault, { put: [{ kind: 'legacy-scroll', sealId, sealed: body }] }).send(
        legacyScrolls.create,
        { body: { ...body, sealId } },
      ),
    );
    cache.lookAgain();
    return scroll;
  } catch (error) {
    if (!refusedAs(error, 'seal-reused')) throw error;
    // An earlier try had arrived and only its answer was lost: what was written since goes into that scroll.
    const earlier = (await vault.lists.load(scrollList)).find((scroll) => scroll.sealId === sealId);
    if (!earlier) throw error;
    // But not into one that has gone on since: its card may be in somebody's hands.
    if (scrollState(earlier) !== 'dormant') return createScroll(desk, form, keys, newSealId());
    const { version } = earlier;
    const anew = await bodyOf(desk, asNew, timeZoneHere(), keys, sealed, {
      ...{ version, createdAt: letter.createdAt, recipients: [] },
    });
    return patch(desk, earlier, { ...anew, version });
  }
}

async function patch(
  { vault, cache }: ScrollDesk,
  { id, sealId }: OpenedScroll,
  body: BodyOf<typeof legacyScrolls.update>,
): Promise<OpenedScroll> {
  const scroll = await cache.keep(
    await inBook(vault, { put: [{ kind: 'legacy-scroll', sealId, sealed: body }] }).send(
      legacyScrolls.update,
      { params: { id: String(id) }, body },
    ),
  );
  void refreshUser(vault);
  cache.lookAgain();
  return scroll;
}

/**
 * Changes a scroll as its form says. Its own key stays, and with it the cards and passphrases of those who get no other.
 * @param keys for each whisper it says to whom the signature is made anew
 */
export async function updateScroll(
  desk: ScrollDesk,
  scroll: ReadableScroll,
  form: ScrollForm,
  keys: NewKeys,
  version: number,
): Promise<OpenedScroll> {
  const { title, content } = form;
  const { scrollKey } = scroll;
  const sealId = scroll.sealId ?? '';
  const encryptedContent = await sealUnder(scrollKey, { ...scroll.letter, title, content }, sealId);
  const sealed = { scrollKey, sealId, encryptedContent };
  // A draft may name somebody who was removed elsewhere meanwhile: they are added anew.
  const known = new Set(scroll.recipients.map(({ id }) => id));
  const recipients = form.recipients.map((one) =>
    one.id !== null && known.has(one.id) ? one : { ...one, id: null },
  );
  const before = { ...scroll, version };
  const body = await bodyOf(desk, { ...form, recipients }, zoneOf(form, scroll), keys, sealed, before);
  return patch(desk, scroll, { ...body, version });
}

/** Another key for one recipient of the same letter: what they had before opens nothing any more. */
export async function renewKey(
  desk: ScrollDesk,
  scroll: ReadableScroll,
  recipientId: number,
  key: NewKey,
): Promise<OpenedScroll> {
  const { scrollKey, encryptedContent, timeZone, version } = scroll;
  const sealed = { scrollKey, encryptedContent, sealId: scroll.sealId ?? '' };
  const given = { [String(recipientId)]: key };
  const body = await bodyOf(desk, formOf(scroll), timeZone, given, sealed, scroll);
  return patch(desk, scroll, { ...body, version });
}

/** Its author says that a scroll which arrived from outside is theirs: its title and key are sealed anew. */
export async function adoptScroll({ vault }: ScrollDesk, scroll: ReadableScroll): Promise<void> {
  const { id, version, title, scrollKey, sealId } = scroll;
  const own = await sealOwn(title, scrollKey, sealId ?? '', factsAsOpened('legacy-scroll', scroll), vault);
  const entry = { kind: 'legacy-scroll' as const, id, version, ...own };
  await sendResealed([{ sealId, entry }], vault, 'taken in');
}
