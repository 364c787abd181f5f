// The clocks of a machine, set by a test: what a program reads that is started with `env`. The library between them is
// compiled from machine-clocks.c, once for each process of tests.
import { execFileSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdtempSync, openSync, readFileSync, rmSync, writeFileSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { inject } from 'vitest';

const source = fileURLToPath(new URL('machine-clocks.c', import.meta.url));

/** Milliseconds that are added to what this machine's own clocks say. */
export interface Added {
  calendar: number;
  monotonic: number;
  boot: number;
}

const WORD = 8;
const CLOCKS = 3;

export class MachineClocks {
  readonly #place = mkdtempSync(join(tmpdir(), 'latebra-clocks-'));
  readonly #file: number;
  #added: Added = { calendar: 0, monotonic: 0, boot: 0 };
  #inUse = 0;

  constructor() {
    const compiler = inject('compiler');
    if (!compiler)
      throw new Error('This test compiles its clocks: install gcc and the headers of the C library.');
    execFileSync(compiler, [
      '-shared',
      '-fPIC',
      '-O2',
      '-Wall',
      '-Wextra',
      '-Werror',
      '-o',
      this.#library,
      source,
    ]);
    writeFileSync(join(this.#place, 'added'), Buffer.alloc((1 + 2 * CLOCKS) * WORD));
    this.#file = openSync(join(this.#place, 'added'), 'r+');
    this.boot();
  }

  get #library(): string {
    return join(this.#place, 'clocks.so');
  }

  get env(): Record<string, string> {
    return { LD_PRELOAD: this.#library, MACHINE_CLOCKS: this.#place };
  }

  /** Moves all of them at once. */
  add({ calendar = 0, monotonic = 0, boot = 0 }: Partial<Added>): void {
    const now = this.#added;
    this.#added = {
      calendar: now.calendar + calendar,
      monotonic: now.monotonic + monotonic,
      boot: now.boot + boot,
    };
    const next = 1 - this.#inUse;
    const words = [this.#added.calendar, this.#added.monotonic, this.#added.boot];
    const nanoseconds = BigInt64Array.from(
      words,
      (milliseconds) => BigInt(Math.round(milliseconds)) * 1_000_000n,
    );
    writeSync(this.#file, Buffer.from(nanoseconds.buffer), 0, CLOCKS * WORD, (1 + next * CLOCKS) * WORD);
    writeSync(this.#file, Buffer.from(BigInt64Array.of(BigInt(next)).buffer), 0, WORD, 0);
    this.#inUse = next;
  }

  /** Begins another boot: it has a number of its own, and has lasted for some seconds. */
  boot(): void {
    writeFileSync(join(this.#place, 'boot_id'), `${randomUUID()}\n`);
    const up = Number(readFileSync('/proc/uptime', 'utf8').split(' ')[0]) * 1000 + this.#added.boot;
    this.add({ boot: 20_000 - up });
  }

  remove(): void {
    rmSync(this.#place, { recursive: true });
  }
}
