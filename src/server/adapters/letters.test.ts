import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { DAY, HOUR, MINUTE } from '../../shared/time.ts';
import { openPostOffice } from '../../testing/post-office.ts';
import {
  inWords,
  type LetterOptions,
  type LetterRow,
  type NamedKit,
  type NamedRelease,
  type NamedScroll,
} from './letter-parts.ts';
import { writeLetter } from './letters.ts';
import { createMailTransport } from './mail.ts';

const ORIGIN = 'https://vault.example';
const SCROLL = 'AbCdEfGhIjKlMnOpQrStUv';
const TOKEN = 'T0ken-of_43-characters-base64url-0123456789';

const aRow = (over: Partial<LetterRow> = {}): LetterRow => ({
  public_id: 'kLm-4oPq_rStUvWxYz0123',
  kind: 'release',
  channel: 'email',
  address: 'ann@mail.example',
  scroll_public_id: SCROLL,
  created_counted: 0,
  step: 0,
  author_name: null,
  scrolls: [],
  releases: [],
  kits: [],
  deadline: null,
  contact_name: null,
  sheets_needed: null,
  sister_home: null,
  sister_opened: null,
  ...over,
});

const aLetter = (due_in: number, over: Partial<NamedScroll> = {}): NamedScroll => ({
  label: null,
  armed_at: Date.parse('2030-03-02T23:30:00Z'),
  time_zone: 'Europe/Vienna',
  recipients: 1,
  due_in,
  accepted: null,
  ...over,
});

const aRelease = (over: Partial<NamedRelease> = {}): NamedRelease => ({
  ...{ scroll_id: 1, label: null, recipients: 2, opened: 0, unsent: 0, later: 0 },
  released_at: Date.parse('2027-05-02T22:30:00Z'),
  time_zone: 'Europe/Vienna',
  ...over,
});

const TO_CONTACT = aRow({ kind: 'contact-warning', scrolls: [aLetter(3 * DAY, { label: 'For Anna' })] });
const TO_NAMED = aRow({
  kind: 'contact-warning',
  scrolls: [aLetter(-HOUR), aLetter(DAY)],
  author_name: 'Agnes',
  contact_name: 'Ben',
});
const POSTPONED = aRow({ kind: 'postponed', contact_name: 'Ben' });

const AFTER_RELEASE = aRow({ kind: 'after-release', releases: [aRelease({ label: 'For Anna' })] });
const AFTER_RELEASES = aRow({
  kind: 'after-release',
  releases: [
    aRelease({ label: 'For Anna & Ben (the house)', opened: 1, unsent: 1, later: 1 }),
    aRelease({ recipients: 1, unsent: 2, later: 2 }),
    aRelease({ scroll_id: null, recipients: 8 }),
  ],
});

const aWarning = (due_in: number, over: Partial<LetterRow> = {}) =>
  aRow({ kind: 'warning', scrolls: [aLetter(due_in)], ...over });

const DIGEST = aRow({
  kind: 'warning',
  scrolls: [
    aLetter(-DAY, { label: 'For Anna & Ben (the house)', recipients: 2, accepted: -2 * DAY }),
    aLetter(DAY),
    aLetter(8 * DAY, { label: 'أنطوان' }),
  ],
});

const aKit = (over: Partial<NamedKit> = {}): NamedKit => ({
  ...{ created_at: Date.parse('2030-03-02T12:00:00Z'), asked_at: Date.parse('2031-01-05T12:00:00Z') },
  ...{ needed: 2, count: 3, deadline: 14 * DAY, accepted: null, isAskedAgain: false, isOver: false },
  ...over,
});
const ASKED = aRow({ kind: 'kit-asked', kits: [aKit()] });
const ASKED_AGAIN = aRow({
  kind: 'kit-asked',
  kits: [aKit({ isAskedAgain: true, deadline: 7 * DAY, accepted: 0 }), aKit({ needed: 3, count: 5 })],
});
const ASKED_AND_OVER = aRow({ kind: 'kit-asked', kits: [aKit({ deadline: 0, accepted: 0, isOver: true })] });

const RELEASE: LetterOptions = { origin: ORIGIN, linkToken: null };
const GOES_ON: LetterOptions = { ...RELEASE, goesOnByItself: true };
const PRESS: LetterOptions = { origin: ORIGIN, linkToken: TOKEN };

