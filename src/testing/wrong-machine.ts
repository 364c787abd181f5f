// A machine whose clocks a test sets, and the real server in a hurry on it, with a data folder that stays over its starts.
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, inject } from 'vitest';
import { SqliteConnection } from '../server/db/sqlite-driver.ts';
import type { InstanceClock } from '../server/deadman/clock/counted-time-store.ts';
import type { ActivateInput, Scroll } from '../shared/nouns/legacy.ts';
import { MINUTE } from '../shared/time.ts';
import { hurriedRules } from './hurried-rules.ts';
import { MachineClocks } from './machine-clocks.ts';
import { aName, anAuthKey } from './people.ts';
import { plainScroll } from './scrolls.ts';
import { aDataDir, type ServerProcess, startServer } from './server-program.ts';

export class WrongMachine {
  readonly #place = mkdtempSync(join(tmpdir(), 'latebra-machine-'));
  readonly #data = aDataDir();
  readonly #clocks = new MachineClocks();
  readonly #began = performance.now();
  /** What has passed in truth beside the time of the test, and how far the calendar is from it. Milliseconds. */
  #passed = 0;
  #wrongBy = 0;
  #server: ServerProcess | null = null;
  #address = '';
  #cookie = '';
  readonly #person = { name: aName(), authKey: anAuthKey() };
  #database: SqliteConnection | null = null;

