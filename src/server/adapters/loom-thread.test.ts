// The Loom as the built server has it weave: in a thread, which may fail without the server.
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { describe, expect, inject, test } from 'vitest';
import type { StoryType } from '../../shared/nouns/story-types.ts';
import { loadedBy } from '../../testing/loaded-modules.ts';
import { weaveHere, weaveInThread } from './loom-thread.ts';

const build = dirname(inject('serverProgram'));
const program = pathToFileURL(join(build, 'loom-worker.js'));
const nobody = new AbortController().signal;
const request = {
  storyType: 'biography' as StoryType,
  sourceContent: 'My grandmother kept a well behind the red barn. She drew water with a tin bucket.',
  seed: 7,
};
const running = (text: string) => new URL(`data:text/javascript,${encodeURIComponent(text)}`);
const ENDLESS = 'setInterval(() => {}, 1000); for (;;);';

test('the thread weaves what is woven here', async () => {
  const { title, text } = await weaveHere(request, nobody);
  expect(text).toContain('tin bucket');
  expect(await weaveInThread(program)(request, nobody)).toEqual({ title, text });
});

test('other work goes on meanwhile, and somebody who leaves ends it', async () => {
  const client = new AbortController();
  const story = weaveInThread(running(ENDLESS))(request, client.signal);
  client.abort();
  await expect(story).rejects.toMatchObject({ code: 'too-many' });
  await expect(weaveInThread(program)(request, client.signal)).rejects.toMatchObject({ code: 'too-many' });
});

describe('a thread that does not finish is a text that was too much', () => {
  test.each([
    ['in its time', ENDLESS, { time: 1 }],
    ['because of an exception', 'throw new Error("canary-7f3a9c")', {}],
    ['because it exits', 'process.exit(3)', {}],
    [
      'because it has no memory left',
      'const list = []; for (;;) list.push(new Array(10_000).fill(0.5))',
      { maxOldGenerationSizeMb: 16 },
    ],
  ])('%s', async (_, text, limits) => {
    const story = weaveInThread(running(text), { time: 60_000, ...limits })(request, nobody);
    await expect(story).rejects.toMatchObject({
      code: 'writer-slow',
      message: expect.not.stringContaining('canary'),
    });
  });
});

test('the server loads nothing of the Loom when it starts', () => {
  const mentions = (name: string) => readFileSync(join(build, name), 'utf8').includes('composeEnglish(');
  expect([...loadedBy(build, 'main.js')].filter(mentions)).toEqual([]);
  expect([...loadedBy(build, 'loom-worker.js')].filter(mentions)).not.toEqual([]);
});
