// Walks a year of the dead man's switch in a minute: `npm run demo:legacy`, or with `-- --fast` in some seconds.
import { runBundled } from './run-bundled.mjs';

await runBundled('src/demo/main.ts');