  remove(): void {
    void this.#server?.end('SIGKILL');
    this.#database?.close();
    rmSync(this.#place, { recursive: true });
    this.#data.remove();
    this.#clocks.remove();
  }

  get dataDir(): string {
    return this.#data.dataDir;
  }

  get server(): ServerProcess {
    if (!this.#server) throw new Error('It does not run.');
    return this.#server;
  }

  /** What time it is in truth. */
  now(): number {
    return Date.now() + this.#passed;
  }

  /** @param wrongBy by how many milliseconds its calendar is ahead of the truth, or behind it */
  setCalendar(wrongBy: number): void {
    this.#clocks.add({ calendar: wrongBy - this.#wrongBy });
    this.#wrongBy = wrongBy;
  }

  /** So much passes, and every clock tells it. */
  pass(time: number): void {
    this.#passed += time;
    this.#clocks.add({ calendar: time, monotonic: time, boot: time });
  }

  /** It sleeps for so long, and of all its clocks only the calendar tells, as in a virtual machine. */
  sleepUntold(time: number): void {
    this.#passed += time;
    this.#clocks.add({ calendar: time });
  }

  /** It is switched off for so long, and on again: another boot, and a calendar that has a battery. */
  reboot(dark = 0): void {
    if (this.#server) throw new Error('It runs.');
    this.#passed += dark;
    this.#clocks.add({ calendar: dark });
    this.#clocks.boot();
  }

  /** Whether the system says from now on that a time server is followed, and the server has asked it. */
  async synchronise(synchronised: boolean): Promise<void> {
    this.#answer(synchronised);
    this.pass(6 * MINUTE);
    await this.ticks(2);
  }

  #answer(synchronised: boolean): void {
    const file = join(this.#place, 'timedatectl');
    writeFileSync(file, `#!/bin/sh\necho ${synchronised ? 'yes' : 'no'}\n`);
    chmodSync(file, 0o755);
  }

  /** @param env what the server is set up with beside its data folder */
  async start(env: Record<string, string> = {}, { synchronised = false } = {}): Promise<void> {
    this.#answer(synchronised);
    this.#server = await startServer(join(dirname(inject('serverProgram')), 'hurried-server.js'), {
      ...env,
      DATA_DIR: this.dataDir,
      PATH: `${this.#place}:${process.env.PATH}`,
      ...this.#clocks.env,
    });
    this.#address = env.PUBLIC_URL ?? this.#server.url;
  }

  async stop(): Promise<void> {
    await this.server.end();
    this.#server = null;
  }

  sql<T>(text: string): T[] {
    this.#database ??= new SqliteConnection(join(this.dataDir, 'latebra.db'), { timeout: 30_000 });
    const statement = this.#database.prepare(text);
    return (statement.reader ? statement.all() : [statement.run()]) as T[];
  }

  clock(): InstanceClock {
    const [row] = this.sql<InstanceClock>('select * from instance_clock');
    if (!row) throw new Error('There is no clock.');
    return row;
  }

  stateOf(id: number): { state: string; warning_step: number; warning_accepted: number | null } {
    const [row] = this.sql<ReturnType<WrongMachine['stateOf']>>(
      `select state, warning_step, warning_accepted from legacy_scrolls where id = ${id}`,
    );
    if (!row) throw new Error('There is no such scroll.');
    return row;
  }

  /** How many dates have begun. */
  begunDates = (): number => this.sql('select 1 from legacy_scrolls where releasable_at > 0').length;

  async until(wanted: (clock: InstanceClock) => boolean): Promise<InstanceClock> {
    await expect.poll(() => wanted(this.clock()), { timeout: MINUTE, interval: 20 }).toBe(true);
    return this.clock();
  }

  async ticks(count: number): Promise<InstanceClock> {
    const { tick_number } = this.clock();
    return this.until((clock) => clock.tick_number >= tick_number + count);
  }

  /** It runs for so long; for as long as a calendar takes to prove itself, unless told. No step of it is an absence. */
  async runOn(time = hurriedRules.provedAfter + 10 * MINUTE): Promise<InstanceClock> {
    const steps = Math.ceil(time / hurriedRules.dark);
    for (let step = 0; step < steps; step += 1) {
      this.pass(time / steps);
      await this.ticks(2);
    }
    return this.clock();
  }

  async proved(): Promise<InstanceClock> {
    return this.until(({ proved_at, ticked_at }) => proved_at === ticked_at && proved_at > 0);
  }

  /** Counted time has not run ahead of the time that has truly passed; nothing is paused or held. */
  expectNothing({ paused_reason, held_until, told_held_until, counted_time }: InstanceClock): void {
    const nothing = { paused_reason: null, held_until: 0, told_held_until: 0 };
    expect({ paused_reason, held_until, told_held_until }).toEqual(nothing);
    expect(counted_time).toBeLessThan(performance.now() - this.#began + this.#passed);
  }

  async call(method: string, path: string, body?: unknown): Promise<Response> {
    return fetch(this.#address + path, {
      method,
      headers: {
        cookie: this.#cookie,
        // Time that passes at once ends what waits for a further request.
        connection: 'close',
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
  }

  async signUp(): Promise<void> {
    await this.#enter('begin', 201);
  }

  /** Its person is back after their session has ended. */
  async signIn(): Promise<void> {
    await this.#enter('enter', 200);
  }

  async #enter(how: 'begin' | 'enter', status: number): Promise<void> {
    const entered = await this.call('POST', `/api/gate/passphrase/${how}`, this.#person);
    expect(entered.status, await entered.clone().text()).toBe(status);
    this.#cookie = entered.headers.getSetCookie()[0]?.split(';')[0] ?? '';
  }

  async write(fields: object): Promise<Scroll> {
    const written = await this.call('POST', '/api/legacy-scrolls', { ...plainScroll(), ...fields });
    expect(written.status, await written.clone().text()).toBe(201);
    return (await written.json()) as Scroll;
  }

  async watch(fields: object, activation: Partial<ActivateInput> = {}): Promise<number> {
    const { id } = await this.write(fields);
    const body = { handedOver: true, ...activation };
    const active = await this.call('POST', `/api/legacy-scrolls/${id}/activate`, body);
    expect(active.status, await active.clone().text()).toBe(200);
    return id;
  }

  release(id: number): Promise<Response> {
    return this.call('POST', `/api/legacy-scrolls/${id}/release`);
  }

  /** What the server takes for now when somebody is active. */
  async present(): Promise<number> {
    const answer = await this.call('POST', '/api/proof-of-life', {});
    return Date.parse(((await answer.json()) as { lastActivity: string }).lastActivity);
  }
}
