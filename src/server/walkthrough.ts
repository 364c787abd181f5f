// The program behind `npm run walkthrough`: it prints the way through the puzzle in force, or with `--json` the puzzle
// itself, to be changed and named in PUZZLE_FILE. It opens no port and no database.
import { ConfigError, readConfig } from './config.ts';
import { StartProblem } from './errors.ts';
import { readPuzzleFile } from './puzzle/puzzle.ts';
import { walkthrough } from './puzzle/walkthrough.ts';

function main(): void {
  const { puzzleFile } = readConfig(process.env);
  const file = readPuzzleFile(puzzleFile);
  const origin = puzzleFile === null ? 'the one that is shipped' : `in ${puzzleFile}`;
  const asJson = process.argv.includes('--json');
  process.stdout.write(asJson ? `${JSON.stringify(file, null, 2)}\n` : walkthrough(file, origin));
}

try {
  main();
} catch (error) {
  if (!(error instanceof ConfigError || error instanceof StartProblem)) throw error;
  process.stderr.write(`\n${error.message}\n\n`);
  process.exit(1);
}
