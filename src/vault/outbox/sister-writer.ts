// Other instances that keep a letter, its sisters: given it, given it anew, and told to erase it. What they get is sealed here, and
// passes through the home server; whether they have it, each is asked by itself.
import { toBase64Url } from '../../crypto/base64.ts';
import { utf8 } from '../../crypto/encoding.ts';
import type { Sister } from '../../crypto/sister-letter.ts';
import { sisterLetterId } from '../../crypto/sister-shares.ts';
import type { ReplyOf } from '../../shared/http/call.ts';
import { scrollState } from '../../shared/nouns/legacy.ts';
import { sisters as calls, SISTER_DAYS_AFTER } from '../../shared/nouns/sisters.ts';
import type { ApiClient } from '../api/api-client.ts';
import { refusedAs } from '../api/api-error.ts';
import { GONE_MAX, type KeptSister, type KeptSisters, NO_SISTERS } from '../legacy/kept-sisters.ts';
import { isReadable, type OpenedScroll, type ReadableScroll } from '../legacy/scroll-list.ts';
import {
  endEverywhere,
  giveSign,
  keepersOfLetter,
  type LetterWithSisters,
  type SisterPorts,
  stillGoing,
} from '../legacy/signs-of-life.ts';
import { keyOf, readMemory } from '../legacy/sister-memory.ts';
import { keptSistersOf, letterWithSisters } from '../legacy/with-sisters.ts';
import type { ListedVault } from '../replica/row-list.ts';
import { scrollWriter } from './scroll-writer.ts';

/** The instances that the home server is joined with. */
export type ListedSister = ReplyOf<typeof calls.list>[number];

/**
 * What became of a letter on its way to one sister. `away`: not reached. `refused`: it does not take it. `other`: it keeps something
 * else than it was sent. `later`: too much was sent to it lately. `unconfirmed`: the home server says that it arrived, and this browser could not ask.
 */
export type Outcome = 'kept' | 'away' | 'refused' | 'other' | 'later' | 'unconfirmed';
export type Sent = KeptSister & { outcome: Outcome };

/** What can be left with sisters: silence is what they count, mail is what they send. */
export function maySend({
  triggerType,
  recipients,
}: Pick<OpenedScroll, 'triggerType' | 'recipients'>): boolean {
  return (
    triggerType === 'inactivity' &&
    recipients.some(({ recipientType }) => recipientType === 'email') &&
    recipients.every(({ access }) => access !== 'vault')
  );
}

const daysOf = ({ triggerValue }: Pick<OpenedScroll, 'triggerValue'>) =>
  Number(triggerValue) + SISTER_DAYS_AFTER;

const mailed = ({ recipients }: Pick<OpenedScroll, 'recipients'>) =>
  recipients.flatMap(({ recipientType, recipientAddress, publicId }) =>
    recipientType === 'email' ? [{ address: recipientAddress, publicId }] : [],
  );

/** By which it is known again what sisters were given: the same for the same words, recipients and silence. */
async function markOf(scroll: OpenedScroll, encryptedContent: string): Promise<string> {
  const says = JSON.stringify([encryptedContent, daysOf(scroll), scroll.authorName, mailed(scroll)]);
  return toBase64Url(new Uint8Array(await crypto.subtle.digest('SHA-256', utf8(says))));
}

/** Whether its sisters were given it as it is now. */
export async function isAsSent(scroll: OpenedScroll): Promise<boolean> {
  const kept = keptSistersOf(scroll);
  return !kept || kept.of.length === 0 || kept.sent === (await markOf(scroll, scroll.encryptedContent ?? ''));
}

const isOneOf = (some: readonly KeptSister[], { origin, address }: KeptSister) =>
  some.some((one) => one.origin === origin && one.address === address);

/** A sister whose keys are not known, so that nothing can be sealed to it. */
export class SistersAway extends Error {
  readonly origins: readonly string[];

  constructor(origins: readonly string[]) {
    super('Some sisters do not answer.');
    this.origins = origins;
  }
}

/** Whether they are the same sisters as before, and none has ended it: what was ended never comes back in its round. */
function goesOn(
  { sealId, sisters: { of, round } }: Omit<LetterWithSisters, 'scrollKey'>,
  chosen: readonly Sister[],
  memory: ReturnType<typeof readMemory>,
): boolean {
  const hasEnded = (sister: KeptSister) =>
    /^(ended|released)/.test(memory.get(keyOf({ sealId, round }, sister))?.answer ?? '');
  return of.length === chosen.length && chosen.every((one) => isOneOf(of, one) && !hasEnded(one));
}

/** Passes a box on, and asks its sister whether it has it. */
async function deliver(
  { send }: ApiClient,
  ports: SisterPorts,
  letter: LetterWithSisters,
  sister: KeptSister & { digest: string },
  box: string,
): Promise<Outcome> {
  try {
    await send(calls.send, { body: { to: sister.origin, box } });
  } catch (error) {
    if (refusedAs(error, 'too-many')) return 'later';
    if (refusedAs(error, 'sister-refused', 'no-such-sister', 'not-found')) return 'refused';
    return 'away';
  }
  const answered = await giveSign(letter, sister, ports);
  if (!answered) return 'unconfirmed';
  const { answer } = answered;
  return answer === 'kept' ? 'kept' : answer === 'other' ? 'other' : 'refused';
}