const letters: [string, LetterRow, LetterOptions, string][] = [
  ['a release', aRow(), RELEASE, `${ORIGIN}/legacy/${SCROLL}`],
  ['a release with a name', aRow({ author_name: 'Žofie O’Brien' }), RELEASE, `${ORIGIN}/legacy/${SCROLL}`],
  ['a release that two sheets open', aRow({ sheets_needed: 2 }), RELEASE, `${ORIGIN}/legacy/${SCROLL}`],
  [
    'a rehearsal that five sheets open',
    aRow({ kind: 'rehearsal', sheets_needed: 5 }),
    RELEASE,
    `${ORIGIN}/legacy/${SCROLL}`,
  ],
  ['a reminder', aRow({ kind: 'reminder', step: 1 }), RELEASE, `${ORIGIN}/legacy/${SCROLL}`],
  ['the last reminder', aRow({ kind: 'reminder', step: 3 }), RELEASE, `${ORIGIN}/legacy/${SCROLL}`],
  ['a warning', aWarning(7 * DAY), PRESS, `${ORIGIN}/still-here#${TOKEN}`],
  ['a warning of three letters', DIGEST, PRESS, `${ORIGIN}/still-here#${TOKEN}`],
  ['a warning of a short switch', aWarning(12 * HOUR), PRESS, `${ORIGIN}/still-here#${TOKEN}`],
  ['a warning after the deadline', aWarning(-2 * DAY), PRESS, `${ORIGIN}/still-here#${TOKEN}`],
  ['a warning that a sign-in answers', aWarning(DAY), RELEASE, `${ORIGIN}/enter`],
  ['what a contact is told', TO_CONTACT, PRESS, `${ORIGIN}/still-here#${TOKEN}`],
  ['what a contact is told by name', TO_NAMED, PRESS, `${ORIGIN}/still-here#${TOKEN}`],
  ['a postponement', POSTPONED, PRESS, `${ORIGIN}/still-here#${TOKEN}`],
  ['a postponement that a sign-in answers', POSTPONED, RELEASE, `${ORIGIN}/enter`],
  ['a rehearsal', aRow({ kind: 'rehearsal' }), RELEASE, `${ORIGIN}/legacy/${SCROLL}`],
  [
    'a rehearsal with a name',
    aRow({ kind: 'rehearsal', author_name: 'Žofie O’Brien' }),
    RELEASE,
    `${ORIGIN}/legacy/${SCROLL}`,
  ],
  [
    'a year without a rehearsal',
    aRow({ kind: 'rehearsal-due', step: 2 }),
    RELEASE,
    `${ORIGIN}/legacy-scroll`,
  ],
  ['a mail after a release', AFTER_RELEASE, RELEASE, `${ORIGIN}/legacy-scroll`],
  ['a mail after three releases', AFTER_RELEASES, RELEASE, `${ORIGIN}/legacy-scroll`],
  ['what guardians ask', ASKED, PRESS, `${ORIGIN}/still-here#${TOKEN}`],
  ['what guardians ask again', ASKED_AGAIN, PRESS, `${ORIGIN}/still-here#${TOKEN}`],
  ['that guardians can open a vault', ASKED_AND_OVER, PRESS, `${ORIGIN}/still-here#${TOKEN}`],
  ['what guardians ask that a sign-in answers', ASKED, RELEASE, `${ORIGIN}/enter`],
  [
    'that guardians were stopped',
    aRow({ kind: 'kit-stopped', deadline: Date.parse('2031-01-05T12:00:00Z') }),
    RELEASE,
    `${ORIGIN}/settings`,
  ],
  [
    'that guardians have opened a vault',
    aRow({ kind: 'kit-opened', deadline: Date.parse('2031-01-05T12:00:00Z') }),
    RELEASE,
    `${ORIGIN}/settings`,
  ],
  [
    'that a guardians’ kit was made',
    aRow({ kind: 'kit-made', deadline: Date.parse('2031-01-05T12:00:00Z') }),
    RELEASE,
    `${ORIGIN}/settings`,
  ],
  [
    'that a guardians’ kit was removed',
    aRow({ kind: 'kit-removed', deadline: Date.parse('2031-01-05T12:00:00Z') }),
    RELEASE,
    `${ORIGIN}/settings`,
  ],
  [
    'that several kits were made',
    aRow({ kind: 'kit-made', step: 3, deadline: Date.parse('2031-01-05T12:00:00Z') }),
    RELEASE,
    `${ORIGIN}/settings`,
  ],
  [
    'that several kits were removed',
    aRow({ kind: 'kit-removed', step: 2, deadline: Date.parse('2031-01-05T12:00:00Z') }),
    RELEASE,
    `${ORIGIN}/settings`,
  ],
  ['a pause', aRow({ kind: 'paused' }), RELEASE, `${ORIGIN}/enter`],
  ['a pause that ends by itself', aRow({ kind: 'paused' }), GOES_ON, `${ORIGIN}/enter`],
  ['the question to an administrator', aRow({ kind: 'confirm-switch' }), GOES_ON, `${ORIGIN}/outbox`],
  [
    'a letter that was kept for another server',
    aRow({ kind: 'sister-letter', sister_home: 'https://home.example', author_name: 'Žofie O’Brien' }),
    PRESS,
    `${ORIGIN}/sisters/${SCROLL}#${TOKEN}`,
  ],
  [
    'a letter that was kept for another server, and that somebody has opened',
    aRow({ kind: 'sister-letter', sister_home: 'https://home.example', sister_opened: 1 }),
    PRESS,
    `${ORIGIN}/sisters/${SCROLL}#${TOKEN}`,
  ],
  ['the proof of an address', aRow({ kind: 'prove-address' }), PRESS, `${ORIGIN}/still-here#${TOKEN}`],
];

