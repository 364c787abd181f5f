import { describe, expect, test } from 'vitest';
import { type DateOrder, groupChat } from '../chats.ts';
import { LeftOutList } from '../imported-entry.ts';
import { isWhatsApp, parseWhatsApp } from './whatsapp.ts';

function read(text: string, path = 'WhatsApp Chat with Nora.txt', zip: string | null = null) {
  const leftOut = new LeftOutList();
  const chat = parseWhatsApp(text, path, zip, leftOut);
  return { chat, messages: chat.messages(), leftOut };
}
const counts = (leftOut: LeftOutList) =>
  Object.fromEntries(leftOut.toArray().map(({ reason, count }) => [reason, count]));

describe('a line as phones write it', () => {
  test.each<[string, string, string]>([
    ['iOS, German', '[31.12.23, 23:59:59] Nora: Prosit', '2023-12-31T23:59'],
    ['iOS with a mark in front', '\u200e[31/12/2023, 23:59:59] Nora: Prosit', '2023-12-31T23:59'],
    ['iOS, American, narrow space', '[12/31/23, 11:59:59\u202fPM] Nora: Prosit', '2023-12-31T23:59'],
    ['iOS, Spanish', '[31/12/23, 11:59:59 p.\u00a0m.] Nora: Prosit', '2023-12-31T23:59'],
    ['iOS, Japanese', '[2023/12/31 23:59:59] Nora: Prosit', '2023-12-31T23:59'],
    ['iOS, Danish', '[31.12.2023 23.59.59] Nora: Prosit', '2023-12-31T23:59'],
    ['iOS, Chinese, half before', '[2023/12/31 下午11:59:59] Nora: Prosit', '2023-12-31T23:59'],
    ['Android, American', '12/31/23, 11:59 PM - Nora: Prosit', '2023-12-31T23:59'],
    ['Android, American, narrow space', '12/31/23, 11:59\u202fPM - Nora: Prosit', '2023-12-31T23:59'],
    ['Android, Indian', '31/12/2023, 11:59 pm - Nora: Prosit', '2023-12-31T23:59'],
    ['Android, Irish', '31/12/2023, 11:59 p.m. - Nora: Prosit', '2023-12-31T23:59'],
    ['Android, Spanish', '31/12/23, 11:59 p. m. - Nora: Prosit', '2023-12-31T23:59'],
    ['Android, morning', '12/31/23, 12:05 AM - Nora: Prosit', '2023-12-31T00:05'],
    ['Android, noon', '12/31/23, 12:05 PM - Nora: Prosit', '2023-12-31T12:05'],
    ['Android, German', '31.12.23, 23:59 - Nora: Prosit', '2023-12-31T23:59'],
    ['Android, Swedish', '2023-12-31 23:59 - Nora: Prosit', '2023-12-31T23:59'],
    ['Android, Canadian', '2023-12-31 11:59 p.m. - Nora: Prosit', '2023-12-31T23:59'],
    ['Android, Dutch', '31-12-2023 23:59 - Nora: Prosit', '2023-12-31T23:59'],
    ['Android, French', '31/12/2023 à 23:59 - Nora: Prosit', '2023-12-31T23:59'],
    ['Android, Finnish', '31.12.2023 klo 23.59 - Nora: Prosit', '2023-12-31T23:59'],
    ['Android, Hungarian', '2023. 12. 31. 23:59 - Nora: Prosit', '2023-12-31T23:59'],
    ['Android, Korean', '2023년 12월 31일 오후 11:59, Nora : Prosit', '2023-12-31T23:59'],
    ['Android, Chinese', '2023/12/31 下午11:59 - Nora: Prosit', '2023-12-31T23:59'],
    ['Android, Arabic digits', '٣١\u200f/١٢\u200f/٢٠٢٣، ١١:٥٩ م - Nora: Prosit', '2023-12-31T23:59'],
    ['Android, older Arabic', '\u061c31\u200f/12\u200f/2023، 11:59 م - Nora: Prosit', '2023-12-31T23:59'],
    ['Android, Thai years', '31/12/2566 23:59 - Nora: Prosit', '2023-12-31T23:59'],
  ])('%s', (_, line, at) => {
    expect(isWhatsApp(line)).toBe(true);
    expect(read(line).messages).toEqual([{ at, from: 'Nora', text: 'Prosit' }]);
  });

  test.each([
    ['a diary', 'Dear diary,\n31.12.23, 23:59 - Nora: no'],
    ['a log without anybody', '[2023-12-31 23:59:59] started\n[2023-12-31 23:59:59] ended'],
    ['a date of no calendar', '[45.45.23, 23:59:59] Nora: no'],
    ['nothing', ''],
  ])('%s is no chat', (_, text) => expect(isWhatsApp(text)).toBe(false));
});

