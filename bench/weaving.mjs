// How long the Loom takes for a page, and for the longest source that a story may have, on the thread that asks.
import { performance } from 'node:perf_hooks';
import { runBundled } from '../scripts/run-bundled.mjs';
import { median } from './instance.mjs';

const ROUNDS = 9;

export async function measureWeaving() {
  const { weave } = await runBundled('src/loom/loom.ts');
  const { corpus } = await runBundled('src/loom/corpus/corpus.ts');
  const words = corpus
    .filter(({ form }) => form === 'woven')
    .map(({ text }) => text)
    .join('\n\n');
  /** A text of `length` characters, in which no sentence stands twice. */
  const sourceOf = (length) =>
    Array.from({ length: Math.ceil(length / words.length) + 1 }, (_, round) =>
      round === 0 ? words : words.replaceAll(/\.(?=\s)/g, ` in year ${round}.`),
    )
      .join('\n\n')
      .slice(0, length);
  const rows = [];
  for (const [length, target] of [
    [2000, 50],
    [60_000, 300],
  ]) {
    const sourceContent = sourceOf(length);
    const times = [];
    for (let seed = 0; seed <= ROUNDS; seed += 1) {
      const before = performance.now();
      weave({ storyType: 'biography', emotionalTone: 'epic', sourceContent, seed });
      // The first one loads dictionaries.
      if (seed > 0) times.push(performance.now() - before);
    }
    const measured = median(times);
    rows.push({
      what: `a story woven from ${length.toLocaleString('en')} characters`,
      measured: `${Math.round(measured)} ms`,
      target: `≤ ${target} ms`,
      met: measured <= target,
    });
  }
  return rows;
}
