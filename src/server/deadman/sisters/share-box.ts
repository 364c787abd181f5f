// What one sister sends to another of a letter: its share of the addresses, sealed to that one and bound to the letter and to
// a time, so that what it said before its author came back cannot be said again for it.
import * as z from 'zod/mini';
import { hashOfShare } from '../../adapters/sister-shares.ts';
import type { Sisters } from '../../adapters/sisters.ts';
import type { SisterLetter } from './letter-store.ts';
import { SHARE_LASTS } from './rules.ts';

const schema = z.object({
  v: z.literal(1),
  id: z.string(),
  share: z.string().check(z.length(44)),
  at: z.int(),
});

/** @param at epoch milliseconds */
export const makeShareBox = (
  sisters: Sisters,
  recipient: string,
  { id, share, at }: { id: string; share: string; at: number },
): Promise<string> => sisters.seal(recipient, JSON.stringify({ v: 1, id, share, at: Math.floor(at) }));

/**
 * @param place of the sister that sends it, among the letter's
 * @returns its share; null for anything but the one whose hash the letter's author has signed
 */
export async function openShareBox(
  sisters: Sisters,
  letter: Pick<SisterLetter, 'id' | 'share_hashes'>,
  { place, box, now }: { place: number; box: string; now: number },
): Promise<string | null> {
  const inside = await (await sisters.identity()).open(box);
  if (inside === null || letter.share_hashes === null) return null;
  const read = schema.safeParse(parsed(inside));
  if (!read.success || read.data.id !== letter.id) return null;
  const { share, at } = read.data;
  if (Math.abs(now - at) > SHARE_LASTS) return null;
  const hashes: string[] = JSON.parse(letter.share_hashes);
  return hashOfShare(share) === hashes[place] ? share : null;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
