// HTML as Markdown: what exports contain, with nothing of it lost but styles and scripts.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parseMarkup } from './parse-markup.ts';
import { toMarkdown } from './to-markdown.ts';

function convert(html: string) {
  const media: string[] = [];
  const text = toMarkdown(parseMarkup(html), { onMedia: (name) => media.push(name) });
  return { text, media };
}

describe('elements', () => {
  test.each<[string, string, string]>([
    ['paragraphs', '<p>One\n two</p>\n<p>Three&nbsp;&amp; four</p><p></p>', 'One two\n\nThree & four'],
    [
      'lines',
      '<div>One</div><div>Two</div><div><br/></div><div><br></div><div>Three</div>',
      'One\nTwo\n\nThree',
    ],
    ['line breaks', 'One<br>two<br/>\n three', 'One\ntwo\nthree'],
    ['headings', '<h1>A <b>title</b></h1><h3>Below</h3>text', '# A **title**\n\n### Below\n\ntext'],
    ['emphasis', '<b>bold </b>and <i>slanted</i>, <s>gone</s><em> </em>', '**bold** and *slanted*, ~~gone~~'],
    ['emphasis within itself', '<strong><b>bold</b></strong>', '**bold**'],
    ['emphasis over lines', '<b>one<br>two</b>', '**one**\n**two**'],
    [
      'emphasis by style',
      '<span style="font-weight: bold">b</span><b style="font-weight:normal">n</b>',
      '**b**n',
    ],
    ['a span around lines', '<span><div>One</div><div>Two</div></span>', 'One\nTwo'],
    ['links', '<a href="https://example.org/a(b)">here</a>', '[here](https://example.org/a%28b%29)'],
    ['a bare link', '<a href="https://example.org">https://example.org</a>', 'https://example.org'],
    ['a link without words', '<a href="https://example.org"></a>', 'https://example.org'],
    ['mail', '<a href="mailto:a@example.org">a@example.org</a>', 'a@example.org'],
    ['a link into the export', '<a href="Other%20page.html">Other page</a>', 'Other page'],
    ['a script as an address', '<a href="javascript:alert(1)">press</a>', 'press'],
    ['lists', '<ul><li>a<ul><li>b</li></ul></li><li>c</li></ul>', '- a\n  - b\n- c'],
    ['a list beside its item', '<ul><li>a</li><ul><li>b</li></ul></ul>', '- a\n  - b'],
    ['numbers', '<ol start="3"><li>c</li><li>d</li></ol>', '3. c\n4. d'],
    ['one list in several', '<ol><li>a</li></ol><ol start="2"><li>b</li></ol>', '1. a\n2. b'],
    ['paragraphs in an item', '<ul><li><p>a</p><p>b</p></li></ul>', '- a\n\n  b'],
    [
      'boxes',
      '<ul><li><input type="checkbox" checked> a</li><li><input type="checkbox"> b</li></ul>',
      '- [x] a\n- [ ] b',
    ],
    [
      'boxes by data',
      '<ul><li data-checked="true">a</li><li data-checked="false">b</li></ul>',
      '- [x] a\n- [ ] b',
    ],
    ['a box in a line', '<div><input type="checkbox">milk</div>', '- [ ] milk'],
    ['quotes', '<blockquote><p>a</p><p>b</p></blockquote>', '> a\n>\n> b'],
    ['code', 'Type <code>a`b</code>', 'Type `` a`b ``'],
    [
      'a block of code',
      '<pre class="code"><code class="language-Python">if a:\n    b</code></pre>',
      '```python\nif a:\n    b\n```',
    ],
    ['code that ends code', '<pre>```\nx</pre>', '````\n```\nx\n````'],
    ['a rule', 'a<hr>b', 'a\n\n---\n\nb'],
    [
      'a table',
      '<table><tr><th>a</th><th>b</th></tr><tr><td>1|2</td><td><p>3</p><p>4</p></td></tr><tr><td>5</td></tr></table>',
      '| a | b |\n| --- | --- |\n| 1\\|2 | 3 / 4 |\n| 5 |  |',
    ],
    [
      'a table that is a layout',
      '<table><tr><td><table><tr><td>a</td></tr></table></td><td>b</td></tr></table>',
      'a\nb',
    ],
    [
      'a toggle',
      '<ul><li><details><summary>More</summary><p>Hidden</p></details></li></ul>',
      '- More\n\n  Hidden',
    ],
    [
      'a formula',
      '<span class="katex"><math><annotation encoding="application/x-tex">E=mc^2</annotation></math></span>',
      '$E=mc^2$',
    ],
    ['scripts and styles', '<style>p{}</style><script>alert("x")</script><title>t</title>a', 'a'],
    ['unknown elements', '<x-y>a<unknown>b</unknown></x-y>', 'ab'],
    ['what never ends', '<p>a<b>b<div>c', 'a\n\nb\n\nc'],
    ['no markup', '1 < 2 &amp; 3 &bogus;', '1 < 2 & 3 &bogus;'],
  ])('%s', (_, html, text) => expect(convert(html).text).toBe(text));

  test('media are named where they stood, each once', () => {
    const { text, media } = convert(
      '<p>a <img src="Page%201/bees%20in.jpg"> b</p><video><source src="../x/jump.mov"></video>' +
        '<img src="data:image/png;base64,AAAA" alt="The [lake]"><audio src="voice.m4a"></audio><img alt="🐝" src="e.png">' +
        '<a href="big.jpg"><img src="small.jpg"></a>',
    );
    expect(text).toBe(
      'a [Image left out: bees in.jpg] b\n\n[Video left out: jump.mov][Image left out: The lake][Recording left out: voice.m4a]🐝[Image left out: small.jpg]',
    );
    expect(media).toEqual(['bees in.jpg', 'jump.mov', 'The lake', 'voice.m4a', 'small.jpg']);
  });
});

