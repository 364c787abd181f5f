// Letters in an export and out of one: those of the author's own scrolls, and whispers that other vaults have left.
// What comes back is never released to anybody by itself, and never says that it is what it was copied from.

import { OpenError } from '../../../../crypto/errors.ts';
import { newRecipientNumber, newScrollKey } from '../../../../crypto/scroll.ts';
import { legacyScrolls, scrollState } from '../../../../shared/nouns/legacy.ts';
import { type Whisper, whispers } from '../../../../shared/nouns/whispers.ts';
import { boundRecipient } from '../../../../shared/sealed-facts.ts';
import { startOfDay } from '../../../../shared/start-of-day.ts';
import { ApiError } from '../../../../vault/api/api-error.ts';
import { inBook } from '../../../../vault/book/in-book.ts';
import { factsNow } from '../../../../vault/entries/facts.ts';
import type { ExportedMemory } from '../../../../vault/kinds/memory.ts';
import type { OpenedScroll } from '../../../../vault/legacy/scroll-list.ts';
import { readWhisper, sealOwn, sealUnder } from '../../../../vault/legacy/scrolls.ts';
import { inFours } from '../../../ui/in-fours.ts';
import type { OpenVault } from '../../../vault/session/vault-context.ts';
import type { ExportedLetter, ExportedWhisper } from './entries-file.ts';

/** An ISO date as this server writes it: a letter's own may be anything that its writer's program put there. */
function momentOf(text: string, otherwise: string): string {
  const time = Date.parse(text);
  return Number.isNaN(time) ? otherwise : new Date(time).toISOString();
}

/** The letters that open here. */
export const exportedLetters = (scrolls: readonly OpenedScroll[]): ExportedLetter[] =>
  scrolls.flatMap((scroll) => {
    const { title, letter } = scroll;
    if (title === null || letter === null || scroll.sealId === null) return [];
    const { sealId, triggerType, triggerValue, timeZone, authorName } = scroll;
    const recipients = scroll.recipients.map(({ recipientType, recipientAddress, tell }) => ({
      ...{ recipientType, recipientAddress, tell },
    }));
    return [
      {
        ...{ sealId, title: letter.title, content: letter.content, state: scrollState(scroll) },
        ...{ triggerType, triggerValue, timeZone, authorName, recipients },
        createdAt: momentOf(letter.createdAt, scroll.createdAt),
      },
    ];
  });

/** The whispers that open with the vault's own keys, one after the other. @throws ApiError, TypeError, AnotherKey */
export async function readAllWhispers(
  list: readonly Whisper[],
  vault: OpenVault,
): Promise<ExportedWhisper[]> {
  const read: ExportedWhisper[] = [];
  for (const { publicId, access, releasedAt } of list) {
    if (access !== 'vault') continue;
    const served = await vault.api.send(whispers.open, { params: { publicId } });
    const opened = await readWhisper(served, vault).catch((error: unknown) => {
      if (error instanceof OpenError) return null;
      throw error;
    });
    if (!opened || served.sealId === null) continue;
    const { title, content } = opened.letter;
    read.push({ sealId: served.sealId, publicId, title, content, from: opened.senderAddress, releasedAt });
  }
  return read;
}

/** A day that has begun can release nothing any more: such a letter comes back to be released by hand. */
function triggerNow({ triggerType, triggerValue, timeZone }: ExportedLetter, now: number) {
  const begins = triggerType === 'date' ? startOfDay(triggerValue, timeZone) : null;
  return triggerType === 'date' && (begins === null || begins <= now)
    ? ({ triggerType: 'manual', triggerValue: 'manual' } as const)
    : { triggerType, triggerValue };
}

/**
 * Keeps a letter as a dormant scroll under this vault's key, without a key for its recipients: nobody but its author can
 * open it, until they make new ones.
 * @returns false when the vault has a scroll of this seal already
 */
export async function bringLetter(letter: ExportedLetter, vault: OpenVault, now: number): Promise<boolean> {
  const { sealId, title, content, createdAt, timeZone, authorName } = letter;
  const recipients = letter.recipients.map((one) => ({ ...one, publicId: newRecipientNumber() }));
  const scrollKey = newScrollKey();
  const clear = { ...triggerNow(letter, now), timeZone, authorName, recipients };
  const bound = recipients.map((one) => boundRecipient(one, null));
  const facts = factsNow('legacy-scroll', { ...clear, recipients: bound, version: 1 }, createdAt);
  const [encryptedContent, own] = await Promise.all([
    sealUnder(scrollKey, { v: 1, title, content, createdAt }, sealId),
    sealOwn(title, scrollKey, sealId, facts, vault),
  ]);
  const { fingerprint: keyFingerprint } = vault;
  try {
    const put = [{ kind: 'legacy-scroll' as const, sealId, sealed: own }];
    await inBook(vault, { put }).send(legacyScrolls.create, {
      body: { ...own, ...clear, encryptedContent, sealId, keyFingerprint },
    });
    return true;
  } catch (error) {
    if (error instanceof ApiError && error.code === 'seal-reused') return false;
    throw error;
  }
}

/** A whisper as a memory: no vault can receive again what was sealed to another, but its words can be kept. */
export function asMemory({ sealId, title, content, from, releasedAt }: ExportedWhisper): ExportedMemory {
  const source = `A whisper from the vault ${inFours(from)}, released ${releasedAt.slice(0, 10)}.`;
  return {
    sealId,
    title,
    content: `${content}\n\n${source}`,
    details: null,
    timeLockUntil: null,
    createdAt: releasedAt,
    updatedAt: releasedAt,
  };
}