describe('the order of day and month', () => {
  const chatOf = (...dates: string[]) => dates.map((date) => `${date}, 10:00 - Nora: x`).join('\n');
  test.each<[string, string[], DateOrder[]]>([
    ['a day above twelve anywhere decides', ['01/02/23', '03/02/23', '25/02/23'], ['dmy']],
    ['so does a month', ['1/2/23', '2/25/23'], ['mdy']],
    ['time runs forward', ['01/02/23', '02/01/23'], ['mdy']],
    ['where both fit, both are offered', ['01/02/23', '01/03/23'], ['dmy', 'mdy']],
    ['where both read the same, nothing is', ['02/02/23', '03/03/23'], ['dmy']],
    ['full stops mean day and month', ['01.02.23', '01.03.23'], ['dmy']],
    ['a year in front', ['2023-02-01', '2023-02-02'], ['ymd']],
    ['one odd line does not overrule the others', ['01/02/23', '25/02/23', '02/26/23', '27/02/23'], ['dmy']],
  ])('%s', (_, dates, orders) => {
    expect(read(chatOf(...dates)).chat.orders).toEqual(orders);
  });

  test('halves of the day make the American order likelier, and the chosen one counts', () => {
    const { chat } = read('1/2/23, 10:00 AM - Nora: x\n1/3/23, 10:00 AM - Nora: y');
    expect(chat.orders).toEqual(['mdy', 'dmy']);
    expect(chat.messages()[0]?.at).toBe('2023-01-02T10:00');
    expect(chat.messages('dmy')[0]?.at).toBe('2023-02-01T10:00');
  });
});

test('messages of many lines, system lines and colons', () => {
  const { messages, leftOut } = read(
    [
      '31.12.23, 23:58 - Nachrichten und Anrufe sind Ende-zu-Ende-verschlüsselt.',
      '31.12.23, 23:59 - Nora: First line',
      '',
      '12:30 is when we meet: at the gate',
      '31.12.23, 23:59 - Tom B.: see https://example.org: now',
      '99.99.99, 10:00 - this is what he wrote',
      '01.01.24, 00:00 - Nora hat die Gruppe verlassen.',
      '01.01.24, 00:01 - +43 660 000: hi',
      '01.01.24, 00:02 - Tom B.:',
    ].join('\n'),
  );
  expect(messages).toEqual([
    { at: '2023-12-31T23:59', from: 'Nora', text: 'First line\n\n12:30 is when we meet: at the gate' },
    {
      at: '2023-12-31T23:59',
      from: 'Tom B.',
      text: 'see https://example.org: now\n99.99.99, 10:00 - this is what he wrote',
    },
    { at: '2024-01-01T00:01', from: '+43 660 000', text: 'hi' },
    { at: '2024-01-01T00:02', from: 'Tom B.', text: '' },
  ]);
  expect(counts(leftOut)).toEqual({ notice: 2 });
});

