// The heads of lines in every language that WhatsApp has, and its neighbours, as CLDR writes them: what phones print.
import { describe, expect, test } from 'vitest';
import { LeftOutList } from '../imported-entry.ts';
import { isWhatsApp, parseWhatsApp } from './whatsapp.ts';

/** The languages of WhatsApp, and regions that write dates in another way. */
const LOCALES = [
  ...'af am ar ar-EG ar-SA ar-MA az be bg bn bn-IN bs ca cs da de de-AT de-CH el'.split(' '),
  ...'en en-GB en-IE en-IN en-CA en-AU en-NZ en-ZA en-SG es es-MX es-US es-AR es-CL es-CO es-PE et eu'.split(
    ' ',
  ),
  ...'fa fa-AF fi fil fr fr-CA fr-CH fr-BE ga gl gu ha he hi hr hu hy id is it it-CH ja ka kk km kn ko ky'.split(
    ' ',
  ),
  ...'lo lt lv mk ml mn mr ms my nb ne nl nl-BE pa pl ps pt pt-PT ro ru rw si sk sl so sq sr sr-Latn sv sw'.split(
    ' ',
  ),
  ...'ta te th tr uk ur uz vi zh zh-TW zh-HK zu'.split(' '),
  // Other digits and calendars, which a phone can be set to.
  ...'hi-u-nu-deva th-u-nu-thai ta-u-nu-tamldec te-u-nu-telu gu-u-nu-gujr pa-u-nu-guru ur-u-nu-arabext'.split(
    ' ',
  ),
  ...'ar-EG-u-nu-arab th-u-ca-gregory fa-u-ca-gregory ar-SA-u-ca-islamic-umalqura'.split(' '),
];

const NOW = Date.UTC(2026, 10, 24);
const MOMENTS = [
  '2021-02-03T08:59',
  '2022-07-20T12:05',
  '2023-12-31T15:07',
  '2024-01-05T00:30',
  '2024-11-25T23:48',
];

type Form = (moment: Date) => string;
type Options = Intl.DateTimeFormatOptions;

/** A date and a time as phones of a language write them. */
function formsOf(locale: string): Record<string, Form> {
  const of = (options: Options): Form => {
    const format = new Intl.DateTimeFormat(locale, { timeZone: 'UTC', ...options });
    return (moment) => format.format(moment);
  };
  const date = of({ dateStyle: 'short' });
  const long = of({ year: 'numeric', month: 'numeric', day: 'numeric' });
  const half = of({ hour: 'numeric', minute: '2-digit', hour12: true });
  const parts = of({ hour: 'numeric', minute: '2-digit', hour12: true, dayPeriod: 'short' });
  const whole = of({ hour: '2-digit', minute: '2-digit', hourCycle: 'h23' });
  const short = of({ dateStyle: 'short', timeStyle: 'short' });
  const medium = of({ dateStyle: 'short', timeStyle: 'medium' });
  const forms: Record<string, Form> = {
    Android: (moment) => `${short(moment)} - Nora: Prosit`,
    'Android, twelve hours': (moment) => `${date(moment)}, ${half(moment)} - Nora: Prosit`,
    'Android, twelve hours, no comma': (moment) => `${date(moment)} ${half(moment)} - Nora: Prosit`,
    'Android, 24 hours': (moment) => `${date(moment)}, ${whole(moment)} - Nora: Prosit`,
    'Android, long years': (moment) => `${long(moment)}, ${half(moment)} - Nora: Prosit`,
    iOS: (moment) => `[${medium(moment)}] Nora: Prosit`,
    'iOS with a mark': (moment) => `\u200e[${medium(moment)}] Nora: Prosit`,
  };
  // CLDR has the day before the month in this one form of Kyrgyz alone; no phone prints it.
  if (locale === 'ky') delete forms['Android, long years'];
  // These languages part the day in more than two.
  if (/^(?:zh|my)/.test(locale))
    forms['parts of the day'] = (moment) => `[${date(moment)} ${parts(moment)}] Nora: Prosit`;
  return forms;
}

const momentOf = (stamp: string) => new Date(`${stamp}:09Z`);
const chatOf = (text: string) =>
  parseWhatsApp(text, 'WhatsApp Chat with Nora.txt', null, new LeftOutList(), NOW);

test.each(LOCALES)('%s', (locale) => {
  const read = Object.entries(formsOf(locale)).map(([form, write]) => {
    const text = MOMENTS.map((stamp) => write(momentOf(stamp))).join('\n');
    const chat = chatOf(text);
    const right =
      isWhatsApp(text) &&
      chat.orders.length === 1 &&
      chat
        .messages()
        .every(({ at, from, text: said }, i) => at === MOMENTS[i] && from === 'Nora' && said === 'Prosit');
    return right ? [] : [{ form, text, orders: chat.orders, read: chat.messages() }];
  });
  expect(read.flat()).toEqual([]);
});

describe('a date that could be two is asked for', () => {
  test.each(LOCALES)('%s', (locale) => {
    for (const [form, write] of Object.entries(formsOf(locale))) {
      const chat = chatOf(write(momentOf('2021-02-03T08:59')));
      const offered = chat.orders.flatMap((order) => chat.messages(order).map(({ at }) => at));
      expect(offered, form).toContain('2021-02-03T08:59');
    }
  });
});