const VOID = new Set(['meta', 'br']);

/** The tags of a document in order, or the first that does not belong. */
function misplacedTag(html: string): string | null {
  const open: string[] = [];
  for (const [tag, slash, name = ''] of html
    .replace('<!doctype html>', '')
    .matchAll(/<(\/?)([a-z]+)[^<>]*>/g)) {
    if (VOID.has(name)) continue;
    if (!slash) open.push(name);
    else if (open.pop() !== name) return tag;
  }
  return open.pop() ?? null;
}

/** What a reader of the HTML sees, in the form that the text has. */
function seen(html: string): string {
  const body = /<body[^>]*>([\s\S]*)<\/body>/.exec(html)?.[1] ?? '';
  return body
    .replace(/<br>\n?/g, '\n')
    .replace(/<ul[^>]*>\n/g, '')
    .replace(/<li>/g, '- ')
    .replace(/<\/(p|li>\n<\/ul)>\n/g, '\n\n')
    .replace(/<[^>]+>/g, '')
    .replace(/&lt;/g, '<')
    .replace(/&gt;/g, '>')
    .replace(/&quot;/g, '"')
    .replace(/&amp;/g, '&')
    .trim();
}

describe.each(letters)('%s', (_name, row, options, link) => {
  const letter = writeLetter(row, options);

  it('says this', () => {
    expect(`${letter.subject}\n\n${letter.text}`).toMatchSnapshot();
  });

  it('goes under its number to its address', () => {
    expect(letter).toMatchObject({ id: row.public_id, to: row.address });
    expect(letter.subject).toMatch(/^.{10,60}$/);
  });

  it('leads to one place, and shows where', () => {
    expect(letter.text.match(/https?:\S+/g)).toEqual([link]);
    expect([...letter.html.matchAll(/<a [^>]*href="([^"]*)"/g)].map(([, href]) => href)).toEqual([link]);
    expect(new Set(letter.html.match(/https?:[^\s"<]+/g))).toEqual(new Set([link]));
  });

  it('says the same in text and in HTML', () => {
    expect(seen(letter.html)).toBe(letter.text.trim());
  });

  it('is a whole document that fetches nothing, runs nothing and brings no colours', () => {
    expect(letter.html).toMatch(/^<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n/);
    expect(letter.html).toContain(`<title>${letter.subject.replace(/&/g, '&amp;')}</title>`);
    expect(misplacedTag(letter.html)).toBeNull();
    expect(letter.html).not.toMatch(
      /<(img|script|style|link|iframe|form|base|object)\b|url\(|\bon\w+=|rgb|#[0-9a-f]{3}\b/i,
    );
    expect(letter.html).not.toMatch(/&(?!amp;|lt;|gt;|quot;)/);
  });

  it('reads aloud: short sentences, in plain signs', () => {
    const sentences = letter.text.replace(/https?:\S+/g, '').split(/[.?!]\s|\n/);
    for (const sentence of sentences) expect(sentence.split(/\s+/).length, sentence).toBeLessThanOrEqual(30);
    expect(letter.text).not.toMatch(/[;—–]/);
  });

  it('claims nothing that this server does not know', () => {
    expect(letter.text).not.toMatch(
      /\b(dead|death|died|deceased|passed away|late|estate|heir|last words)\b/i,
    );
  });

  it('arrives as it was written', async () => {
    const office = await openPostOffice();
    const mail = { url: new URL(office.url), from: { name: '', address: 'vault@vault.example' } };
    expect(await createMailTransport({ mail, instance: new URL(ORIGIN) }).send(letter)).toBe('accepted');
    const [received] = office.received;
    expect(received?.mail.text?.trim()).toBe(letter.text.trim());
    expect(received?.mail.html?.trim()).toBe(letter.html.trim());
    expect(received?.mail.subject).toBe(letter.subject);
    // Lines that no server may break (RFC 5322, 2.1.1).
    expect(received?.raw.split('\r\n').every((line) => line.length <= 998)).toBe(true);
    await office.close();
  });
});

describe('a release and its reminders', () => {
  const both = [aRow(), aRow({ kind: 'reminder', step: 2 })];

  it.each(both)('$kind begins with who it is from, what to look for, and that it costs nothing', (row) => {
    const named = writeLetter({ ...row, author_name: 'Agnes' }, RELEASE).text.split('\n');
    expect(named.slice(0, 4)).toEqual([
      expect.stringMatching(/^Who this is from: somebody who keeps a vault at vault.example. .*“Agnes”/),
      expect.stringMatching(/^What to look for: the key card .* or the passphrase/),
      expect.stringMatching(/^What it costs: nothing. Nobody asks you for money/),
      '',
    ]);
    const short = writeLetter({ ...row, channel: 'sms', address: '+447700900123' }, RELEASE).text.split('\n');
    expect(short).toEqual([
      expect.stringMatching(/omebody wrote you a letter.$/),
      'Look for the key card they gave you, or your passphrase.',
      'It costs nothing. Nobody asks for money or data.',
      `${ORIGIN}/legacy/${SCROLL}`,
    ]);
  });

  it.each(both)('$kind gives no label, which is the author’s own', (row) => {
    const letter = writeLetter({ ...row, scrolls: [aLetter(DAY, { label: 'For Anna' })] }, RELEASE);
    expect(JSON.stringify(letter)).not.toContain('For Anna');
  });

  it.each(both)('$kind says that nothing is asked for, and how to check it without its link', (row) => {
    const { text } = writeLetter(row, RELEASE);
    expect(text).toMatch(/no money, no account, no password of yours/);
    expect(text).toMatch(/you do not have to use the link in it/);
    expect(text).toContain('the same server, vault.example.');
  });

  it('give the name in their text alone, and say that it is not checked', () => {
    for (const row of both) {
      const { subject, text, html } = writeLetter({ ...row, author_name: 'Agnes of the Lake' }, RELEASE);
      expect(subject).not.toContain('Agnes');
      for (const body of [text, html]) {
        expect(body).toContain(
          'They give their name as “Agnes of the Lake”. This server has not checked the name.',
        );
      }
    }
  });

  it('keep a name that is written from right to left apart from the words around it', () => {
    const { text } = writeLetter(aRow({ author_name: 'أنطوان' }), RELEASE);
    expect(text).toContain('“\u2068أنطوان\u2069”');
  });

  it('make nothing of what a name may hold that was never let in', () => {
    const name = '<img src=x onerror=1>\r\nBcc: x@evil.example';
    const { html, subject } = writeLetter(aRow({ author_name: name }), RELEASE);
    expect(html).not.toContain('<img');
    expect(subject).toBe('A letter was left for you');
  });

  it('by text message give no name, and fit as plainly', () => {
    const row = aRow({
      kind: 'reminder',
      step: 1,
      channel: 'sms',
      address: '+447700900123',
      author_name: 'Žofie',
    });
    const { text } = writeLetter(row, RELEASE);
    expect(text).toMatch(/^Reminder: [\n\x20-\x7e]+$/);
    expect(text.length).toBeLessThanOrEqual(300);
  });
});

it('a reminder but the last has a second link, which ends them, and a mail program is told it with each', () => {
  const options = { ...RELEASE, stopToken: TOKEN };
  const stop = `${ORIGIN}/api/reminders/${TOKEN}`;
  const linksOf = (row: LetterRow) => writeLetter(row, options).text.match(/https?:\S+/g);
  const letter = `${ORIGIN}/legacy/${SCROLL}`;
  expect(linksOf(aRow({ kind: 'reminder', step: 1 }))).toEqual([letter, stop]);
  expect(linksOf(aRow({ kind: 'reminder', step: 3 }))).toEqual([letter]);
  expect(linksOf(aRow())).toEqual([letter]);
  expect(writeLetter(aRow(), options).unsubscribe).toBe(stop);
  expect(writeLetter(aWarning(DAY), PRESS).unsubscribe).toBeNull();
});

it('a rehearsal has a second link, which ends rehearsals and not the letter, and a mail program is told it', () => {
  const stop = `${ORIGIN}/api/reminders/${TOKEN}`;
  const rehearsal = writeLetter(aRow({ kind: 'rehearsal' }), { ...RELEASE, stopToken: TOKEN });
  expect(rehearsal.text.match(/https?:\S+/g)).toEqual([`${ORIGIN}/legacy/${SCROLL}`, stop]);
  expect(rehearsal.text).toMatch(/no more rehearsals of this letter[\s\S]*The letter itself is still sent/);
  expect(rehearsal.unsubscribe).toBe(stop);
  expect(writeLetter(aRow({ kind: 'rehearsal' }), RELEASE).unsubscribe).toBeNull();
});

describe('a release', () => {
  const numbers = fc.stringMatching(/^[A-Za-z0-9_-]{22}$/);
  const origins = fc.stringMatching(/^https:\/\/[a-z0-9]{1,30}(\.[a-z]{2,20}){1,3}(:[1-9]\d{3})?$/);

  it('never holds the sign behind which keys stand', () => {
    fc.assert(
      fc.property(numbers, origins, fc.constantFrom('email', 'sms'), (scroll, origin, channel) => {
        const letter = writeLetter(aRow({ scroll_public_id: scroll, channel }), {
          origin,
          linkToken: null,
          stopToken: TOKEN,
        });
        expect(JSON.stringify(letter)).not.toContain('#');
      }),
    );
  });

  it('fits into a text message of 300 plain characters, its one link at the end', () => {
    fc.assert(
      fc.property(numbers, origins, (scroll, origin) => {
        const row = aRow({ channel: 'sms', address: '+447700900123', scroll_public_id: scroll });
        const { text, html } = writeLetter(row, { origin, linkToken: null });
        expect(text.length).toBeLessThanOrEqual(300);
        expect(text).toMatch(/^[\n\x20-\x7e]+$/);
        expect(text.match(/https?:\S+/g)).toEqual([`${origin}/legacy/${scroll}`]);
        expect(text.endsWith(`/legacy/${scroll}`)).toBe(true);
        expect(html).toBe('');
      }),
    );
  });

  it('by text message says this', () => {
    const text = { channel: 'sms', address: '+447700900123' } as const;
    expect(writeLetter(aRow(text), RELEASE).text).toMatchSnapshot();
    expect(writeLetter(aRow({ ...text, sheets_needed: 3 }), RELEASE).text).toBe(
      `Somebody wrote you a letter.\n3 people have sheets that open it together.\nIt costs nothing. Nobody asks for money or data.\n${ORIGIN}/legacy/${SCROLL}`,
    );
  });

  it('says the same at every try', () => {
    expect(writeLetter(aRow(), RELEASE)).toEqual(writeLetter(aRow(), { ...RELEASE, countedTime: DAY }));
  });
});

describe('a warning', () => {
  it('that was held up tells of the time that is left now', () => {
    const row = aWarning(7 * DAY, { created_counted: 100 * DAY });
    const at = (countedTime: number) => writeLetter(row, { ...PRESS, countedTime });
    expect(at(104 * DAY).subject).toBe('A letter of yours is due in 3 days');
    expect(at(104 * DAY).text).toContain('It is sent in about 3 days.');
    const warned = aWarning(7 * DAY, {
      created_counted: 100 * DAY,
      scrolls: [aLetter(7 * DAY, { accepted: 100 * DAY })],
    });
    const late = writeLetter(warned, { ...PRESS, countedTime: 107 * DAY });
    expect(late.subject).toBe('A letter of yours is due');
    expect(late.text).toContain('Its time has come. It is sent within a day.');
  });

  it.each([
    ['is the first one, however near the deadline is', 12 * HOUR, null, 'a day'],
    ['is the first one, after the deadline', -2 * DAY, null, 'a day'],
    ['follows one that was accepted six hours ago', 2 * HOUR, -6 * HOUR, '18 hours'],
    ['follows one that was accepted long ago', 12 * HOUR, -3 * DAY, '12 hours'],
  ])(
    'that %s says when the letter is sent, and never sooner than a day after the first',
    (_, due_in, accepted, when) => {
      const row = aWarning(due_in, { scrolls: [aLetter(due_in, { accepted })] });
      const mail = writeLetter(row, PRESS);
      expect(mail.subject).toBe(`A letter of yours is due in ${when}`);
      expect(mail.text).toContain(`It is sent in about ${when}.`);
      const { text } = writeLetter({ ...row, channel: 'sms', address: '+447700900123' }, PRESS);
      expect(text).toContain(`A letter of yours is due in ${when}.`);
    },
  );

  it('names each letter by its label, the day of its activation where its author is, and its recipients', () => {
    const { text, subject } = writeLetter(DIGEST, PRESS);
    expect(subject).toBe('3 letters of yours are due');
    expect(text).toContain('- “For Anna & Ben (the house)”, activated on 3 March 2030, for 2 recipients.');
    expect(text).toContain('- A letter without a label, activated on 3 March 2030, for one recipient.');
    expect(text).toContain('“\u2068أنطوان\u2069”');
    expect(subject).not.toContain('Anna');
  });

  it('makes nothing of what a label may hold that was never let in', () => {
    const label = '<img src=x onerror=1>\r\nBcc: x@evil.example';
    const { html } = writeLetter(aRow({ kind: 'warning', scrolls: [aLetter(DAY, { label })] }), PRESS);
    expect(html).not.toContain('<img');
  });

  it('names no scroll that is gone', () => {
    const { subject, text } = writeLetter(aWarning(DAY, { scrolls: [] }), PRESS);
    expect(subject).toBe('A letter of yours is due');
    expect(text).not.toContain('\n- ');
  });
});

describe('what a contact is told', () => {
  it('names no letter, no recipient and no link where they have postponed already', () => {
    const { text } = writeLetter(TO_NAMED, RELEASE);
    expect(text).not.toMatch(/http|Postpone by/);
    expect(text).toContain('You have postponed this before.');
    expect(JSON.stringify(writeLetter(TO_CONTACT, PRESS))).not.toContain('Anna');
    const { text: asked, unsubscribe } = writeLetter(TO_CONTACT, { ...PRESS, stopToken: TOKEN });
    expect(unsubscribe).toBe(`${ORIGIN}/api/reminders/${TOKEN}`);
    expect(asked).toMatch(/Do not ask me any more:?\s/);
    expect(asked).toContain(unsubscribe ?? '?');
  });
});

describe('by text message', () => {
  const byText = { channel: 'sms', address: '+447700900123' } as const;
  it.each<[string, LetterRow, LetterOptions, string]>([
    ['a warning', aWarning(7 * DAY, byText), PRESS, `${ORIGIN}/still-here#${TOKEN}`],
    ['a warning of three letters', { ...DIGEST, ...byText }, PRESS, `${ORIGIN}/still-here#${TOKEN}`],
    ['a warning that a sign-in answers', aWarning(DAY, byText), RELEASE, `${ORIGIN}/enter`],
    [
      'the proof of a number',
      aRow({ kind: 'prove-address', ...byText }),
      PRESS,
      `${ORIGIN}/still-here#${TOKEN}`,
    ],
  ])('%s is short and plain, gives no label, and ends with its link', (_, row, options, link) => {
    const { text, html, subject } = writeLetter(row, options);
    expect(text).toMatchSnapshot();
    expect(text).toMatch(/^[\n\x20-\x7e]+$/);
    expect(text.length).toBeLessThanOrEqual(300);
    expect(text.split('\n').at(-1)).toBe(link);
    expect([html, subject]).toEqual(['', '']);
  });
});

describe('what no letter says', () => {
  it.each<[Partial<LetterRow>, LetterOptions]>([
    [{ channel: 'whisper' }, RELEASE],
    [{ channel: 'sms', kind: 'after-release' }, RELEASE],
    [{ channel: 'sms', kind: 'prove-address' }, RELEASE],
    [{ scroll_public_id: null }, RELEASE],
    [{ kind: 'prove-address' }, RELEASE],
  ])('%j', (over, options) => {
    expect(() => writeLetter(aRow(over), options)).toThrow();
  });
});

describe('a length of time', () => {
  it.each([
    [7 * DAY, '7 days'],
    [7 * DAY - 2 * MINUTE, '7 days'],
    [3 * DAY, '3 days'],
    [36 * HOUR, '2 days'],
    [30 * HOUR, '30 hours'],
    [DAY, 'a day'],
    [DAY - 2 * MINUTE, 'a day'],
    [12 * HOUR, '12 hours'],
    [HOUR, 'an hour'],
    [20 * MINUTE, 'less than an hour'],
  ])('of %i is %s', (time, words) => {
    expect(inWords(time)).toBe(words);
  });
});
