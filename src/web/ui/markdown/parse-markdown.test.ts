import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { mayHaveMarkup } from './may-have-markup.ts';
import { DEPTH_MAX, PARTS_MAX, type Part, readMarkdown, STEPS_MAX } from './parse-markdown.ts';

const parts = (text: string) => readMarkdown(text).parts;

/** Every word that a tree shows, and the addresses beside them. */
function wordsOf(tree: readonly Part[] | null): string {
  return (tree ?? [])
    .map((part) => {
      if (typeof part === 'string') return part;
      const said = 'children' in part ? wordsOf(part.children) : 'text' in part ? part.text : '';
      return [said, ...besides(part)].join(' ');
    })
    .join(' ');
}
const besides = (part: object) =>
  Object.entries(part).flatMap(([name, value]) => (['href', 'title', 'label'].includes(name) ? [value] : []));

function partsOf(tree: readonly Part[] | null): Exclude<Part, string>[] {
  return (tree ?? []).flatMap((part) =>
    typeof part === 'string' ? [] : [part, ...('children' in part ? partsOf(part.children) : [])],
  );
}
const kinds = (text: string) => partsOf(parts(text)).map(({ kind }) => kind);
const links = (text: string) => partsOf(parts(text)).filter((part) => 'href' in part);

describe('a text read as Markdown', () => {
  it.each([
    ['*soft* and __loud__', ['paragraph', 'emphasis', 'strong']],
    ['~~no longer~~', ['paragraph', 'struck']],
    ['# Chapter\n\nWords.', ['heading', 'paragraph', 'plain']],
    ['> She said\n> so', ['quote', 'paragraph']],
    ['- bread\n- salt', ['bullets', 'item', 'item']],
    ['3. bread\n4. salt', ['numbers', 'item', 'item']],
    ['`ls` it', ['paragraph', 'code']],
    ['```\nls\n```', ['code-block']],
    ['One\n\n* * *\n\nTwo', ['paragraph', 'plain', 'rule', 'paragraph', 'plain']],
  ])('%j has the parts %j', (text, expected) => {
    expect(kinds(text)).toEqual(expected);
  });

  it('counts from where its author began', () => {
    expect(parts('1986. A wet year')).toMatchObject([{ kind: 'numbers', start: 1986 }]);
  });

  it.each([
    'One line',
    'Two\nlines',
    '  An indent,\n      and a deeper one,\n\nand a paragraph',
    'Five * six and 5 _ 6',
    'A line above dashes of another kind — and "quotes" & <angles',
    '\\ alone',
    'ftp://example.com and example.com stay as they were written',
    '&amp; stays, and &#x41;',
    '[a]: example.com',
    '[a][b] and [a]',
    '<b>bold</b> & <script>alert(1)</script>',
    'Nora\n===',
  ])('%j is plain, as it was written', (text) => {
    expect(parts(text)).toBeNull();
  });

  it('keeps line breaks and indents beside what is marked', () => {
    expect(parts('*One*\n    two  \nthree')).toEqual([
      { kind: 'paragraph', children: [{ kind: 'emphasis', children: ['One'] }, '\n    two  \nthree'] },
    ]);
    expect(parts('# A\n\n  one\n    two')).toMatchObject([
      { kind: 'heading' },
      { kind: 'paragraph', children: [{ kind: 'plain', text: '  one\n    two' }] },
    ]);
  });

  it.each(['https://example.com/a?b=c#d', 'http://example.com', 'mailto:nora@example.com', 'tel:+49123'])(
    'a link may lead to %s',
    (href) => {
      expect(links(`[here](${href})`)).toMatchObject([{ kind: 'link', href, children: ['here'] }]);
    },
  );

  it('an address in angle brackets is a link', () => {
    expect(links('<https://example.com/a>')).toMatchObject([{ href: 'https://example.com/a' }]);
  });

  it.each([
    ['https://example.com/a?b=c#d', 'https://example.com/a?b=c#d'],
    ['See http://localhost:3000, and go.', 'http://localhost:3000'],
    ['“https://example.com/a.html”.', 'https://example.com/a.html'],
    ['(https://example.com/Gate_(1986))', 'https://example.com/Gate_(1986)'],
    ['Is it HTTPS://Example.com?!', 'HTTPS://Example.com'],
    ['**https://example.com/a_b_c**', 'https://example.com/a_b_c'],
    ['~~https://example.com~~', 'https://example.com'],
    ['- https://example.com…', 'https://example.com'],
    ['https://example.com/K\u00f6ln', 'https://example.com/K%C3%B6ln'],
    ['見https://example.com/a。そして', 'https://example.com/a'],
    ['https://example.com/a\u202egro', 'https://example.com/a'],
  ])('an address without marks is a link: %j leads to %s', (text, href) => {
    expect(links(text)).toMatchObject([{ kind: 'link', href }]);
  });

  it.each([
    'javascript://alert(1)',
    'xhttps://example.com',
    'file:///etc/passwd',
    'ftp://example.com',
    'mailto:nora@example.com',
    'www.example.com',
    '//example.com',
    'https:// example.com',
    'https://',
    'https://-',
    'https://bank.example@example.com/',
    '`https://example.com`',
    '\\https\\://example.com',
    'https://example.com:port',
  ])('no link is made of %s', (text) => {
    expect(links(text)).toEqual([]);
  });

  it('an address is no second link within the words of a link, nor in those of a picture', () => {
    expect(links('[https://example.org](https://example.com)')).toMatchObject([
      { href: 'https://example.com', children: ['https://example.org'] },
    ]);
    expect(links('[see https://example.org and](https://example.com)')).toHaveLength(1);
    expect(links('![https://example.org](https://example.com)')).toMatchObject([{ kind: 'picture' }]);
  });

  it('a definition of a link keeps its words, and its address is a link', () => {
    expect(wordsOf(parts('[a]: https://example.com'))).toContain('[a]: ');
  });

  it('a link to a name that looks like another shows what browsers resolve', () => {
    expect(links('[bank](https://\u0435xample.com)')).toMatchObject([
      { href: expect.stringMatching(/^https:\/\/xn--[a-z0-9-]+\.com$/) },
    ]);
  });

  it.each([
    'javascript:alert(1)',
    'JaVaScRiPt:alert(1)',
    ' javascript:alert(1)',
    'java\tscript:alert(1)',
    'javascript&colon;alert(1)',
    'vbscript:x',
    'data:text/html,<script>alert(1)</script>',
    'data:image/png;base64,AAAA',
    'file:///etc/passwd',
    'blob:https://example.com/1',
    '/settings',
    '//example.com',
    '#here',
    'settings',
    'https:example.com',
    'https://',
  ])('no link leads to %s: it stays text', (href) => {
    for (const text of [`[here](${href})`, `[here](<${href}>)`, `![here](${href})`, `<${href}>`]) {
      expect(links(text)).toEqual([]);
      const tree = parts(text);
      if (tree) expect(wordsOf(tree)).toContain('here');
    }
  });

  it('a picture is its words and its address', () => {
    expect(links('![The gate](https://example.com/gate.png "in May")')).toEqual([
      { kind: 'picture', text: 'The gate', href: 'https://example.com/gate.png', title: 'in May' },
    ]);
  });

  it('loses no word of what is written, whatever it is', () => {
    const pieces = fc.constantFrom(
      ...['*', '**', '_', '~~', '`', '```\n', '> ', '- ', '1. ', '#', ' ', '\n', '\n\n', '[', '](', ')', '!'],
      ...[
        '<',
        '>',
        '\\',
        '&amp;',
        '<b>',
        '[a]: b',
        '---',
        '    ',
        '\t',
        '\u2028',
        '\r\n',
        'https://a.b',
        'http://a.b/c(d',
        ')',
        '"',
      ],
      ...['alpha', 'beta', 'gamma', 'Δ', 'ي', '𝔸'],
    );
    fc.assert(
      fc.property(fc.array(pieces, { maxLength: 60 }), (written) => {
        const text = written.join('');
        const tree = parts(text);
        if (tree === null) return;
        const shown = wordsOf(tree);
        for (const word of ['alpha', 'beta', 'gamma', 'Δ', 'ي', '𝔸']) {
          expect(shown.split(word).length).toBeGreaterThanOrEqual(text.split(word).length);
        }
      }),
      { numRuns: 2000 },
    );
  });

  it('is asked only of texts that can have markup', () => {
    const letters = fc.constantFrom(...'ab1 .)-+*_#>`~[]()<!\\\n\r\t\u2028'.split(''));
    fc.assert(
      fc.property(fc.array(letters, { maxLength: 40 }), (written) => {
        const text = written.join('');
        if (!mayHaveMarkup(text)) expect(parts(text)).toBeNull();
      }),
      { numRuns: 5000 },
    );
    expect(mayHaveMarkup('Ordinary words, well-known: 1 of 2 (or 3) – “so”.\nAnd a second line.')).toBe(
      false,
    );
  });
});

