// The program behind `npm run demo:legacy`.
import { liveYear } from './year.ts';

/** A year takes about a minute, unless somebody is in a hurry. */
const PACE = process.argv.includes('--fast') ? 0 : 130;

await liveYear({ say: (line) => void process.stdout.write(`${line}\n`), pace: PACE });