describe('whatever a document is', () => {
  test.each([
    ['paragraphs', `<section>${'<p>a</p>'.repeat(200_000)}</section>`, 200_000 * 3 - 2],
    ['rows of a table', `<table>${'<tr><td>a</tr>'.repeat(200_000)}</table>`, 200_000 * 2 - 1],
    ['marks in code', `<pre>${'`a'.repeat(200_000)}</pre>`, 400_000 + 8],
  ])('200,000 %s are none too many', { tags: 'long' }, (_, html, length) =>
    expect(convert(html).text).toHaveLength(length),
  );

  test('entities that it declares stay without effect', () => {
    const bomb = '<!DOCTYPE a [<!ENTITY x "lol"><!ENTITY y "&x;&x;&x;&x;">]><p>&y;</p>';
    expect(convert(bomb).text).toContain('&y;');
    expect(convert(bomb).text.length).toBeLessThan(60);
  });

  test('what is nested too deep keeps its words', () => {
    const { text } = convert(`${'<div>'.repeat(1500)}deep${'</div>'.repeat(1500)}<p>after</p>`);
    expect(text).toBe('deep\n\nafter');
  });

  test('a document of too many elements is refused', () => {
    expect(() => parseMarkup('<b>x'.repeat(10_000))).toThrow('too-large');
    expect(() => parseMarkup('<br>'.repeat(11), { nodesMax: 10 })).toThrow('too-large');
  });

  test('any words in any elements are there afterwards', () => {
    const names = [
      'p',
      'div',
      'span',
      'b',
      'ul',
      'li',
      'ol',
      'blockquote',
      'h2',
      'td',
      'table',
      'tr',
      'pre',
      'a',
      'details',
    ];
    const { tree } = fc.letrec<{ tree: string }>((tie) => ({
      tree: fc.oneof(
        { maxDepth: 5 },
        fc.stringMatching(/^w[0-9]{1,4}x$/),
        fc
          .tuple(fc.constantFrom(...names), fc.array(tie('tree'), { maxLength: 4 }))
          .map(([name, inner]) => `<${name}>${inner.join(' ')}</${name}>`),
      ),
    }));
    fc.assert(
      fc.property(tree, (html) => {
        const words = (text: string) => (text.match(/w\d+x/g) ?? []).toSorted();
        expect(words(convert(html).text)).toEqual(words(html));
      }),
      { numRuns: 300 },
    );
  });
});
