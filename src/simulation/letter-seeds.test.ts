import { it } from 'vitest';
import { describeReport, simulate } from './run.ts';

it('seeds', async () => {
  for (const seed of [11, 12]) {
    const report = await simulate({
      seed,
      authors: 160,
      scrolls: 1000,
      days: 730,
      copies: 0,
      mailOutages: 12,
    });
    process.stdout.write(
      `SEED ${seed}: ${describeReport(report)
        .split('\n')
        .filter((l) => /BROKEN|steps/.test(l))
        .join(' | ')}\n`,
    );
  }
}, 3_000_000);