test('pictures are named and counted, not imported', () => {
  const { messages, leftOut } = read(
    [
      '[31.12.23, 10:00:00] Walkers: \u200eMessages and calls are end-to-end encrypted.',
      '\u200e[31.12.23, 10:01:00] Nora: \u200eimage omitted',
      '[31.12.23, 10:02:00] Tom: \u200e<attached: 00000012-PHOTO-2023-12-31.jpg>',
      '[31.12.23, 10:03:00] Tom: \u200eThis message was deleted.',
      '[31.12.23, 10:04:00] Walkers: \u200eTom changed the group name',
      '[31.12.23, 10:05:00] Nora: I love you <3',
      '[31.12.23, 10:06:00] Tom: really',
    ].join('\n'),
    '_chat.txt',
    'WhatsApp Chat - Walkers.zip',
  );
  expect(messages.map(({ text }) => text)).toEqual([
    '[Left out]',
    '[Left out: 00000012-PHOTO-2023-12-31.jpg]',
    'This message was deleted.',
    'I love you <3',
    'really',
  ]);
  expect(counts(leftOut)).toEqual({ notice: 2, media: 2 });

  const android = read(
    [
      '12/31/23, 10:00 AM - Nora: <Media omitted>',
      '12/31/23, 10:01 AM - Nora: \u200eIMG-20231231-WA0001.jpg (file attached)\nThe lake',
    ].join('\n'),
  );
  expect(android.messages.map(({ text }) => text)).toEqual([
    '[Left out]',
    '[Left out: IMG-20231231-WA0001.jpg]\nThe lake',
  ]);
});

describe('words stay', () => {
  const android = (...texts: string[]) => texts.map((text) => `31.12.23, 10:00 - Nora: ${text}`).join('\n');
  const textsOf = (text: string) => read(text).messages.map((message) => message.text);

  test.each([
    '<sigh>',
    '<3',
    '<see: https://example.org/a.html>',
    'plan.txt (the new one, not the old one)',
    'photo.jpg (my favourite)',
    'IMG-20231231-WA0001.jpg (the lake)',
    'image omitted',
    'Bild weggelassen',
    'I had <Media omitted> in it',
    '<attached: nothing>',
    'see <attached: photo.jpg>',
  ])('%s', (text) => {
    expect(textsOf(android(text))).toEqual([text]);
    expect(textsOf(android('<Medien ausgeschlossen>', '<Medien ausgeschlossen>', text)).at(-1)).toBe(text);
  });

  test('a placeholder of another language than that of the export is what somebody has written', () => {
    const text = android(
      ...['<Medien ausgeschlossen>', '<Medien ausgeschlossen>', '<Medien ausgeschlossen>'],
      ...['<Media omitted>', 'a.pdf (file attached)'],
    );
    expect(textsOf(text).slice(2)).toEqual(['[Left out]', '<Media omitted>', 'a.pdf (file attached)']);
    // As many of one as of the other: none is certain.
    expect(textsOf(android('<Medien ausgeschlossen>', '<Media omitted>'))).toEqual([
      '<Medien ausgeschlossen>',
      '<Media omitted>',
    ]);
  });

  test.each([
    '<Media omitted>',
    '<Multimedia omitido>',
    '<Médias omis>',
    '<Mídia oculta>',
    '<Без медиафайлов>',
    '<Pominięto multimedia>',
    '<Média vynechány>',
    '<تم استبعاد الوسائط>',
    '<המדיה לא נכללה>',
    '<मीडिया के बिना>',
    '<Media tidak disertakan>',
    '<省略多媒体文件>',
    '<미디어 파일 제외됨>',
    '<Medya dahil edilmedi>',
    '\u200eimage omitted',
    '\u200eimagen omitida',
    '\u200e画像は含まれていません',
    '\u200eGIF dahil edilmedi',
  ])('%s is certain', (text) => expect(textsOf(android(text, 'hello'))).toEqual(['[Left out]', 'hello']));

  test.each([
    [
      '\u200eIMG-20231231-WA0001.jpg (in a language that is not known)',
      '[Left out: IMG-20231231-WA0001.jpg]',
    ],
    [
      '\u200e<??: 00000012-PHOTO-2023-12-31-10-02-00.jpg>',
      '[Left out: 00000012-PHOTO-2023-12-31-10-02-00.jpg]',
    ],
    ['The lake \u200e<attached: a b.jpg>', '[Left out: a b.jpg]\nThe lake'],
    ['\u200eplan.pdf • \u200e2 pages \u200edocument omitted', '[Left out: plan.pdf]'],
    ['Look \u200eimage omitted', '[Left out]\nLook'],
    ['DOC-20231231-WA0001.pdf (archivo adjunto)', '[Left out: DOC-20231231-WA0001.pdf]'],
  ])('the name and the caption of %s', (text, expected) =>
    expect(textsOf(android(text))).toEqual([expected]),
  );
});

