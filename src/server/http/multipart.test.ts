import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { boundaryOf, fileOf } from './multipart.ts';

const part = (head: string, content: string) => `${head}\r\n\r\n${content}`;
const form = (...parts: string[]) =>
  Buffer.from(`${parts.map((one) => `--XX\r\n${one}\r\n`).join('')}--XX--\r\n`, 'latin1');
const audio = 'Content-Disposition: form-data; name="audio"; filename="recording"';
const read = (body: Buffer) => {
  const file = fileOf(body, 'XX', 'audio');
  return typeof file === 'string' ? file : `file: ${file.toString('latin1')}`;
};

describe('the boundary of a form', () => {
  it.each([
    ['multipart/form-data; boundary=XX', 'XX'],
    ['multipart/form-data; boundary="XX"', 'XX'],
    ['Multipart/Form-Data;boundary=----WebKitFormBoundaryAbC123', '----WebKitFormBoundaryAbC123'],
    ['multipart/form-data; charset=utf-8; boundary=XX', 'XX'],
    ['multipart/form-data; boundary="a:b\'(c)/d"', "a:b'(c)/d"],
    ['multipart/form-data', null],
    ['multipart/form-data; boundary=', null],
    ['multipart/form-data; boundary=""', null],
    [`multipart/form-data; boundary=${'X'.repeat(71)}`, null],
    ['multipart/form-data; boundary=a b', null],
    ['multipart/mixed; boundary=XX', null],
    ['application/json', null],
    [undefined, null],
  ])('of %s is %s', (type, boundary) => {
    expect(boundaryOf(type)).toBe(boundary);
  });
});

describe('the file of a form', () => {
  it.each<[string, Buffer, string]>([
    ['a file', form(part(audio, 'abc')), 'file: abc'],
    ['a file with a type', form(part(`${audio}\r\nContent-Type: audio/mpeg`, 'abc')), 'file: abc'],
    [
      'a file with lines, and most of a boundary',
      form(part(audio, 'a\r\n\r\n--X\r\n--Y--\r\n')),
      'file: a\r\n\r\n--X\r\n--Y--\r\n',
    ],
    ['a form without its last line break', form(part(audio, 'abc')).subarray(0, -2), 'file: abc'],
    [
      'a name without quotes',
      form(part('content-disposition:form-data;name=audio;filename=a.mp3', 'abc')),
      'file: abc',
    ],
    [
      'a name of a file in RFC 5987',
      form(part(`Content-Disposition: form-data; name="audio"; filename*=UTF-8''%41`, 'abc')),
      'file: abc',
    ],
    [
      'a name of a file that looks like a field',
      form(part('Content-Disposition: form-data; name="audio"; filename="; name=other"', 'abc')),
      'file: abc',
    ],
    [
      'another field',
      form(part('Content-Disposition: form-data; name="other"; filename="a"', 'abc')),
      'missing',
    ],
    [
      'another field, named in its file',
      form(part('Content-Disposition: form-data; name="other"; filename="; name=audio; filename=x"', 'abc')),
      'missing',
    ],
    [
      'a text in place of a file',
      form(part('Content-Disposition: form-data; name="audio"', 'abc')),
      'missing',
    ],
    ['a part without a name', form(part('Content-Type: audio/mpeg', 'abc')), 'missing'],
    ['an empty file', form(part(audio, '')), 'missing'],
    ['a form without parts', form(), 'missing'],
    ['two files', form(part(audio, 'abc'), part(audio, 'def')), 'malformed'],
    [
      'a file and a text',
      form(part(audio, 'abc'), part('Content-Disposition: form-data; name="x"', 'y')),
      'malformed',
    ],
    [
      'a text and a file',
      form(part('Content-Disposition: form-data; name="x"', 'y'), part(audio, 'abc')),
      'malformed',
    ],
    ['something after the end', Buffer.concat([form(part(audio, 'abc')), Buffer.from('more')]), 'malformed'],
    [
      'something before the beginning',
      Buffer.concat([Buffer.from('more\r\n'), form(part(audio, 'abc'))]),
      'malformed',
    ],
    ['a form that breaks off', form(part(audio, 'abc')).subarray(0, -8), 'malformed'],
    ['a head that breaks off', Buffer.from(`--XX\r\n${audio}`), 'malformed'],
    ['a head that is too long', form(part(`${audio}\r\nX: ${'x'.repeat(5000)}`, 'abc')), 'malformed'],
    ['another boundary', Buffer.from(`--YY\r\n${part(audio, 'abc')}\r\n--YY--\r\n`), 'malformed'],
    ['nothing', Buffer.alloc(0), 'malformed'],
    ['JSON', Buffer.from('{"audio":"abc"}'), 'malformed'],
  ])('is read from %s', (_, body, expected) => {
    expect(read(body)).toBe(expected);
  });

  it('is what was put in, whatever it is, or the form is refused', () => {
    const pieces = fc.constantFrom('\r', '\n', '\r\n', '-', '--', '--X', '\r\n--X', '\r\n--XX', '\0', 'a');
    const contents = fc.array(pieces, { minLength: 1, maxLength: 30 }).map((all) => all.join(''));
    fc.assert(
      fc.property(contents, (content) => {
        const file = fileOf(form(part(audio, content)), 'XX', 'audio');
        // No client chooses a boundary that its file contains.
        if (content.includes('\r\n--XX')) expect(file.toString().length).toBeLessThan(content.length + 10);
        else expect(file.toString()).toBe(content);
      }),
      { numRuns: 500 },
    );
  });

  it('is never more than what was sent, however it is cut', () => {
    const whole = form(part(audio, 'abc\r\ndef'));
    for (let length = 0; length < whole.length - 2; length += 1) {
      expect(['malformed', 'missing']).toContain(fileOf(whole.subarray(0, length), 'XX', 'audio'));
    }
  });

  it('is what the platform itself sends', async () => {
    const sent = new FormData();
    const content = Buffer.from(Array.from({ length: 256 }, (_, n) => n));
    sent.append('audio', new Blob([content], { type: 'audio/mpeg' }), 'my "own"\r\nname; name="x".mp3');
    const request = new Response(sent);
    const boundary = boundaryOf(request.headers.get('content-type') ?? '') ?? '';
    expect(fileOf(Buffer.from(await request.arrayBuffer()), boundary, 'audio')).toEqual(content);
  });
});
