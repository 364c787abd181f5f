// What is done with a letter's sisters once something else was done with the letter: they keep what it says now, or nothing.
import { isReadable, type OpenedScroll } from '../../../vault/legacy/scroll-list.ts';
import { keepersOfLetter } from '../../../vault/legacy/signs-of-life.ts';
import { originsOfOthers, readMemory } from '../../../vault/legacy/sister-memory.ts';
import { keptSistersOf, letterWithSisters } from '../../../vault/legacy/with-sisters.ts';
import { StillKept } from '../../../vault/outbox/own-refusals.ts';
import { isAsSent, maySend, sisterWriter } from '../../../vault/outbox/sister-writer.ts';
import { toast } from '../../ui/toaster.tsx';
import { isRowInQuestion, MAY_BE_KEPT } from '../../vault/legacy/row-in-question.ts';
import { readSisterMemory, sisterPorts } from '../../vault/legacy/sister-device.ts';
import type { OpenVault } from '../../vault/session/vault-context.ts';
import { hostOf, listed, stillHaveIt } from './sister-words.ts';

const writerOf = (vault: OpenVault) => sisterWriter(vault, sisterPorts(vault));

const keepAnEarlierOne = (description: string) =>
  toast({ title: 'Sisters keep an earlier version', description, tone: 'destructive' });

/**
 * Gives them a letter that was changed, or ends it where they cannot keep it any more. It never fails: the letter itself is changed.
 * @param before as it was before: its row may have come back spoiled
 */
export async function sendAfterChange(
  vault: OpenVault,
  scroll: OpenedScroll,
  before: OpenedScroll,
): Promise<OpenedScroll> {
  const kept = keptSistersOf(before);
  if (!kept || kept.of.length === 0) return scroll;
  if (!isReadable(scroll)) {
    keepAnEarlierOne(
      'This server does not show the letter as you have sealed it, so that it could not be sent to them.',
    );
    return scroll;
  }
  try {
    if (!maySend(scroll)) {
      const ended = await writerOf(vault).end(scroll, before);
      sayWhoIsAway(ended, kept.needed);
      return ended.scroll;
    }
    if (await isAsSent(scroll)) return scroll;
    const { scroll: changed, sent } = await writerOf(vault).sendAgain(scroll);
    const without = sent.filter(({ outcome }) => outcome !== 'kept').map(({ origin }) => hostOf(origin));
    if (without.length > 0)
      keepAnEarlierOne(`${listed(without)} did not take it. Open “Sisters” of the letter to send it again.`);
    return changed;
  } catch {
    keepAnEarlierOne('It could not be sent to them just now. Open “Sisters” of the letter to send it again.');
    return scroll;
  }
}

const originsOf = (away: readonly { origin: string }[]) => [...new Set(away.map(({ origin }) => origin))];

function sayWhoIsAway(
  { away, isNoted }: { away: readonly { origin: string }[]; isNoted: boolean },
  needed: number,
) {
  if (away.length === 0) return;
  const says = stillHaveIt(originsOf(away), needed);
  toast({
    title: 'Sisters were not reached',
    description: isNoted ? `${says} They are asked again when you unlock your vault.` : says,
    tone: 'destructive',
  });
}

/**
 * Refuses what would leave sisters with a letter that does not open here, or whose row may not name them: they can be told nothing. Where
 * its row came under another number as well, it may be any that this device knows of.
 * @param all the letters as they are shown
 * @param orElse what a second press does
 * @throws StillKept
 */
export function refuseUntold(
  vault: OpenVault,
  scroll: OpenedScroll,
  all: readonly OpenedScroll[],
  orElse: string,
): void {
  const letter = letterWithSisters(scroll);
  const memory = readMemory(readSisterMemory(vault.user.id));
  if (letter && keepersOfLetter(letter, memory).length > 0) return;
  const opened = all.flatMap((one) => letterWithSisters(one)?.sealId ?? []);
  const origins = letter ? [] : originsOfOthers(memory, new Set(opened));
  // How many have to keep it stands in its row.
  if (origins.length > 0) throw new StillKept(`${stillHaveIt(origins, 0)} ${orElse}`);
  if (isRowInQuestion(vault, scroll)) throw new StillKept(`${MAY_BE_KEPT} ${orElse}`);
}

/**
 * A letter that is a draft again is to be sent by nobody.
 * @param before as it was before: its row may have come back spoiled
 */
export async function endAfterDisarming(
  vault: OpenVault,
  scroll: OpenedScroll,
  before: OpenedScroll,
): Promise<void> {
  sayWhoIsAway(await writerOf(vault).end(scroll, before), keptSistersOf(before)?.needed ?? 0);
}

/** @throws StillKept where some were not reached: once the letter is deleted, nothing can reach them any more */
export async function endBeforeDeleting(vault: OpenVault, scroll: OpenedScroll): Promise<void> {
  const { away } = await writerOf(vault).end(scroll);
  if (away.length === 0) return;
  const says = stillHaveIt(originsOf(away), keptSistersOf(scroll)?.needed ?? 0);
  throw new StillKept(`${says} Try again later, or press again to delete it all the same.`);
}
