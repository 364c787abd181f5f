// Fetching the pages of a list several at a time. A page is asked for by the last row of the one before it, which is not known
// yet: it is guessed, from how many numbers the page before took. Pure.

/** How many pages are on their way at once. */
const AHEAD = 3;

interface PageText {
  text: string;
  hasNext: boolean;
}

/** The number of a page's last row. No text within a row can hold a bare quotation mark, and no row another object. */
export function lastIn(page: string): number | null {
  const id = /^"id":(\d+)/.exec(page.slice(Math.max(0, page.lastIndexOf('"id":'))))?.[1];
  return id === undefined ? null : Number(id);
}

/**
 * Fetches every page after a row, whose rows have ever smaller numbers.
 * @param fetchText fetches the rows below a number, the largest first, as they came
 * @param before the last row that is there already
 * @param span how many numbers its page took
 * @returns the pages in their order. Where a guess was wrong, rows come twice; none is left out
 * @throws what `fetchText` throws
 */
export async function* pagesBelow(
  fetchText: (before: number) => Promise<PageText>,
  before: number,
  span: number,
): AsyncGenerator<string, void, undefined> {
  const asked: { below: number; page: Promise<PageText> }[] = [];
  const ask = (below: number) => {
    const page = fetchText(below);
    // One that is not waited for any more must not become an unhandled rejection.
    page.catch(() => {});
    return { below, page };
  };
  /** All rows from this one on are there. */
  let reached = before;
  let taken = Math.max(1, span);
  for (;;) {
    while (asked.length < AHEAD) {
      const below = asked.length === 0 ? reached : (asked.at(-1)?.below ?? 0) - taken;
      // No row has a smaller number than 1; the first one is asked for anyway, and ends the list.
      if (below <= 1 && asked.length > 0) break;
      asked.push(ask(below));
    }
    const guessed = asked[0];
    // A guess that went too far leaves a gap, which is filled first.
    const next = guessed && guessed.below >= reached ? asked.shift() : ask(reached);
    if (!next) return;
    const { text, hasNext } = await next.page;
    yield text;
    const last = lastIn(text);
    if (!hasNext || last === null) return;
    taken = Math.max(1, next.below - last);
    reached = Math.min(reached, last);
  }
}