const times = (text: string, length: number) => text.repeat(Math.ceil(length / text.length));
const stairs = (length: number, of: (depth: number) => string) =>
  Array.from({ length: Math.floor(Math.sqrt(length)) }, (_, i) => of(i)).join('\n');

const hostile: Record<string, (length: number) => string> = {
  brackets: (length) => times('[', length),
  'link beginnings': (length) => times('[a](', length),
  'link beginnings in angles': (length) => times('[a](<b', length),
  'links in links': (length) => `[a${times('](b', length)}`,
  titles: (length) => `[a](b "${times('\\"', length)}`,
  pictures: (length) => times('![', length),
  emphasis: (length) => times('*a ', length),
  'emphasis of both kinds': (length) => times('*_', length),
  'emphasis in words': (length) => times('a__b_', length),
  'strong that is not closed': (length) => times('**x* ', length),
  'strong and emphasis, nested': (length) => times('*a **a ', length) + times('** *', length),
  'balanced nests': (length) => times('*a ', length / 2) + times('a* ', length / 2),
  backticks: (length) => stairs(length, (i) => '`'.repeat(i + 1)),
  fences: (length) => times('```\n', length),
  quotes: (length) => times('> ', length),
  'quotes without spaces': (length) => times('>', length),
  'quotes, each deeper': (length) => stairs(length, (i) => `${'>'.repeat(i)} a`),
  'lists in lists': (length) => times('- ', length),
  'lists, each deeper': (length) => stairs(length, (i) => `${' '.repeat(2 * i)}- a`),
  'lists in quotes': (length) => times('> - ', length),
  'numbers in numbers': (length) => times('1. ', length),
  'long lists': (length) => times('- a\n', length),
  'lists with gaps': (length) => times('- a\n\n', length),
  headings: (length) => times('# a\n', length),
  hashes: (length) => times('#', length),
  tildes: (length) => times('~~a', length),
  escapes: (length) => times('\\*', length),
  angles: (length) => times('<', length),
  'addresses that do not end': (length) => times('<http://a', length),
  'addresses without marks': (length) => times('http://a.b ', length),
  'addresses in addresses': (length) => times('http://a.b/', length),
  'addresses that lead nowhere': (length) => times('http://a:b:', length),
  'addresses in brackets': (length) => times('[http://a.b', length),
  'addresses in closed brackets': (length) => times('http://a.b)', length),
  'an address that only ends': (length) => `http://a${times('.', length)}`,
  'letters before an address': (length) => times('http:', length),
  comments: (length) => times('<!--a', length),
  definitions: (length) => times('[a]: b\n', length),
  tables: (length) => `${times('|a', length)}\n${times('|-', length)}\n`,
  lines: (length) => times('a\n', length),
  dashes: (length) => times('---\n', length),
  spaces: (length) => `a${times(' ', length)}*b*`,
  words: (length) => times('*word* ', length),
};

