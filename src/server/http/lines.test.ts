import { expect, it } from 'vitest';
import { answerLines } from './lines.ts';

const whatever = () => {};

/** A generator that says what became of it. */
function lines(values: unknown[], failing?: Error) {
  const seen = { asked: 0, ended: false };
  async function* generate() {
    try {
      for (const value of values) {
        seen.asked += 1;
        yield value;
      }
      if (failing) throw failing;
    } finally {
      seen.ended = true;
    }
  }
  return { seen, generator: generate() };
}

it('tells each line as JSON, and closes', async () => {
  const { generator, seen } = lines([{ type: 'words', words: 'a\nb' }, { type: 'end' }]);
  const answer = await answerLines(generator, whatever);
  expect(answer.status).toBe(200);
  expect(answer.headers.get('content-type')).toBe('application/x-ndjson');
  expect(await answer.text()).toBe('{"type":"words","words":"a\\nb"}\n{"type":"end"}\n');
  expect(seen.ended).toBe(true);
});

it('asks for a line when the one before it was read, and for no more when its reader leaves', async () => {
  const { generator, seen } = lines([1, 2, 3, 4]);
  const reader = (await answerLines(generator, whatever)).body?.getReader();
  expect(seen.asked).toBe(1);
  await reader?.read();
  expect(seen.asked).toBe(1);
  await reader?.read();
  expect(seen.asked).toBe(2);
  await reader?.cancel();
  expect(seen).toEqual({ asked: 2, ended: true });
});

it('answers nothing where it fails before the first line', async () => {
  const { generator } = lines([], new Error('too early'));
  await expect(answerLines(generator, whatever)).rejects.toThrow('too early');
});

it('is cut off where it fails later, or a line is not as the contract has it', async () => {
  const { generator } = lines([1], new Error('too late'));
  await expect((await answerLines(generator, whatever)).text()).rejects.toThrow('too late');
  const wrong = answerLines(lines([1]).generator, () => {
    throw new Error('wrong');
  });
  await expect((await wrong).text()).rejects.toThrow('wrong');
});
