// Lives through years with the dead man's switch, and says what happened:
// `npm run simulate:legacy -- --seed 7 --scrolls 1000 --years 2`. It ends with 1 when a promise was broken.
import { parseArgs } from 'node:util';
import { runBundled } from './run-bundled.mjs';

const { values } = parseArgs({
  options: {
    seed: { type: 'string', default: String(Date.now() % 1_000_000) },
    scrolls: { type: 'string', default: '1000' },
    years: { type: 'string', default: '2' },
    servers: { type: 'string', default: '2' },
    nights: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
});

if (values.help) {
  console.log(`npm run simulate:legacy -- [options]

  --seed <number>     the same seed lives through the same years; another one each time
  --scrolls <number>  1000
  --years <number>    2
  --servers <number>  2; one keeps an embedded database, more share one
  --nights            the server sleeps every night`);
} else {
  const scrolls = Number(values.scrolls);
  const wanted = {
    seed: Number(values.seed),
    scrolls,
    authors: Math.max(4, Math.round(scrolls / 6)),
    days: Math.round(Number(values.years) * 365),
    servers: Number(values.servers),
    nights: values.nights,
  };
  console.log(`seed ${wanted.seed}`);
  const { simulate, describeReport } = await runBundled('src/simulation/run.ts');
  const report = await simulate(wanted);
  console.log(describeReport(report));
  process.exitCode = report.breach ? 1 : 0;
}
