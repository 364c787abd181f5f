import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type AnswerPart, createThoughtSplitter, eventsOf } from './story-stream.ts';

async function read(chunks: Iterable<Uint8Array>): Promise<string[]> {
  async function* source() {
    yield* chunks;
  }
  const events: string[] = [];
  for await (const event of eventsOf(source())) events.push(event);
  return events;
}

/** The same bytes in pieces, cut at these places. */
function cut(bytes: Uint8Array, places: readonly number[]): Uint8Array[] {
  const ends = [...places.map((place) => place % (bytes.length + 1)), bytes.length].sort((a, b) => a - b);
  return ends.map((end, index) => bytes.subarray(ends[index - 1] ?? 0, end));
}

describe('the events of a stream', () => {
  it.each([
    ['are ended by a blank line', 'data: one\n\ndata: two\n\n', ['one', 'two']],
    ['may have any end of line', 'data: one\r\n\r\ndata: two\r\rdata: three\n\n', ['one', 'two', 'three']],
    ['have the lines of their data', 'data: one\ndata:  more\n\n', ['one\n more']],
    ['need no blank before their data', 'data:{"a":1}\n\n', ['{"a":1}']],
    ['leave out comments and other fields', ': wait\n\nevent: x\nid: 7\ndata: one\n\n', ['one']],
    ['may lack the last blank line', 'data: one\n\ndata: two', ['one', 'two']],
    ['are none where nothing comes', '', []],
  ])('%s', async (_, text, events) => {
    expect(await read([new TextEncoder().encode(text)])).toEqual(events);
  });

  it('are the same in whatever pieces they come', async () => {
    const text = 'data: first light, ☾ and ü\r\n\r\n: wait\rdata: a\rdata: b\r\rdata: 🕯\n\n';
    const bytes = new TextEncoder().encode(text);
    await fc.assert(
      fc.asyncProperty(fc.array(fc.nat(200)), async (places) => {
        expect(await read(cut(bytes, places))).toEqual(['first light, ☾ and ü', 'a\nb', '🕯']);
      }),
    );
  });

  it('are refused where a line has no end', async () => {
    const chunk = new TextEncoder().encode('data: '.padEnd(700_000, 'x'));
    await expect(read([chunk, chunk])).rejects.toMatchObject({ code: 'story-too-long' });
  });
});

describe('thoughts between tags', () => {
  function split(pieces: readonly string[]): AnswerPart[] {
    const splitter = createThoughtSplitter();
    const parts = [...pieces.flatMap((piece) => [...splitter.push(piece)]), ...splitter.end()];
    // Pieces of one kind that follow each other say the same as one.
    const joined: AnswerPart[] = [];
    for (const { kind, text } of parts) {
      const last = joined.at(-1);
      if (last?.kind === kind) last.text += text;
      else joined.push({ kind, text });
    }
    return joined;
  }
  const answer = '<think>Who was Ilse?</think>The bell <think>under?</think>rings <thi';
  const told = [
    { kind: 'thoughts', text: 'Who was Ilse?' },
    { kind: 'words', text: 'The bell ' },
    { kind: 'thoughts', text: 'under?' },
    { kind: 'words', text: '\nrings <thi' },
  ];

  it('are told from the words, which go on in a line of their own', () => {
    expect(split([answer])).toEqual(told);
  });

  it('are told in whatever pieces they come', () => {
    fc.assert(
      fc.property(fc.array(fc.nat(answer.length)), (places) => {
        const ends = [...places, answer.length].sort((a, b) => a - b);
        expect(split(ends.map((end, index) => answer.slice(ends[index - 1] ?? 0, end)))).toEqual(told);
      }),
    );
  });

  it('that do not end are thoughts to the last', () => {
    expect(split(['Once', '<think>', 'and then'])).toEqual([
      { kind: 'words', text: 'Once' },
      { kind: 'thoughts', text: 'and then' },
    ]);
  });
});
