// The sisters of one letter, as the screens of its author have them.
import { useQuery } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { sisters as sisterCalls } from '../../../shared/nouns/sisters.ts';
import type { KeptSister, KeptSisters } from '../../../vault/legacy/kept-sisters.ts';
import type { OpenedScroll } from '../../../vault/legacy/scroll-list.ts';
import { giveSign, stillGoing } from '../../../vault/legacy/signs-of-life.ts';
import { keyOf, readMemory, troubleOf, wasMissed } from '../../../vault/legacy/sister-memory.ts';
import { keptSistersOf, letterWithSisters } from '../../../vault/legacy/with-sisters.ts';
import { isAsSent, sisterWriter } from '../../../vault/outbox/sister-writer.ts';
import { useNow } from '../../hooks/use-now.ts';
import { readSisterMemory, sisterPorts } from '../../vault/legacy/sister-device.ts';
import { useVault } from '../../vault/session/vault-context.ts';
import { changeOf, leastNeeded, sisterWords } from './sister-words.ts';

/** The key of the query for the instances that this server is joined with. */
export const LISTED = ['sisters', 'list'];

/** How each sister stands, as this device remembers it, and whether they were given the letter as it is. */
export function useSisterStates(scroll: OpenedScroll) {
  const { user, api } = useVault();
  const now = useNow();
  const [, lookAgain] = useState(0);
  const kept = keptSistersOf(scroll);
  const { data: asSent = true } = useQuery({
    queryKey: ['sisters', 'as-sent', scroll.sealId, scroll.version],
    queryFn: () => isAsSent(scroll),
    // What a changed row says of the letter is not what it was.
    enabled: kept !== null && kept.of.length > 0 && scroll.asSealed === null,
  });
  const memory = readMemory(readSisterMemory(user.id));
  const sealId = scroll.sealId ?? '';
  const round = kept?.round ?? 0;
  const at = (sister: KeptSister) => memory.get(keyOf({ sealId, round }, sister));
  const isMissed = (sister: KeptSister) => {
    const remembered = at(sister);
    return remembered !== undefined && wasMissed(remembered);
  };
  const { data: listed } = useQuery({
    queryKey: LISTED,
    queryFn: () => api.send(sisterCalls.list, {}),
    enabled: kept?.of.some(isMissed) ?? false,
  });
  const changed = (sister: KeptSister) => (listed && isMissed(sister) ? changeOf(sister, listed) : null);
  return {
    kept,
    asSent,
    states: (kept?.of ?? []).map((sister) => ({
      ...sister,
      ...sisterWords(at(sister), kept && troubleOf(at(sister), kept, now), changed(sister)),
    })),
    /** Those that are still to erase it. */
    going: kept ? stillGoing({ sealId, sisters: kept }, memory) : [],
    lookAgain: () => lookAgain((before) => before + 1),
  };
}

/** Which instances that this server is joined with are to keep a letter, and how many of those send it together. */
export function useSisterChoice(kept: KeptSisters | null) {
  const writer = useSisterWriter();
  const found = useQuery({
    queryKey: LISTED,
    queryFn: () => writer.list(),
    gcTime: 0,
    // One that was away may be back.
    refetchOnMount: 'always',
  });
  const [choice, setChoice] = useState<ReadonlySet<string> | null>(null);
  const [wantedNeeded, setNeeded] = useState<number | null>(null);
  const all = found.data ?? [];
  const keptAs = (origin: string) => kept?.of.find((one) => one.origin === origin)?.address;
  // One that shows other keys now is chosen by nobody but its author: its server could have put its own in their place.
  const before = all.filter(({ origin, address }) => !kept?.of.length || keptAs(origin) === address);
  const chosen = choice ?? new Set(before.map(({ origin }) => origin));
  const picked = all.flatMap(({ origin, address, keys }) =>
    keys && chosen.has(origin) ? [{ ...keys, origin, address }] : [],
  );
  const least = leastNeeded(picked.length);
  return {
    found,
    all: all.map((sister) => ({
      sister,
      /** Whether it had another address when the letter was left with it. */
      isExchanged: ![undefined, sister.address].includes(keptAs(sister.origin)),
      isChosen: chosen.has(sister.origin) && sister.keys !== null,
    })),
    picked,
    least,
    needed: Math.min(Math.max(wantedNeeded ?? kept?.needed ?? least, least), picked.length),
    setNeeded,
    choose(origin: string, isIn: boolean): void {
      const others = [...chosen].filter((one) => one !== origin);
      setChoice(new Set(isIn ? [...others, origin] : others));
    },
  };
}

export type SisterChoice = ReturnType<typeof useSisterChoice>;

/** What can be done with them. */
export function useSisterWriter() {
  const vault = useVault();
  return useMemo(() => {
    const ports = sisterPorts(vault);
    return {
      ...sisterWriter(vault, ports),
      /** Asks each of them now, and gives each a sign. @returns the origins of those that did not answer */
      async askAll(scroll: OpenedScroll): Promise<string[]> {
        const letter = letterWithSisters(scroll);
        if (!letter) return [];
        const asked = letter.sisters.of.map(async (sister) => {
          return (await giveSign(letter, sister, ports)) === null ? [sister.origin] : [];
        });
        return (await Promise.all(asked)).flat();
      },
    };
  }, [vault]);
}
