// Takes what a model writes as fast as it comes, whoever reads it how slowly: a reader that lingers must not keep the model
// from others.

/** What makes pieces until it is done, or the signal ends it. */
export type Making = (signal: AbortSignal) => AsyncIterable<string>;

/**
 * The same pieces in the same order. Those that nobody has taken yet are kept in memory: `make` bounds how many there are.
 * @param ended is called once, when no more will be made
 * @throws what `make` throws, behind the pieces that came before
 */
export async function* readAhead(
  make: Making,
  signal: AbortSignal,
  ended: () => void,
): AsyncGenerator<string, void, undefined> {
  const leaving = new AbortController();
  const waiting: string[] = [];
  let outcome: { error?: unknown } | null = null;
  let wake = () => {};
  async function takeAll() {
    try {
      for await (const piece of make(AbortSignal.any([signal, leaving.signal]))) {
        waiting.push(piece);
        wake();
      }
      outcome = {};
    } catch (error) {
      outcome = { error };
    } finally {
      ended();
      wake();
    }
  }
  const taking = takeAll();
  try {
    while (outcome === null || waiting.length > 0) {
      const pieces = waiting.splice(0);
      yield* pieces;
      if (pieces.length > 0 || outcome !== null) continue;
      await new Promise<void>((resolve) => {
        wake = resolve;
      });
    }
  } finally {
    leaving.abort();
    await taking;
  }
  const { error } = outcome as { error?: unknown };
  if (error !== undefined) throw error;
}
