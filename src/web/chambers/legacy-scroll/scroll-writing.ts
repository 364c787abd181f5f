// Writing scrolls: sealed in this browser, kept by the server, which is never told a scroll's key nor a word of its letter.
import { newSealId } from '../../../crypto/seal.ts';
import type { BodyOf } from '../../../shared/http/call.ts';
import { legacyScrolls, normaliseAddress, scrollState } from '../../../shared/nouns/legacy.ts';
import { refusedAs } from '../../api/api-error.ts';
import { refreshUser } from '../../hooks/use-user.ts';
import { sendResealed } from '../../vault/entries/resealing.ts';
import { type Letter, sealAgain, sealOwn } from '../../vault/legacy/scrolls.ts';
import type { OpenVault } from '../../vault/session/vault-context.ts';
import { type ScrollForm, timeZoneHere, zoneOf } from './form.ts';
import { loadScrolls, type ScrollCache } from './scroll-cache.ts';
import { type NewKey, type OpenedScroll, type ReadableScroll, sealFor } from './sealing.ts';

export interface ScrollDesk {
  vault: OpenVault;
  cache: ScrollCache;
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

/** What is sent of a scroll that was sealed anew; its seal number stays. */
async function sealedFields(
  vault: OpenVault,
  title: string,
  sealId: string,
  { encryptedContent, access, scrollKey }: Awaited<ReturnType<typeof sealFor>>,
) {
  const own = await sealOwn(title, scrollKey, sealId, vault);
  return { ...own, encryptedContent, access, keyFingerprint: vault.fingerprint };
}

/**
 * @param sealId the same for every try of one scroll, so that a lost answer does not keep it twice
 * @throws SealError, AnotherKey, ApiError, TypeError
 */
export async function createScroll(
  desk: ScrollDesk,
  form: ScrollForm,
  key: NewKey,
  sealId: string,
): Promise<OpenedScroll> {
  const { vault, cache } = desk;
  const { title, content } = form;
  const letter: Letter = { v: 1, title, content, createdAt: new Date().toISOString() };
  const clear = clearOf(form, timeZoneHere());
  const made = await sealFor(clear, letter, sealId, key, vault);
  const body = { ...clear, ...(await sealedFields(vault, title, sealId, made)) };
  try {
    const scroll = await cache.keep(
      await vault.api.send(legacyScrolls.create, { body: { ...body, sealId } }),
    );
    cache.lookAgain();
    return scroll;
  } catch (error) {
    if (!refusedAs(error, 'seal-reused')) throw error;
    // An earlier try had arrived and only its answer was lost: what was written since goes into that scroll.
    const earlier = (await loadScrolls(vault)).find((scroll) => scroll.sealId === sealId);
    if (!earlier) throw error;
    // But not into one that has gone on since: its card may be in somebody's hands.
    if (scrollState(earlier) !== 'dormant') return createScroll(desk, form, key, newSealId());
    return patch(desk, earlier, { ...body, version: earlier.version });
  }
}

async function patch(
  { vault, cache }: ScrollDesk,
  { id }: OpenedScroll,
  body: BodyOf<typeof legacyScrolls.update>,
): Promise<OpenedScroll> {
  const scroll = await cache.keep(
    await vault.api.send(legacyScrolls.update, { params: { id: String(id) }, body }),
  );
  void refreshUser(vault);
  cache.lookAgain();
  return scroll;
}

/**
 * Changes a scroll as its form says. Its key stays, and with it its card or passphrase, unless another is given.
 * @param key null keeps the key; for a whisper to the same vault it says to whom the signature is made anew
 */
export async function updateScroll(
  desk: ScrollDesk,
  scroll: ReadableScroll,
  form: ScrollForm,
  key: NewKey | null,
  version: number,
): Promise<OpenedScroll> {
  const { vault } = desk;
  const { title, content } = form;
  const sealId = scroll.sealId ?? '';
  const letter: Letter = { ...scroll.letter, title, content };
  const clear = clearOf(form, zoneOf(form, scroll));
  if (key) {
    const sameVault = clear.recipientAddress === scroll.recipientAddress && scroll.access === 'vault';
    const before = sameVault ? scroll.scrollKey : undefined;
    const made = await sealFor(clear, letter, sealId, key, vault, before);
    return patch(desk, scroll, { ...clear, ...(await sealedFields(vault, title, sealId, made)), version });
  }
  const encryptedContent = await sealAgain(letter, scroll.scrollKey, sealId);
  const own = await sealOwn(title, scroll.scrollKey, sealId, vault);
  const sealed = { ...own, encryptedContent, keyFingerprint: vault.fingerprint };
  return patch(desk, scroll, { ...clear, ...sealed, version });
}

/** The same letter under another key: what opened it before opens nothing any more. */
export async function renewScrollKey(
  desk: ScrollDesk,
  scroll: ReadableScroll,
  key: NewKey,
): Promise<OpenedScroll> {
  const sealId = scroll.sealId ?? '';
  const made = await sealFor(scroll, scroll.letter, sealId, key, desk.vault);
  const sealed = await sealedFields(desk.vault, scroll.title, sealId, made);
  const { triggerType, triggerValue, timeZone, recipientType, recipientAddress, version } = scroll;
  const clear = { triggerType, triggerValue, timeZone, recipientType, recipientAddress };
  return patch(desk, scroll, { ...clear, ...sealed, version });
}

/** Its author says that a scroll which arrived from outside is theirs: its title and key are sealed anew. */
export async function adoptScroll({ vault }: ScrollDesk, scroll: ReadableScroll): Promise<void> {
  const { id, version, title, scrollKey, sealId } = scroll;
  const own = await sealOwn(title, scrollKey, sealId ?? '', vault);
  await sendResealed([{ kind: 'legacy-scroll', id, version, ...own }], vault);
}
