// When a day begins somewhere on earth.
import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import { startOfDay } from './start-of-day.ts';

const iso = (day: string, zone: string) => {
  const start = startOfDay(day, zone);
  return start === null ? null : new Date(start).toISOString();
};

describe('a day begins', () => {
  test.each([
    ['2030-01-01', 'UTC', '2030-01-01T00:00:00.000Z'],
    ['2030-07-01', 'Europe/Berlin', '2030-06-30T22:00:00.000Z'],
    ['2030-01-01', 'Europe/Berlin', '2029-12-31T23:00:00.000Z'],
    // The days on which clocks change begin before the change.
    ['2025-03-30', 'Europe/Berlin', '2025-03-29T23:00:00.000Z'],
    ['2025-10-26', 'Europe/Berlin', '2025-10-25T22:00:00.000Z'],
    ['2025-03-09', 'America/New_York', '2025-03-09T05:00:00.000Z'],
    // Here midnight itself is skipped: the day begins at one o'clock.
    ['2018-11-04', 'America/Sao_Paulo', '2018-11-04T03:00:00.000Z'],
    ['2022-03-27', 'Asia/Beirut', '2022-03-26T22:00:00.000Z'],
    ['2024-09-08', 'America/Santiago', '2024-09-08T04:00:00.000Z'],
    // Here midnight is struck twice, and the first stroke only ends the hour that comes again.
    ['2018-02-18', 'America/Sao_Paulo', '2018-02-18T03:00:00.000Z'],
    ['2024-04-07', 'America/Santiago', '2024-04-07T04:00:00.000Z'],
    // Both sides of the date line, and quarters of hours.
    ['2030-01-01', 'Pacific/Kiritimati', '2029-12-31T10:00:00.000Z'],
    ['2030-01-01', 'Pacific/Pago_Pago', '2030-01-01T11:00:00.000Z'],
    ['2030-01-01', 'Etc/GMT+12', '2030-01-01T12:00:00.000Z'],
    ['2030-01-01', 'Pacific/Chatham', '2029-12-31T10:15:00.000Z'],
    ['2030-01-01', 'Asia/Kathmandu', '2029-12-31T18:15:00.000Z'],
    // A day that an island has never had begins when the next one does.
    ['2011-12-30', 'Pacific/Apia', '2011-12-30T10:00:00.000Z'],
    ['2011-12-31', 'Pacific/Apia', '2011-12-30T10:00:00.000Z'],
    ['1993-08-21', 'Pacific/Kwajalein', '1993-08-21T12:00:00.000Z'],
    // Leap days, the first day and the last.
    ['2028-02-29', 'UTC', '2028-02-29T00:00:00.000Z'],
    ['1970-01-01', 'UTC', '1970-01-01T00:00:00.000Z'],
    ['9999-12-31', 'UTC', '9999-12-31T00:00:00.000Z'],
  ])('%s in %s at %s', (day, zone, expected) => {
    expect(iso(day, zone)).toBe(expected);
  });

  test.each([
    ['2029-02-29', 'UTC'],
    ['2030-02-31', 'UTC'],
    ['2030-13-01', 'UTC'],
    ['2030-00-10', 'UTC'],
    ['1969-12-31', 'UTC'],
    ['0099-01-01', 'UTC'],
    ['2030-1-1', 'UTC'],
    [' 2030-01-01', 'UTC'],
    ['2030-01-01T00:00', 'UTC'],
    ['٢٠٣٠-٠١-٠١', 'UTC'],
    ['+2030-01-01', 'UTC'],
    ['', 'UTC'],
    ['2030-01-01', ''],
    ['2030-01-01', 'Europe/Nowhere'],
    ['2030-01-01', 'Europe/Berlin\u0000'],
    ['2030-01-01', '../../etc/localtime'],
  ])('never: %j in %j', (day, zone) => {
    expect(startOfDay(day, zone)).toBeNull();
  });

  it('within the zone, the moment before belongs to the day before, everywhere', {
    tags: 'long',
    timeout: 60_000,
  }, () => {
    const zones = Intl.supportedValuesOf('timeZone');
    const clocks = new Map(
      zones.map((zone) => [zone, new Intl.DateTimeFormat('sv-SE', { timeZone: zone, dateStyle: 'short' })]),
    );
    const day = fc
      .date({ min: new Date('2012-01-01'), max: new Date('2099-12-31'), noInvalidDate: true })
      .map((date) => date.toISOString().slice(0, 10));
    fc.assert(
      fc.property(day, fc.constantFrom(...zones), (wanted, zone) => {
        const start = startOfDay(wanted, zone);
        const clock = clocks.get(zone);
        expect(clock?.format(start ?? 0)).toBe(wanted);
        expect(clock?.format((start ?? 0) - 1) ?? '').not.toBe(wanted);
      }),
      { numRuns: 1500 },
    );
  });
});
