// Fetches the files of the black scroll, reads the page, and has both judged in this browser.
import { game, type ScrollFileName, scrollFiles } from '../../../shared/nouns/game.ts';
import type { ApiClient } from '../../../vault/api/api-client.ts';
import type { ScrollFiles, Verdict } from './judge-scroll.ts';
import { shownSections } from './shown-sections.ts';

export type { Verdict } from './judge-scroll.ts';

/**
 * @param page where the manifesto is shown
 * @returns `unchecked` where the browser offers this page no cryptography, as it does without https
 * @throws when one of the files, or what checks them, cannot be fetched
 */
export async function verifyScroll(
  { fetchFile }: Pick<ApiClient, 'fetchFile'>,
  page: ParentNode,
): Promise<Verdict | { verdict: 'unchecked' }> {
  if (!globalThis.crypto?.subtle) return { verdict: 'unchecked' };
  const names = Object.values(scrollFiles);
  const [{ judgeScroll }, { scrollText }, ...fetched] = await Promise.all([
    import('./judge-scroll.ts'),
    import('../../../shared/scroll-text.ts'),
    ...names.map(async (name) => [name, await fetchFile(game.file, { params: { name } })] as const),
  ]);
  const files = Object.fromEntries(fetched) as Record<ScrollFileName, Uint8Array<ArrayBuffer>>;
  return judgeScroll(files satisfies ScrollFiles, scrollText(shownSections(page)), new Date());
}
