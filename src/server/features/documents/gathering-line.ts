// The black scroll with what this server knows of the thirteen: the build has left a place for it (GatheringPlace in
// src/web/chambers/black-scroll/gathering-line.tsx).
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { claimedPlaces, UNKNOWN_MINT } from '../../../shared/nouns/holders.ts';
import type { Document } from '../../web-files.ts';

const PLACE = /<div data-gathering="">.*?<\/div><\/div>/s;
const FIRST_SENTENCE = claimedPlaces(0);

const compressed = {
  gzip: promisify(gzip),
  brotli: promisify(brotliCompress),
};

/**
 * @param count unique holders; null while they have never been counted
 * @param mint base58, as the configuration has checked it; null on a server that watches no token
 */
export async function fillGathering(
  document: Document,
  count: number | null,
  mint: string | null,
): Promise<Document> {
  const page = new TextDecoder().decode(document.plain);
  const place = PLACE.exec(page)?.[0] ?? '';
  const line =
    count === null
      ? place.replace(`<p>${FIRST_SENTENCE}</p>`, '')
      : place.replace(FIRST_SENTENCE, claimedPlaces(count));
  const filled = page.replace(place, mint === null ? '' : line.replace(UNKNOWN_MINT, mint));
  const plain = new TextEncoder().encode(filled);
  return {
    ...document,
    plain,
    gzip: new Uint8Array(await compressed.gzip(plain)),
    brotli: new Uint8Array(
      await compressed.brotli(plain, { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } }),
    ),
  };
}
