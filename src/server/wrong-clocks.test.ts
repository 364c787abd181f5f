// The real program on a machine whose calendar is wrong: Debian's libfaketime sets it for the process alone, and its other
// clocks go on. Every wait is for something that the program does.
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, describe, expect, inject, it } from 'vitest';
import type { Scroll } from '../shared/nouns/legacy.ts';
import { DAY, MINUTE } from '../shared/time.ts';
import { hurriedRules } from '../testing/hurried-rules.ts';
import { aName, anAuthKey } from '../testing/people.ts';
import { plainScroll } from '../testing/scrolls.ts';
import { aDataDir, type ServerProcess, startServer } from '../testing/server-program.ts';
import { SqliteConnection } from './db/sqlite-driver.ts';
import type { InstanceClock } from './deadman/clock/counted-time-store.ts';

const faketime = inject('faketime');
const program = join(dirname(inject('serverProgram')), 'hurried-server.js');

const cleanups: (() => unknown)[] = [];
afterEach(async () => {
  for (const clean of cleanups.splice(0).reverse()) await clean();
});

/** A machine of which only the calendar is wrong, with a database that stays over its starts. */
class WrongMachine {
  readonly #place = mkdtempSync(join(tmpdir(), 'latebra-clock-'));
  readonly #data = aDataDir();
  readonly #began = performance.now();
  #server: ServerProcess | null = null;
  #cookie = '';

