// A local Solana chain with a token and twelve holders, to try the gathering with: `npm run chain`, and while it runs
// `npm run chain -- give ADDRESS 150` in another terminal.
import { runBundled } from './run-bundled.mjs';

await runBundled('src/chain/main.ts');
