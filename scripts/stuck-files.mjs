// A reporter that ends a run in which a file of tests says nothing any more. A test that keeps its process busy without a
// pause can't be ended by its own time-out, and the runner would wait for it for ever.
import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { relative } from 'node:path';

const MINUTE = 60_000;
/** Longer than any test takes, on a busy machine too. */
const PATIENCE = 15 * MINUTE;

function endRun() {
  // A busy process does not hear that this one has ended.
  spawnSync('pkill', ['-KILL', '-P', String(process.pid)]);
  process.exit(1);
}

/** https://vitest.dev/api/advanced/reporters */
export default class StuckFiles {
  /** When something was last heard of each file that runs, in milliseconds of the clock that nobody sets. */
  #heard = new Map();
  #end;
  #timer;

  /** @param {{ end?: () => void }} options how the run is ended; by its process unless a test says otherwise */
  constructor({ end = endRun } = {}) {
    this.#end = end;
  }

  onInit() {
    this.#timer = setInterval(() => this.#look(), MINUTE);
    this.#timer.unref();
  }

  onTestModuleStart({ moduleId }) {
    this.#heard.set(moduleId, performance.now());
  }

  onTestCaseReady({ module }) {
    this.#heard.set(module.moduleId, performance.now());
  }

  onTestCaseResult({ module }) {
    this.#heard.set(module.moduleId, performance.now());
  }

  onTestModuleEnd({ moduleId }) {
    this.#heard.delete(moduleId);
  }

  /** Errors that no test has caught are in no report of JSON, and neither is a process that has crashed. */
  onTestRunEnd(_modules, unhandledErrors) {
    clearInterval(this.#timer);
    if (process.env.LATEBRA_UNHANDLED)
      writeFileSync(process.env.LATEBRA_UNHANDLED, String(unhandledErrors.length));
  }

  #look() {
    const now = performance.now();
    const stuck = [...this.#heard].filter(([, heard]) => now - heard > PATIENCE).map(([file]) => file);
    if (stuck.length === 0) return;
    const names = stuck.map((file) => relative(process.cwd(), file)).join(', ');
    process.stderr.write(`\nNothing was heard for ${PATIENCE / MINUTE} minutes of ${names}: the run ends.\n`);
    this.#end();
  }
}
