// The line of the black scroll about the thirteen. That the build leaves this place for it, e2e/thirteen-chain.spec.ts shows.
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { claimedPlaces, UNKNOWN_MINT } from '../../../shared/nouns/holders.ts';
import { fillGathering } from './gathering-line.ts';

const MINT = 'So11111111111111111111111111111111111111112';
const plain = new TextEncoder().encode(
  `<main><h1>The scroll</h1><div data-gathering=""><div class="grid"><p>${claimedPlaces(0)}</p><p>The mint is <code>${UNKNOWN_MINT}</code>.</p></div></div><p>after</p></main>`,
);
const document = { plain, gzip: plain, brotli: plain, styleHashes: ['sha256-x'] };

async function filled(count: number | null, mint: string | null) {
  const { plain, gzip, brotli, styleHashes } = await fillGathering(document, count, mint);
  const page = new TextDecoder().decode(plain);
  expect(gunzipSync(gzip).toString()).toBe(page);
  expect(brotliDecompressSync(brotli).toString()).toBe(page);
  expect(styleHashes).toEqual(['sha256-x']);
  return page;
}

describe('the line about the thirteen', () => {
  it('says how many places are held, and the mint', async () => {
    const page = await filled(1, MINT);
    expect(page).toContain('<p>One holds and twelve are unclaimed.</p>');
    expect(page).toContain(`<code>${MINT}</code>`);
    expect(page).not.toContain(UNKNOWN_MINT);
  });

  it('says the mint alone while nobody has counted', async () => {
    const page = await filled(null, MINT);
    expect(page).not.toContain('unclaimed');
    expect(page).toContain(MINT);
  });

  it('is not there on a server without a token, and nothing else changes', async () => {
    expect(await filled(null, null)).toBe('<main><h1>The scroll</h1><p>after</p></main>');
  });
});