describe.each(Object.entries(hostile))('hostile Markdown: %s', (_, make) => {
  it('takes steps in proportion to its length, and never more than the bound', { tags: 'long' }, () => {
    const short = readMarkdown(make(10_000)).steps;
    const long = readMarkdown(make(20_000)).steps;
    expect(long).toBeLessThanOrEqual(2.5 * short + 100);
    const huge = readMarkdown(make(1_000_000));
    expect(huge.steps).toBeLessThanOrEqual(STEPS_MAX + 1);
    if (huge.parts) {
      const all = countOf(huge.parts);
      expect(all.parts).toBeLessThanOrEqual(PARTS_MAX);
      expect(all.depth).toBeLessThanOrEqual(DEPTH_MAX);
    }
  });
});

function countOf(tree: readonly Part[]): { parts: number; depth: number } {
  const below = tree.map((part) =>
    typeof part === 'object' && 'children' in part ? countOf(part.children) : { parts: 0, depth: 0 },
  );
  return {
    parts: tree.length + below.reduce((sum, { parts }) => sum + parts, 0),
    depth: 1 + below.reduce((deepest, { depth }) => Math.max(deepest, depth), 0),
  };
}

describe('a whole book', () => {
  it('is read as Markdown as far as it goes', () => {
    const page = `${times('A plain sentence of a book, with a comma - and a dash. ', 600)}\n\n`;
    const book = `# One\n\n${page.repeat(500)}*The end.*`;
    const { parts, steps } = readMarkdown(book);
    expect(parts?.length).toBe(502);
    expect(steps).toBeLessThan(STEPS_MAX);
  });
});
