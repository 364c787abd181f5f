// When a day begins somewhere on earth, and which addresses are any.
import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import { startOfDay } from './legacy.ts';
import { addressProblem, normaliseAddress, recipientTypes } from './scroll-recipients.ts';

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

  it('within the zone, the moment before belongs to the day before, everywhere', { timeout: 60_000 }, () => {
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

const KEPT = '0123456789abcdef0123456789abcdef';

describe('an address is kept', () => {
  test.each([
    ['email', '  agnes@example.org ', 'agnes@example.org'],
    ['email', 'Agnes.O’Hara+scroll@Example.co.uk', 'Agnes.O’Hara+scroll@Example.co.uk'],
    ['email', 'agnès@bücher.example', 'agnès@bücher.example'],
    ['sms', '+44 7700 900123', '+447700900123'],
    ['sms', '+1 (212) 555-0123', '+12125550123'],
    ['sms', '+1.212.555.0123', '+12125550123'],
    ['sms', '+44 (0)7700 900123', '+447700900123'],
    ['sms', '0044 7700 900123', '+447700900123'],
    // As a telephone's address book hands it over.
    ['sms', '\u202a+44 7700‑900123\u202c', '+447700900123'],
    ['sms', '+44\u00a07700\u00a0900123', '+447700900123'],
    ['whisper', ` ${KEPT.toUpperCase().replace(/(.{4})/g, '$1 ')}\n`, KEPT],
    ['whisper', `\u200b${KEPT}`, KEPT],
  ] as const)('%s: %j as %j', (type, typed, kept) => {
    expect(addressProblem(type, typed)).toBeNull();
    expect(normaliseAddress(type, typed)).toBe(kept);
  });

  test.each([
    ['email', ''],
    ['email', 'agnes'],
    ['email', 'agnes@example'],
    ['email', '@example.org'],
    ['email', 'agnes@@example.org'],
    ['email', 'agnes@example.org, mallory@example.org'],
    ['email', 'agnes@example.org;mallory@example.org'],
    ['email', 'Agnes <agnes@example.org>'],
    ['email', 'agnes@example.org\r\nBcc: mallory@example.org'],
    ['email', 'agnes\u0000@example.org'],
    ['email', 'agnes@exam\u007fple.org'],
    ['email', 'agnes@exam\u200bple.org'],
    ['email', '\ud800agnes@example.org'],
    ['email', `${'a'.repeat(65)}@example.org`],
    ['email', `a@${'b'.repeat(191)}.org`],
    ['sms', '07700 900123'],
    ['sms', '+0 7700 900123'],
    ['sms', '+44'],
    ['sms', '+1234567890123456'],
    ['sms', '+44 7700 900123 ext 4'],
    ['sms', '++447700900123'],
    ['sms', '+٤٤٧٧٠٠٩٠٠١٢٣'],
    ['whisper', KEPT.slice(1)],
    ['whisper', `${KEPT}0`],
    ['whisper', KEPT.replace('a', 'g')],
  ] as const)('never: %s %j', (type, typed) => {
    expect(addressProblem(type, typed)).toMatch(/\.$/);
  });

  it('the same when it is kept once more, and none carries what ends a line or a string', () => {
    const typed = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.emailAddress(),
      fc.stringMatching(/^\+[0-9 ().-]{8,20}$/),
      fc.stringMatching(/^[0-9a-fA-F \n]{30,40}$/),
    );
    fc.assert(
      fc.property(fc.constantFrom(...recipientTypes), typed, (type, text) => {
        const kept = normaliseAddress(type, text);
        expect(normaliseAddress(type, kept)).toBe(kept);
        expect(addressProblem(type, kept)).toBe(addressProblem(type, text));
        if (addressProblem(type, text) === null) expect(kept).not.toMatch(/[\p{Cc}\s,;<>"]/u);
      }),
      { numRuns: 2000 },
    );
  });
});