test('somebody who has only asked for a vote is a person all the same', () => {
  const text = [
    '[31.12.23, 10:00:00] Walkers: \u200eMessages and calls are end-to-end encrypted.',
    '[31.12.23, 10:01:00] Nora: \u200ePOLL:\n\u200eCake?\n\u200eOPTION: Plum',
    '[31.12.23, 10:02:00] Tom: yes',
  ].join('\n');
  expect(read(text).messages.map(({ from }) => from)).toEqual(['Nora', 'Tom']);
});

test('years that could be of two calendars are asked for', () => {
  const line = '31/12/55, 10:00 - Nora: x\n30/12/56, 10:00 - Nora: y';
  const chat = (year: number) => parseWhatsApp(line, 'a.txt', null, new LeftOutList(), Date.UTC(year, 0, 2));
  // Until then, such a year of ours lies ahead.
  expect(chat(2026).orders).toEqual(['dmy buddhist']);
  const asked = chat(2060);
  expect(asked.orders).toEqual(['dmy', 'dmy buddhist']);
  expect(asked.messages('dmy buddhist')[0]?.at).toBe('2012-12-31T10:00');
});

test('a word for the half of a day that nobody knows is not guessed', () => {
  expect(isWhatsApp('31/12/23, 3:07 xyzzy - Nora: Prosit')).toBe(false);
});

test('a phone whose clock was ahead is read all the same', () => {
  const text = '31.12.44, 23:59 - Nora: Prosit';
  const chat = parseWhatsApp(text, 'a.txt', null, new LeftOutList(), Date.UTC(2026, 0, 1));
  expect(chat.messages('dmy')[0]?.at).toBe('2044-12-31T23:59');
});

test.each([
  ['WhatsApp Chat with Nora.txt', null, 'Nora'],
  ['WhatsApp-Chat mit Nora B..txt', null, 'Nora B.'],
  ['Chat de WhatsApp con Nora.txt', null, 'Nora'],
  ['_chat.txt', 'WhatsApp Chat - Nora (2).zip', 'Nora'],
  ['_chat.txt', null, 'Nora and Tom'],
  ['from my old phone.txt', null, 'from my old phone'],
])('%s in %s is called %s', (path, zip, name) => {
  const text = '[31.12.23, 10:00:00] Nora: a\n[31.12.23, 10:01:00] Tom: b';
  expect(read(text, path, zip).chat.name).toBe(name);
});

test('messages are one memory a day, a month, or in all', () => {
  const { chat } = read(
    '[30.12.23, 10:00:00] Nora: a\n[31.12.23, 10:00:00] Nora: b\n[01.01.24, 00:10:00] Tom: c',
  );
  expect(groupChat(chat, 'day')).toMatchObject([
    {
      title: 'Nora, 30 December 2023',
      happenedOn: '2023-12-30',
      content: '10:00 Nora: a',
      sourceId: 'Nora/2023-12-30',
    },
    { title: 'Nora, 31 December 2023', happenedOn: '2023-12-31', content: '10:00 Nora: b' },
    { title: 'Nora, 1 January 2024', happenedOn: '2024-01-01', content: '00:10 Tom: c' },
  ]);
  expect(groupChat(chat, 'month')).toMatchObject([
    {
      title: 'Nora, December 2023',
      happenedOn: '2023-12-30',
      content: '30 December 2023\n10:00 Nora: a\n\n31 December 2023\n10:00 Nora: b',
    },
    { title: 'Nora, January 2024' },
  ]);
  expect(groupChat(chat, 'whole')).toMatchObject([
    { title: 'Nora', happenedOn: '2023-12-30', sourceId: 'Nora/' },
  ]);
});
