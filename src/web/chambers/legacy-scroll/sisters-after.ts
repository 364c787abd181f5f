// What is done with a letter's sisters once something else was done with the letter: they keep what it says now, or nothing.
import { answerRefused } from '../../../vault/api/api-error.ts';
import { readKeptSisters } from '../../../vault/legacy/kept-sisters.ts';
import { isReadable, type OpenedScroll } from '../../../vault/legacy/scroll-list.ts';
import { isAsSent, maySend, sisterWriter } from '../../../vault/outbox/sister-writer.ts';
import { toast } from '../../ui/toaster.tsx';
import { sisterPorts } from '../../vault/legacy/sister-device.ts';
import type { OpenVault } from '../../vault/session/vault-context.ts';
import { hostOf, listed, stillHaveIt } from './sister-words.ts';

const writerOf = (vault: OpenVault) => sisterWriter(vault, sisterPorts(vault));

const keepAnEarlierOne = (description: string) =>
  toast({ title: 'Sisters keep an earlier version', description, tone: 'destructive' });

/** Gives them a letter that was changed, or ends it where they cannot keep it any more. It never fails: the letter itself is changed. */
export async function sendAfterChange(vault: OpenVault, scroll: OpenedScroll): Promise<OpenedScroll> {
  const kept = readKeptSisters(scroll.sisters);
  if (!kept || kept.of.length === 0 || !isReadable(scroll)) return scroll;
  try {
    if (!maySend(scroll)) {
      const ended = await writerOf(vault).end(scroll);
      sayWhoIsAway(ended.away, kept.needed);
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

function sayWhoIsAway(away: readonly { origin: string }[], needed: number): void {
  if (away.length === 0) return;
  toast({
    title: 'Sisters were not reached',
    description: `${stillHaveIt(
      away.map(({ origin }) => origin),
      needed,
    )} They are asked again when you unlock your vault.`,
    tone: 'destructive',
  });
}

/** A letter that is a draft again is to be sent by nobody. */
export async function endAfterDisarming(vault: OpenVault, scroll: OpenedScroll): Promise<void> {
  const kept = readKeptSisters(scroll.sisters);
  if (!kept || kept.of.length === 0) return;
  const { away } = await writerOf(vault).end(scroll);
  sayWhoIsAway(away, kept.needed);
}

/** @throws ApiError with a sentence where some were not reached: once the letter is deleted, nothing can reach them any more */
export async function endBeforeDeleting(vault: OpenVault, scroll: OpenedScroll): Promise<void> {
  const kept = readKeptSisters(scroll.sisters);
  if (!kept) return;
  const { away } = await writerOf(vault).end(scroll);
  if (away.length === 0) return;
  const says = stillHaveIt(
    away.map(({ origin }) => origin),
    kept.needed,
  );
  throw answerRefused(`${says} Try again later, or press again to delete it all the same.`);
}