  constructor() {
    cleanups.push(
      () => rmSync(this.#place, { recursive: true }),
      () => this.#data.remove(),
      () => this.#server?.end('SIGKILL'),
    );
  }

  get server(): ServerProcess {
    if (!this.#server) throw new Error('It does not run.');
    return this.#server;
  }

  /** @param offset such as `-365d` or `+0` */
  setCalendar(offset: string): void {
    writeFileSync(join(this.#place, 'calendar'), offset);
  }

  /** Whether the system says that its calendar is synchronised. */
  #answer(synchronised: boolean): void {
    const file = join(this.#place, 'timedatectl');
    writeFileSync(file, `#!/bin/sh\necho ${synchronised ? 'yes' : 'no'}\n`);
    chmodSync(file, 0o755);
  }

  async start(offset: string, { synchronised = false } = {}): Promise<void> {
    this.setCalendar(offset);
    this.#answer(synchronised);
    this.#server = await startServer(program, {
      DATA_DIR: this.#data.dataDir,
      PATH: `${this.#place}:${process.env.PATH}`,
      LD_PRELOAD: faketime ?? '',
      FAKETIME_TIMESTAMP_FILE: join(this.#place, 'calendar'),
      FAKETIME_NO_CACHE: '1',
      FAKETIME_DONT_FAKE_MONOTONIC: '1',
      NO_FAKE_STAT: '1',
    });
  }

  async stop(): Promise<void> {
    await this.server.end();
    this.#server = null;
  }

  /** What the next start finds is what another boot of the machine has left, so long ago by the calendar. */
  reboot(ago = 0): void {
    this.sql(
      `update instance_clock set boot_id = 'another', ticked_at = ticked_at - ${ago}, proved_at = proved_at - ${ago}`,
    );
  }

  sql<T>(text: string): T[] {
    const db = new SqliteConnection(join(this.#data.dataDir, 'latebra.db'), { timeout: 30_000 });
    try {
      const statement = db.prepare(text);
      return (statement.reader ? statement.all() : [statement.run()]) as T[];
    } finally {
      db.close();
    }
  }

  clock(): InstanceClock {
    const [row] = this.sql<InstanceClock>('select * from instance_clock');
    if (!row) throw new Error('There is no clock.');
    return row;
  }

  stateOf(id: number): unknown {
    return this.sql(`select state, warning_step, warning_accepted from legacy_scrolls where id = ${id}`)[0];
  }

  async until(wanted: (clock: InstanceClock) => boolean): Promise<InstanceClock> {
    await expect.poll(() => wanted(this.clock()), { timeout: MINUTE, interval: 50 }).toBe(true);
    return this.clock();
  }

  async ticks(count: number): Promise<InstanceClock> {
    const { tick_number } = this.clock();
    return this.until((clock) => clock.tick_number >= tick_number + count);
  }

  proved(): Promise<InstanceClock> {
    return this.until(({ proved_at, ticked_at }) => proved_at === ticked_at && proved_at > 0);
  }

  /** Counted time has not run ahead of the time that has truly passed; nothing is paused or held. */
  expectNothing({ paused_reason, held_until, told_held_until, counted_time }: InstanceClock): void {
    const nothing = { paused_reason: null, held_until: 0, told_held_until: 0 };
    expect({ paused_reason, held_until, told_held_until }).toEqual(nothing);
    expect(counted_time).toBeLessThan(performance.now() - this.#began);
  }

  async call(method: string, path: string, body?: unknown): Promise<Response> {
    return fetch(this.server.url + path, {
      method,
      headers: {
        cookie: this.#cookie,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
  }

  async signUp(): Promise<void> {
    const begun = await this.call('POST', '/api/gate/passphrase/begin', {
      name: aName(),
      authKey: anAuthKey(),
    });
    expect(begun.status).toBe(201);
    this.#cookie = begun.headers.getSetCookie()[0]?.split(';')[0] ?? '';
  }

  async write(fields: object): Promise<Scroll> {
    const written = await this.call('POST', '/api/legacy-scrolls', { ...plainScroll(), ...fields });
    expect(written.status, await written.clone().text()).toBe(201);
    return (await written.json()) as Scroll;
  }

  activate(id: number): Promise<Response> {
    return this.call('POST', `/api/legacy-scrolls/${id}/activate`, { handedOver: true });
  }

  async watch(fields: object): Promise<number> {
    const { id } = await this.write(fields);
    expect((await this.activate(id)).status).toBe(200);
    return id;
  }

  /** What the server takes for now when somebody is active. */
  async present(): Promise<number> {
    const answer = await this.call('POST', '/api/proof-of-life', {});
    return Date.parse(((await answer.json()) as { lastActivity: string }).lastActivity);
  }
}

const inDays = (days: number) => ({
  triggerType: 'date',
  triggerValue: new Date(Date.now() + days * DAY).toISOString().slice(0, 10),
});
const silence = { triggerType: 'inactivity', triggerValue: '30' };

describe.skipIf(!faketime)('the program, on a machine', { timeout: 4 * MINUTE }, () => {
  /** It has run with a right calendar, and somebody has scrolls there. */
  async function aMachine() {
    const machine = new WrongMachine();
    await machine.start('+0', { synchronised: true });
    await machine.signUp();
    await machine.proved();
    return machine;
  }

  it('that was a year behind when it booted and is put right soon after: nothing is paused, held or counted', async () => {
    const machine = await aMachine();
    const dated = await machine.watch(inDays(20));
    await machine.stop();
    machine.reboot();
    await machine.start('-365d');
    machine.expectNothing(await machine.ticks(5));
    machine.setCalendar('+0');
    machine.expectNothing(await machine.ticks(2));
    // It stands where the last boot ended: only a time server can tell that nothing has passed.
    machine.expectNothing(await machine.until(({ stood_still }) => stood_still === 1));
    await machine.stop();
    await machine.start('+0', { synchronised: true });
    machine.expectNothing(await machine.proved());
    expect(machine.stateOf(dated)).toMatchObject({ state: 'watching' });
  });

  it('that is 91 days ahead for a while: nothing is paused or held, and no day begins', async () => {
    const machine = await aMachine();
    const dated = await machine.watch(inDays(20));
    await machine.stop();
    await machine.start('+0');
    await machine.proved();
    machine.setCalendar('+91d');
    machine.expectNothing(await machine.ticks(10));
    machine.setCalendar('+0');
    machine.expectNothing(await machine.ticks(10));
    expect(machine.stateOf(dated)).toMatchObject({ state: 'watching' });
  });

  it('without a battery clock, after 60 days in the dark: nothing is released before it is known and everybody is warned anew', async () => {
    const machine = await aMachine();
    const warned = await machine.watch(silence);
    const unwarned = await machine.watch(silence);
    await machine.stop();
    machine.reboot(60 * DAY);
    // Their deadline is over: one author was warned by mail, the other one sees the dashboard.
    machine.sql('update last_activity set counted_time = 0');
    machine.sql('update legacy_scrolls set period = 1, watching_since = 0, next_check_at = 0');
    machine.sql(
      `update legacy_scrolls set warning = 'mail', warning_step = 3, warning_accepted = -900000000 where id = ${warned}`,
    );
    await machine.start('-60d');
    await machine.ticks(6);
    expect(machine.stateOf(warned)).toMatchObject({ state: 'watching' });
    expect(machine.stateOf(unwarned)).toMatchObject({ state: 'watching' });
    machine.setCalendar('+0');
    const { told_held_until } = await machine.until((clock) => clock.told_held_until > 0);
    expect(machine.stateOf(warned)).toMatchObject({ state: 'watching', warning_accepted: null });
    const { counted_time } = await machine.until(
      () => (machine.stateOf(unwarned) as { state: string }).state === 'released',
    );
    expect(counted_time).toBeGreaterThanOrEqual(told_held_until);
    expect(machine.stateOf(warned)).toMatchObject({ state: 'watching', warning_accepted: null });
  });

  it('that is corrected by ten days: its people see the right time once it has proved itself, and no day that has passed is taken', async () => {
    const machine = new WrongMachine();
    await machine.start('-10d');
    await machine.signUp();
    await machine.proved();
    machine.setCalendar('+0');
    await machine.until(({ ticked_at }) => ticked_at > Date.now() - DAY);
    await machine.proved();
    expect(Math.abs((await machine.present()) - Date.now())).toBeLessThan(MINUTE);
    await machine.signUp();
    const passed = await machine.call('POST', '/api/legacy-scrolls', { ...plainScroll(), ...inDays(-3) });
    expect([passed.status, await passed.json()]).toMatchObject([
      422,
      { message: expect.stringContaining('has begun already') },
    ]);
    const byHand = await machine.watch({ triggerType: 'manual', triggerValue: 'manual' });
    const released = await machine.call('POST', `/api/legacy-scrolls/${byHand}/release`);
    const { releasedAt } = (await released.json()) as Scroll;
    expect(Math.abs(Date.parse(releasedAt ?? '') - Date.now())).toBeLessThan(MINUTE);
  });

  it('that was paused for three days with all its clocks but the calendar: it was away, and no day begins before a time server vouches', async () => {
    const machine = await aMachine();
    const dated = await machine.watch(inDays(2));
    await machine.stop();
    await machine.start('+0');
    const { counted_time } = await machine.proved();
    machine.server.child.kill('SIGSTOP');
    machine.setCalendar('+3d');
    machine.server.child.kill('SIGCONT');
    const after = await machine.until(({ told_held_until }) => told_held_until > 0);
    expect(after).toMatchObject({ paused_reason: null, told_length: expect.closeTo(3 * DAY, -5) });
    expect(after.counted_time - counted_time).toBeGreaterThanOrEqual(hurriedRules.absenceCounts);
    expect(Math.abs((await machine.present()) - Date.now() - 3 * DAY)).toBeLessThan(MINUTE);
    await machine.ticks(5);
    const begun = () => machine.sql('select 1 from legacy_scrolls where releasable_at > 0').length;
    expect(begun()).toBe(0);
    await machine.stop();
    await machine.start('+3d', { synchronised: true });
    // It began unseen.
    await machine.until(() => begun() > 0);
    expect(machine.stateOf(dated)).toMatchObject({ state: 'watching' });
  });
});
