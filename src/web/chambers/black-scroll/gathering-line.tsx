// How many of the thirteen places are held, and the token's mint, beneath the manifesto: true to the chain, and no part of the
// signed words.
import { claimedPlaces, UNKNOWN_MINT } from '../../../shared/nouns/holders.ts';

interface GatheringLineProps {
  /** Unique holders; null while nobody has counted them. */
  count: number | null;
  /** base58; null on a server that watches no token. */
  mint: string | null;
}

export function GatheringLine({ count, mint }: GatheringLineProps) {
  if (mint === null) return null;
  return (
    <div className="grid gap-2 border-t border-line/70 py-7">
      {count !== null && <p>{claimedPlaces(count)}</p>}
      <p className="text-note text-dust">
        The token’s mint is <code className="font-machine text-small wrap-anywhere">{mint}</code>.
      </p>
    </div>
  );
}

/** For the document that the build renders: the server puts its own line in its place, or nothing. */
export const GatheringPlace = () => (
  <div data-gathering="">
    <GatheringLine count={0} mint={UNKNOWN_MINT} />
  </div>
);