/** What a screen does with the sisters of letters. */
export function sisterWriter(vault: ListedVault, ports: SisterPorts) {
  const writer = scrollWriter(vault);

  /**
   * Gives a letter to these sisters, of which `needed` open it together. Those that had it and are not among them erase it.
   * @throws SealError, RangeError, AnotherKey, ApiError, TypeError where nothing was given to anybody
   */
  async function send(
    scroll: ReadableScroll,
    chosen: readonly Sister[],
    needed: number,
  ): Promise<{ scroll: OpenedScroll; sent: Sent[] }> {
    const { makeSisterBoxes } = await import('../../crypto/sister-letter.ts');
    const before = keptSistersOf(scroll) ?? NO_SISTERS;
    const sealId = scroll.sealId ?? '';
    const memory = readMemory(ports.readMemory());
    const round = before.round + (goesOn({ sealId, sisters: before }, chosen, memory) ? 0 : 1);
    const origins = chosen.map(({ origin }) => origin);
    const told = { id: await sisterLetterId(scroll.scrollKey, round), origins };
    const terms = { round, edition: before.edition + 1, needed, days: daysOf(scroll) };
    // What they have of the round before is erased once they have the new one.
    const left = round === before.round ? [] : before.of;
    const gone = [
      ...left.map(({ origin, address }) => ({ origin, address, round: before.round })),
      // Whoever has said that it has erased it is asked no more.
      ...stillGoing({ sealId, sisters: before }, memory),
    ].slice(0, GONE_MAX);
    let boxes: Awaited<ReturnType<typeof makeSisterBoxes>> = [];
    const changed = await writer.keepSisters(scroll, told, async (encryptedContent) => {
      const { scrollKey, authorName } = scroll;
      boxes = await makeSisterBoxes({
        ...{ ...terms, scrollKey, sisters: chosen, authorName },
        ...{ encryptedContent, sealId, recipients: mailed(scroll) },
      });
      const of = boxes.map(({ origin, address, digest }) => ({ origin, address, digest }));
      return { ...terms, of, gone, sent: await markOf(scroll, encryptedContent) };
    });
    const letter = letterWithSisters(changed);
    if (!letter || letter.sisters.edition !== terms.edition)
      throw new TypeError('A letter came back without its sisters.');
    const sent = await Promise.all(
      boxes.map(async ({ box, ...sister }) => ({
        ...sister,
        outcome: await deliver(vault.api, ports, letter, sister, box),
      })),
    );
    await endEverywhere(letter, ports, stillGoing(letter, readMemory(ports.readMemory())));
    return { scroll: changed, sent };
  }

  return {
    list: (): Promise<ListedSister[]> => vault.api.send(calls.list, {}),

    send,

    /** Gives a letter anew to the sisters that it has. @throws SistersAway where one of them cannot be sealed to */
    async sendAgain(scroll: ReadableScroll): Promise<{ scroll: OpenedScroll; sent: Sent[] }> {
      const kept = keptSistersOf(scroll) ?? NO_SISTERS;
      const listed = await vault.api.send(calls.list, {});
      const found = kept.of.map(({ origin, address }) => {
        const keys = listed.find((one) => isOneOf([one], { origin, address }))?.keys;
        return { origin, sister: keys ? { ...keys, origin, address } : null };
      });
      const away = found.flatMap(({ origin, sister }) => (sister ? [] : [origin]));
      if (away.length > 0) throw new SistersAway(away);
      return send(
        scroll,
        found.flatMap(({ sister }) => sister ?? []),
        kept.needed,
      );
    },

    /**
     * Has every sister erase a letter.
     * @param before the same as it was opened before the last answer, which a server may have spoiled
     * @returns those that have not said that they have: where `isNoted`, they are asked again by later visits while the letter is here
     */
    async end(scroll: OpenedScroll, before = scroll) {
      const letter = letterWithSisters(before);
      const all = letter ? keepersOfLetter(letter, readMemory(ports.readMemory())) : [];
      if (!letter || all.length === 0) return { scroll, away: [], isNoted: true };
      const away = await endEverywhere(letter, ports, all);
      // What was sent is not changed any more, and what cannot be read cannot be sealed.
      if (!isReadable(scroll) || scrollState(scroll) === 'released') return { scroll, away, isNoted: false };
      const { sisters } = letter;
      const kept: KeptSisters = {
        ...{ ...sisters, of: [], gone: away.slice(0, GONE_MAX) },
        round: Math.max(sisters.round, ...all.map(({ round }) => round)),
        edition: Math.max(sisters.edition, 1),
      };
      try {
        return { scroll: await writer.keepSisters(scroll, undefined, async () => kept), away, isNoted: true };
      } catch (error) {
        // They have ended it: who has not is to be known first.
        if (away.length === 0) throw error;
        return { scroll, away, isNoted: false };
      }
    },
  };
}
