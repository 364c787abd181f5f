// Lists whose rows hold nothing large: all pages of one, fetched one after the other.

/** @param fetchPage fetches the page that begins after the row with this number, or the first one */
export async function everyPage<Row extends { id: number }>(
  fetchPage: (before: number | undefined) => Promise<{ reply: Row[]; hasNext: boolean }>,
): Promise<Row[]> {
  const all: Row[] = [];
  for (let more = true; more; ) {
    const { reply, hasNext } = await fetchPage(all.at(-1)?.id);
    all.push(...reply);
    more = hasNext && reply.length > 0;
  }
  return all;
}
