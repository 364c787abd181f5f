// Letters in an export and out of one: those of the author's own scrolls, and whispers that other vaults have left.
// What comes back is never released to anybody by itself, and never says that it is what it was copied from.

import { OpenError } from '../../crypto/errors.ts';
import { inFours } from '../../shared/in-fours.ts';
import { scrollState } from '../../shared/nouns/legacy.ts';
import { type Whisper, whispers } from '../../shared/nouns/whispers.ts';
import { startOfDay } from '../../shared/start-of-day.ts';
import { detailsToJson } from '../entries/details.ts';
import type { ExportedMemory } from '../kinds/memory.ts';
import { detailsOfLetter, type LetterFiles } from '../legacy/letter-files.ts';
import type { OpenedScroll } from '../legacy/scroll-list.ts';
import { readWhisper } from '../legacy/whispers.ts';
import { bringScroll } from '../outbox/brought-rows.ts';
import type { ListedVault } from '../replica/row-list.ts';
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
    const { sealId, triggerType, triggerValue, timeZone, signedAs: authorName } = scroll;
    const recipients = scroll.recipients.map(({ publicId, recipientType, recipientAddress, tell }) => ({
      ...{ recipientType, recipientAddress, tell },
      name: scroll.names.get(publicId) ?? '',
    }));
    return [
      {
        ...{ sealId, title: letter.title, content: letter.content, state: scrollState(scroll) },
        details: detailsToJson(detailsOfLetter(letter)),
        ...{ triggerType, triggerValue, timeZone, authorName, recipients },
        createdAt: momentOf(letter.createdAt, scroll.createdAt),
      },
    ];
  });

/** The whispers that open with the vault's own keys, one after the other. @throws ApiError, TypeError, AnotherKey */
export async function readAllWhispers(
  list: readonly Whisper[],
  vault: ListedVault,
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
    const details = detailsToJson(detailsOfLetter(opened.letter));
    const from = opened.senderAddress;
    read.push({ sealId: served.sealId, publicId, title, content, details, from, releasedAt });
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
 * Keeps a letter as a dormant scroll, as far as its time has not come yet.
 * @param files what it is to say of its files, and the numbers of those that were brought
 * @returns false for one that is here already
 */
export const bringLetter = (
  letter: ExportedLetter,
  vault: ListedVault,
  now: number,
  files: Omit<LetterFiles, 'removed'>,
): Promise<boolean> =>
  bringScroll(vault, { ...letter, ...triggerNow(letter, now), files: { ...files, removed: [] } });

/** A whisper as a memory: no vault can receive again what was sealed to another, but its words can be kept. @param sealId the memory's */
export function asMemory(
  { title, content, details, from, releasedAt }: ExportedWhisper,
  sealId: string,
): ExportedMemory {
  const source = `A whisper from the vault ${inFours(from)}, released ${releasedAt.slice(0, 10)}.`;
  return {
    sealId,
    title,
    content: `${content}\n\n${source}`,
    details: details ?? null,
    timeLockUntil: null,
    createdAt: releasedAt,
    updatedAt: releasedAt,
  };
}
