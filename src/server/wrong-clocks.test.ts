// The real program on a machine whose clocks are wrong: its calendar, its monotonic clock, its boot clock and its boots are
// the test's (machine-clocks.c). Hours pass at once, and every wait is for something that the program does.
import { cpSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import type { Scroll } from '../shared/nouns/legacy.ts';
import { DAY, HOUR, MINUTE } from '../shared/time.ts';
import { freePort } from '../testing/free-port.ts';
import { hurriedRules } from '../testing/hurried-rules.ts';
import { openPostOffice } from '../testing/post-office.ts';
import { plainScroll } from '../testing/scrolls.ts';
import { openTelephoneCompany } from '../testing/telephone-company.ts';
import { WrongMachine } from '../testing/wrong-machine.ts';

const cleanups: (() => unknown)[] = [];
afterEach(async () => {
  for (const clean of cleanups.splice(0).reverse()) await clean();
});

function aMachine(): WrongMachine {
  const machine = new WrongMachine();
  cleanups.push(() => machine.remove());
  return machine;
}

const inDays = (days: number, since = Date.now()) => ({
  triggerType: 'date',
  triggerValue: new Date(since + days * DAY).toISOString().slice(0, 10),
});
const silence = { triggerType: 'inactivity', triggerValue: '30' };
const byHand = { triggerType: 'manual', triggerValue: 'manual' };
const watching = { state: 'watching' };

// Elsewhere a process cannot be given other clocks in this way, and no boot is numbered.
describe.skipIf(process.platform !== 'linux')('the program, on a machine', { timeout: 4 * MINUTE }, () => {
  /** It has run with a right calendar, and somebody has scrolls there. */
  async function aProvedMachine(env?: Record<string, string>) {
    const machine = aMachine();
    await machine.start(env, { synchronised: true });
    await machine.signUp();
    await machine.proved();
    return machine;
  }

  it('that was a year behind when it booted and is put right soon after: nothing is paused, held or counted', async () => {
    const machine = await aProvedMachine();
    const dated = await machine.watch(inDays(20));
    await machine.stop();
    machine.reboot();
    machine.setCalendar(-365 * DAY);
    await machine.start();
    machine.expectNothing(await machine.ticks(5));
    machine.setCalendar(0);
    machine.expectNothing(await machine.ticks(2));
    // It stands where the last boot ended: only a time server can tell that nothing has passed.
    const after = await machine.runOn();
    machine.expectNothing(after);
    expect(after.stood_still).toBe(1);
    await machine.synchronise(true);
    machine.expectNothing(await machine.proved());
    expect(machine.stateOf(dated)).toMatchObject(watching);
  });

  it('that is months ahead for a while: nothing is paused or held, and no day begins; and where it stays so, not before a time server vouches', async () => {
    const machine = await aProvedMachine();
    const dated = await machine.watch(inDays(20));
    await machine.synchronise(false);
    machine.setCalendar(91 * DAY);
    machine.expectNothing(await machine.ticks(5));
    machine.setCalendar(0);
    machine.expectNothing(await machine.ticks(5));
    machine.setCalendar(21 * DAY);
    await machine.ticks(1);
    await machine.runOn(3 * HOUR);
    expect((await machine.proved()).set_forward_by).toBeGreaterThan(20 * DAY);
    expect([machine.begunDates(), machine.stateOf(dated)]).toMatchObject([0, watching]);
    await machine.synchronise(true);
    await machine.until(() => machine.begunDates() > 0);
  });

  it('without a battery clock, after 60 days in the dark: nothing is released before it is known and everybody is warned anew', async () => {
    const machine = await aProvedMachine();
    const warned = await machine.watch(silence);
    const unwarned = await machine.watch(silence);
    await machine.stop();
    machine.reboot(60 * DAY);
    machine.setCalendar(-60 * DAY);
    // Their deadline is over: one author was warned by mail, the other one sees the dashboard.
    machine.sql('update last_activity set counted_time = 0');
    machine.sql('update legacy_scrolls set period = 1, watching_since = 0, next_check_at = 0');
    machine.sql(
      `update legacy_scrolls set warning = 'mail', warning_step = 3, warning_accepted = -900000000 where id = ${warned}`,
    );
    await machine.start();
    await machine.runOn();
    expect(machine.stateOf(warned)).toMatchObject(watching);
    expect(machine.stateOf(unwarned)).toMatchObject(watching);
    machine.setCalendar(0);
    await machine.ticks(1);
    const { told_held_until } = await machine.runOn();
    expect(told_held_until).toBeGreaterThan(0);
    expect(machine.stateOf(warned)).toMatchObject({ ...watching, warning_accepted: null });
    expect(machine.stateOf(unwarned)).toMatchObject(watching);
    while (machine.stateOf(unwarned).state === 'watching') {
      machine.pass(10 * HOUR);
      await machine.ticks(2);
    }
    expect(machine.clock().counted_time).toBeGreaterThanOrEqual(told_held_until);
    expect(machine.stateOf(warned)).toMatchObject({ ...watching, warning_accepted: null });
  });

  it('that is corrected by ten days: its people see the right time once it has proved itself, and no day that has passed is taken', async () => {
    const machine = aMachine();
    machine.setCalendar(-10 * DAY);
    await machine.start();
    await machine.signUp();
    await machine.runOn();
    await machine.proved();
    machine.setCalendar(0);
    await machine.ticks(1);
    await machine.runOn();
    await machine.proved();
    expect(Math.abs((await machine.present()) - machine.now())).toBeLessThan(MINUTE);
    await machine.signIn();
    const passed = await machine.call('POST', '/api/legacy-scrolls', { ...plainScroll(), ...inDays(-3) });
    expect([passed.status, await passed.json()]).toMatchObject([
      422,
      { message: expect.stringContaining('has begun already') },
    ]);
    const released = await machine.release(await machine.watch(byHand));
    const { releasedAt } = (await released.json()) as Scroll;
    expect(Math.abs(Date.parse(releasedAt ?? '') - machine.now())).toBeLessThan(MINUTE);
  });

  it('that slept for three days with all its clocks but the calendar: it was away, and no day begins before a time server vouches', async () => {
    const machine = await aProvedMachine();
    const dated = await machine.watch(inDays(2));
    await machine.synchronise(false);
    const { counted_time } = await machine.proved();
    machine.sleepUntold(3 * DAY);
    await machine.ticks(1);
    const after = await machine.runOn();
    expect(after).toMatchObject({ paused_reason: null, told_length: expect.closeTo(3 * DAY, -5) });
    expect(after.told_held_until).toBeGreaterThan(0);
    expect(after.counted_time - counted_time).toBeGreaterThanOrEqual(hurriedRules.absenceCounts);
    expect(Math.abs((await machine.present()) - machine.now())).toBeLessThan(MINUTE);
    await machine.ticks(5);
    expect(machine.begunDates()).toBe(0);
    await machine.synchronise(true);
    // It began unseen.
    await machine.until(() => machine.begunDates() > 0);
    expect(machine.stateOf(dated)).toMatchObject(watching);
  });

  it('that is never on for as long as proves a calendar: what its boots have seen adds up, and the dark is counted', async () => {
    const machine = await aProvedMachine();
    await machine.stop();
    for (const isProved of [false, true]) {
      machine.reboot(2 * DAY);
      await machine.start();
      const { proved_at, ticked_at, told_credit } = await machine.runOn(31 * MINUTE);
      expect(proved_at === ticked_at).toBe(isProved);
      expect(told_credit).toBe(isProved ? hurriedRules.absenceCounts : 0);
      await machine.stop();
    }
  });

  it('whose calendar stands still every night: the nights count nothing, and what waits for silence leaves within two weeks of its deadline', async () => {
    const machine = await aProvedMachine();
    await machine.synchronise(false);
    const letter = await machine.watch({ ...silence, triggerValue: '2' });
    const { counted_time: armed } = machine.clock();
    let [awake, nights] = [0, 0];
    const on = async (time: number) => {
      machine.pass(time);
      awake += time;
      await machine.ticks(2);
    };
    while (nights < 3) {
      await on(14 * HOUR);
      await machine.stop();
      nights += 1;
      machine.reboot(8 * HOUR);
      machine.setCalendar(-nights * 8 * HOUR);
      await machine.start();
      for (let hour = 0; hour < 2; hour += 1) await on(HOUR);
      const { counted_time, may_add } = await machine.until(({ stood_still }) => stood_still === 1);
      expect(may_add).toBe(hurriedRules.absenceCounts);
      expect(Math.abs(counted_time - armed - awake)).toBeLessThan(10 * MINUTE);
    }
    while (machine.clock().counted_time < armed + 15.5 * DAY) await on(22 * HOUR);
    expect(machine.stateOf(letter)).toMatchObject(watching);
    await on(22 * HOUR);
    await expect.poll(() => machine.stateOf(letter).state, { timeout: MINUTE }).toBe('released');
  });

  it('whose calendar is set by minutes without end: it is believed, and a date leaves within the hour', async () => {
    const machine = await aProvedMachine();
    await machine.synchronise(false);
    const { triggerType, triggerValue } = inDays(3, machine.now());
    const dated = await machine.watch({ triggerType, triggerValue });
    const begins = Date.parse(triggerValue);
    await machine.stop();
    machine.reboot(10 * HOUR);
    await machine.start();
    let isAhead = false;
    const jitterUntil = async (until: number, step: number) => {
      while (machine.now() < until) {
        isAhead = !isAhead;
        machine.setCalendar(isAhead ? 10 * MINUTE : -10 * MINUTE);
        machine.pass(Math.min(step, until - machine.now()));
        await machine.ticks(2);
      }
    };
    await jitterUntil(machine.now() + 80 * MINUTE, 20 * MINUTE);
    const { told_credit } = await machine.proved();
    expect(Math.abs(told_credit - 10 * HOUR)).toBeLessThan(30 * MINUTE);
    await jitterUntil(begins - 25 * HOUR, 8 * HOUR);
    // It has to live through the last day, so that nothing of it is an absence.
    await jitterUntil(begins - 12 * MINUTE, 50 * MINUTE);
    await machine.proved();
    expect([machine.begunDates(), machine.stateOf(dated)]).toMatchObject([0, watching]);
    await jitterUntil(begins + 50 * MINUTE, 20 * MINUTE);
    await expect.poll(() => machine.stateOf(dated).state, { timeout: MINUTE }).toBe('released');
  });

  it('that is a year ahead when it boots: what that has held is free again when it falls back, and is owed', async () => {
    const machine = await aProvedMachine();
    await machine.stop();
    machine.reboot(HOUR);
    machine.setCalendar(365 * DAY);
    await machine.start();
    const ahead = await machine.runOn();
    expect(ahead.told_firmly_held_until).toBeGreaterThan(0);
    machine.setCalendar(0);
    await machine.ticks(1);
    const back = await machine.runOn();
    expect(back).toMatchObject({ told_held_until: 0, told_firmly_held_until: 0, paused_reason: null });
    expect(back.owed + back.told_credit).toBe(hurriedRules.absenceCounts);
  });

  it('that got a copy of another one: it stays paused however long nobody answers, until its address leads to it', async () => {
    const port = await freePort();
    const address = { PUBLIC_URL: `http://0.0.0.0:${port}` };
    const original = await aProvedMachine({ ...address, PORT: String(port) });
    const letter = await original.watch(silence);
    await original.until(({ home_origin }) => home_origin !== null);
    await original.stop();
    const copy = aMachine();
    cpSync(original.dataDir, copy.dataDir, { recursive: true });
    await original.start({ ...address, PORT: String(port) });
    await copy.start(address);
    await copy.until(({ paused_reason, elsewhere }) => paused_reason === 'restored' && elsewhere !== null);
    // Nobody could be told, as its authors have the dashboard alone: elsewhere than in a copy this would end it.
    copy.sql(`update instance_clock set paused_for = ${hurriedRules.pauseEndsUntoldAfter}`);
    // It does nothing any more but look where its address leads.
    const since = copy.now();
    copy.pass(HOUR);
    await copy.until(
      () => copy.sql(`select 1 from outside_looks where asked_at > ${since + MINUTE}`).length > 0,
    );
    expect([copy.clock().paused_reason, copy.stateOf(letter)]).toMatchObject(['restored', watching]);
    original.expectNothing(await original.ticks(1));
    await original.stop();
    await copy.stop();
    await copy.start({ ...address, PORT: String(port) });
    const { counted_time, firmly_held_until } = await copy.until(
      ({ paused_reason }) => paused_reason === null,
    );
    expect(firmly_held_until - counted_time).toBeGreaterThan(29 * DAY);
    expect(copy.stateOf(letter)).toMatchObject(watching);
  });

  it('that got a copy of another one, where no address tells which is which: it stays paused until somebody confirms', async () => {
    const original = await aProvedMachine();
    const letter = await original.watch(silence);
    await original.stop();
    const copy = aMachine();
    cpSync(original.dataDir, copy.dataDir, { recursive: true });
    await copy.start();
    await copy.until(({ paused_reason }) => paused_reason === 'restored');
    copy.sql(`update instance_clock set paused_for = ${hurriedRules.pauseEndsUntoldAfter}`);
    copy.pass(HOUR);
    const { paused_reason } = await copy.ticks(3);
    expect([paused_reason, copy.stateOf(letter)]).toMatchObject(['restored', watching]);
    await copy.signUp();
    const token = readFileSync(join(copy.dataDir, 'setup-token'), 'utf8').trim();
    expect((await copy.call('POST', '/api/admin/claim', { token })).ok).toBe(true);
    expect(await (await copy.call('GET', '/api/switch')).json()).toMatchObject({
      paused: { reason: 'restored', goesOnIn: null },
    });
    expect((await copy.call('POST', '/api/switch/confirm', {})).status).toBe(200);
    const { counted_time, held_until } = await copy.until((clock) => clock.paused_reason === null);
    expect(held_until - counted_time).toBeGreaterThan(2 * DAY);
    expect(copy.stateOf(letter)).toMatchObject(watching);
  });

  it('that is known by another address than before, as a clone of a disk may be: it asks, and goes on there once somebody has confirmed', async () => {
    const [first, second] = await Promise.all([freePort(), freePort()]);
    const machine = await aProvedMachine({ PUBLIC_URL: `http://0.0.0.0:${first}`, PORT: String(first) });
    const letter = await machine.watch(silence);
    const { home_origin } = await machine.until((clock) => clock.home_origin !== null);
    await machine.stop();
    await machine.start({ PUBLIC_URL: `http://0.0.0.0:${second}`, PORT: String(second) });
    await machine.until(({ paused_reason }) => paused_reason === 'moved');
    // It is looked at there, which says nothing of who is the original.
    await machine.until(({ reached_origin }) => reached_origin !== home_origin);
    expect(machine.clock()).toMatchObject({ home_origin, paused_reason: 'moved' });
    await machine.signIn();
    const token = readFileSync(join(machine.dataDir, 'setup-token'), 'utf8').trim();
    expect((await machine.call('POST', '/api/admin/claim', { token })).ok).toBe(true);
    expect(await (await machine.call('GET', '/api/switch')).json()).toMatchObject({
      paused: { reason: 'moved', goesOnIn: null },
    });
    expect((await machine.call('POST', '/api/switch/confirm', {})).status).toBe(200);
    machine.pass(2 * HOUR);
    const moved = await machine.until((clock) => clock.home_origin !== null);
    expect(moved.home_origin).not.toBe(home_origin);
    await machine.stop();
    await machine.start({ PUBLIC_URL: `http://0.0.0.0:${second}`, PORT: String(second) });
    expect(await machine.ticks(3)).toMatchObject({ paused_reason: null });
    expect(machine.stateOf(letter)).toMatchObject(watching);
  });

  it('whose mail is down for a year and a half: the letter is still tried, the server says so meanwhile, and it arrives', async () => {
    const port = await freePort();
    const own = String(await freePort());
    const machine = await aProvedMachine({
      PORT: own,
      PUBLIC_URL: `http://127.0.0.1:${own}`,
      SMTP_URL: `smtp://127.0.0.1:${port}`,
      MAIL_FROM: 'Latebra <vault@example.org>',
    });
    await machine.release(await machine.watch(byHand));
    const message = () => {
      const [row] = machine.sql<{ state: string; attempts: number }>('select state, attempts from messages');
      return row ?? { state: 'none', attempts: 0 };
    };
    const isTried = async (times: number) => {
      await expect.poll(() => message().attempts, { timeout: MINUTE }).toBeGreaterThanOrEqual(times);
      expect(message().state).toBe('waiting');
    };
    const backoff = [0, MINUTE, 5 * MINUTE, 15 * MINUTE, HOUR, 3 * HOUR, 6 * HOUR, 12 * HOUR, DAY, DAY];
    for (const [tries, wait] of backoff.entries()) {
      machine.pass(wait);
      await isTried(tries + 1);
    }
    expect(await (await machine.call('GET', '/readyz')).text()).toContain('mail');
    machine.sql(`update messages set first_tried = first_tried - ${540 * DAY}, attempts = 100`);
    machine.sql('update jobs set run_at = 0');
    await isTried(101);
    const office = await openPostOffice({ port });
    cleanups.push(() => office.close());
    machine.sql('update jobs set run_at = 0');
    const [letter] = await office.arrival();
    expect(letter?.recipient).toBe('ada@mail.example');
    await expect.poll(() => message().state, { timeout: MINUTE }).toBe('sent');
  });

  describe('with a mail server, whose author is warned there', () => {
    const AUTHOR = 'author@mail.example';
    const SECOND = 'second@mail.example';
    const TELEPHONE = '+447700900456';
    const CONTACT = 'ben@mail.example';
    const week = { ...silence, triggerValue: '6' };
    const DUE = `select id from jobs where kind = 'deliver' and dead_at is null
      and run_at <= (select counted_time from instance_clock)`;

    /** @param host where people find it: only an address that is not the machine's own says who is the original */
    async function aWarnedAuthor(host = '127.0.0.1') {
      const [office, company] = await Promise.all([openPostOffice(), openTelephoneCompany()]);
      cleanups.push(
        () => office.close(),
        () => company.close(),
      );
      const port = String(await freePort());
      const env = {
        PORT: port,
        PUBLIC_URL: `http://${host}:${port}`,
        SMTP_URL: office.url,
        MAIL_FROM: 'Latebra <vault@example.org>',
        TWILIO_URL: company.url,
        TWILIO_ACCOUNT_SID: company.accountSid,
        TWILIO_AUTH_TOKEN: company.authToken,
        TWILIO_FROM: '+447700900123',
      };
      const machine = await aProvedMachine(env);
      /** The words of the mails that an address has got, once there are so many. */
      async function mails(recipient: string, subject: RegExp, count: number): Promise<string[]> {
        const got = () =>
          office.received.flatMap(({ mail, ...to }) =>
            to.recipient === recipient && subject.test(mail.subject ?? '') ? [mail.text ?? ''] : [],
          );
        await expect.poll(got, { timeout: MINUTE }).toHaveLength(count);
        return got();
      }
      async function press(mail: string | undefined): Promise<number> {
        const token = /\/still-here#(\S+)/.exec(mail ?? '')?.[1];
        return (await machine.call('POST', '/api/confirmations', { token })).status;
      }
      async function prove(path: string, address: string, more: object = {}) {
        expect((await machine.call('PUT', path, { ...more, address })).status).toBe(200);
        const [asked] = await mails(address, /^Confirm this address/, 1);
        expect(await press(asked)).toBe(200);
      }
      await prove('/api/warning-address', AUTHOR);
      /** So much passes, and everything is done in its hour. */
      async function later(time: number) {
        const steps = Math.ceil(time / (8 * HOUR));
        for (let step = 0; step < steps; step += 1) {
          machine.pass(time / steps);
          // What a tick writes has left before the clocks move on: else it would be cut off, and sent twice.
          for (const ticks of [2, 1]) {
            await machine.ticks(ticks);
            await expect.poll(() => machine.sql(DUE), { timeout: MINUTE }).toEqual([]);
          }
        }
      }
      /** The words of the text messages that were sent, once there are so many. */
      async function texts(count: number): Promise<string[]> {
        await expect.poll(() => company.received, { timeout: MINUTE }).toHaveLength(count);
        expect(company.received.every(({ to }) => to === TELEPHONE)).toBe(true);
        return company.received.map(({ body }) => body);
      }
      return { machine, env, office, mails, texts, prove, press, later };
    }

    it('whose mailbox refuses, or who has the dashboard alone: a pause that nobody answers ends after 180 counted days, and not before', async () => {
      const { machine, env, office } = await aWarnedAuthor('0.0.0.0');
      const letter = await machine.watch(silence, { warning: 'mail' });
      await machine.until(({ home_origin }) => home_origin !== null);
      const refused = () => machine.sql("select 1 from messages where kind = 'paused' and attempts > 0");
      async function expectItEndsUntold() {
        await machine.stop();
        rmSync(join(machine.dataDir, 'switch.journal'), { force: true });
        await machine.start(env);
        const { paused_for: begun } = await machine.until(
          ({ paused_reason }) => paused_reason === 'journal-missing',
        );
        machine.pass(20 * HOUR);
        await expect.poll(refused, { timeout: MINUTE }).toHaveLength(1);
        await machine.until(({ paused_for }) => paused_for >= begun + 20 * HOUR);
        machine.sql(
          `update instance_clock set paused_for = paused_for + ${hurriedRules.pauseEndsUntoldAfter - 22 * HOUR}`,
        );
        machine.pass(HOUR);
        const almost = await machine.ticks(3);
        expect(almost).toMatchObject({ paused_reason: 'journal-missing', told_at: null });
        machine.pass(2 * HOUR);
        const after = await machine.until(({ paused_reason }) => paused_reason === null);
        expect(after.firmly_held_until - after.counted_time).toBeGreaterThan(29 * DAY);
        expect(machine.stateOf(letter)).toMatchObject(watching);
      }
      office.behave('refuses for good');
      await expectItEndsUntold();
      await machine.signIn();
      expect((await machine.call('DELETE', '/api/warning-address')).status).toBe(204);
      expect(machine.sql('select warning from legacy_scrolls')).toEqual([{ warning: 'dashboard' }]);
      await expectItEndsUntold();
    });

    it('of six letters at once: two mails before and one after, however many letters they name', async () => {
      const { machine, mails, later } = await aWarnedAuthor();
      const labels = ['one', 'two', 'three', 'four', 'five', 'six'];
      for (const label of labels) await machine.watch(week, { warning: 'mail', label });
      await later(5.5 * DAY);
      const warnings = await mails(AUTHOR, /due/, 2);
      for (const words of warnings)
        for (const label of labels) expect(words).toContain(`“${label}”, activated on`);
      await later(2 * DAY);
      await mails('ada@mail.example', /^A letter was left for you/, labels.length);
      const [after] = await mails(AUTHOR, /^6 letters of yours were sent/, 1);
      for (const label of labels) expect(after).toContain(`“${label}”, sent on`);
      await mails(AUTHOR, /due/, 2);
    });

    it('by text message as well, while their mailbox takes nothing: each text that was accepted counts, and its link too', async () => {
      const { machine, office, mails, texts, press, later } = await aWarnedAuthor();
      // Who has just come asks one address in a day.
      machine.sql(`update accounts set created_at = created_at - ${4 * DAY}`);
      const second = { wantedChannel: 'sms', address: TELEPHONE };
      expect((await machine.call('PUT', '/api/second-warning', second)).status).toBe(200);
      const asksFirst = "select 1 from messages where channel = 'sms' and withheld = 'permission'";
      await expect.poll(() => machine.sql(asksFirst), { timeout: MINUTE }).toHaveLength(1);
      await texts(0);
      // An administrator needs no permission: what waits for one looks again after a day.
      const token = readFileSync(join(machine.dataDir, 'setup-token'), 'utf8').trim();
      expect((await machine.call('POST', '/api/admin/claim', { token })).ok).toBe(true);
      await later(25 * HOUR);
      const [asked] = await texts(1);
      expect(asked).toMatch(/^Shall warnings about letters kept at .* come to this number\?/);
      expect(await press(asked)).toBe(200);

      await machine.signIn();
      const letter = await machine.watch(week, { warning: 'mail', label: 'the well' });
      office.behave('refuses for now');
      await later(3.4 * DAY);
      const [, warned] = await texts(2);
      expect(warned).toMatch(/^A letter of yours is due in \d+ days\. If you do nothing, it is sent\.\n/);
      expect(warned).not.toContain('the well');
      expect(await press(warned)).toBe(200);
      expect(await press(warned)).toBe(410);
      await later(5.4 * DAY);
      await texts(4);
      expect(machine.stateOf(letter)).toMatchObject(watching);
      // It leaves at its deadline: without a text that was accepted it would wait for two weeks more.
      await later(DAY);
      expect(machine.stateOf(letter).state).toBe('released');
      office.behave('accepts');
      await later(2 * DAY);
      await mails('ada@mail.example', /^A letter was left for you/, 1);
      // What can still be stopped, no text message can say.
      await mails(AUTHOR, /^Your letter was sent on/, 1);
      await texts(4);
    });

    it('at two addresses, and whose contact postpones: the letter leaves a month later, and its author can still stop it', async () => {
      const { machine, mails, prove, press, later } = await aWarnedAuthor();
      // Who has just come asks one address in a day.
      machine.sql(`update accounts set created_at = created_at - ${4 * DAY}`);
      await prove('/api/second-warning', SECOND, { wantedChannel: 'email' });
      const contact = { name: 'Ben', address: CONTACT, authorName: 'Agnes' };
      expect((await machine.call('PUT', '/api/trusted-contact', contact)).status).toBe(200);
      const letter = await machine.watch(week, { warning: 'mail', label: 'the well' });
      await later(3.4 * DAY);
      for (const address of [AUTHOR, SECOND]) await mails(address, /due in/, 1);
      const [asked] = await mails(CONTACT, /^You are asked before letters are sent/, 1);
      expect(asked).not.toContain('the well');
      expect(await press(asked)).toBe(200);
      expect(await press(asked)).toBe(410);
      await mails(AUTHOR, /^Your trusted contact postponed your letters/, 1);
      await later(29 * DAY);
      expect(machine.stateOf(letter)).toMatchObject(watching);
      const [, askedAnew] = await mails(CONTACT, /^You are asked before letters are sent/, 2);
      expect(askedAnew).toContain('You have postponed this before.');
      await later(2 * DAY);
      expect(machine.stateOf(letter).state).toBe('released');
      await mails('ada@mail.example', /^A letter was left for you/, 1);
      for (const address of [AUTHOR, SECOND]) {
        const [after] = await mails(address, /^Your letter was sent on/, 1);
        expect(after).toContain('“the well”, sent on');
        expect(after).toContain('Sign in, and delete the letter there.');
      }
      await machine.signIn();
      expect((await machine.call('DELETE', `/api/legacy-scrolls/${letter}`)).status).toBe(204);
      await later(4 * DAY);
      await mails('ada@mail.example', /letter was left for you/, 1);
    });
  });
});
