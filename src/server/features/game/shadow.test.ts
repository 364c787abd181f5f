// The shadow hears the phrase, waits longer after each wrong one, and shuts out nobody but who was wrong.
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { Revealed } from '../../../shared/nouns/game.ts';
import { DAY, MINUTE, SECOND } from '../../../shared/time.ts';
import { describeOnEachEngine } from '../../../testing/engines.ts';
import { failure, openTestInstance, type TestInstance } from '../../../testing/instance.ts';
import { hexOf } from '../../puzzle/hex.ts';
import { shippedPuzzle } from '../../puzzle/shipped.ts';

const { phrase } = shippedPuzzle.shadow;
const HOME = '198.51.100.1';

describeOnEachEngine('the shadow', (engine) => {
  let instance: TestInstance;
  beforeEach(async () => {
    instance = await openTestInstance({ engine });
  });
  afterEach(() => instance.close());
  const say = (said: string, from = HOME, at = instance) =>
    at.request('POST', '/api/phase2/verify', { body: { phrase: said }, from });
  const status = async (said: string, from?: string, at?: TestInstance) => (await say(said, from, at)).status;

  it('reveals the second scroll to the phrase, and to its hex', async () => {
    for (const said of [phrase, `  ${phrase.toUpperCase()}. `, `it is: ${phrase}`, hexOf(phrase)]) {
      const response = await say(said);
      expect(response.status).toBe(200);
      const revealed = (await response.json()) as Revealed;
      expect(revealed).toEqual({ text: instance.deps.puzzle.shadowScroll, phrase });
      expect(revealed.text).not.toContain('{hex}');
    }
  });

  it('tells a wrong phrase nothing but that it is wrong', async () => {
    const response = await say('fire takes what nobody keeps');
    expect(response.status).toBe(403);
    expect(await response.json()).toEqual({
      code: 'wrong-phrase',
      message: 'The shadow requires the correct phrase or hex.',
    });
  });

  it('lets somebody who was wrong wait, each time twice as long, up to ten minutes', async () => {
    for (let i = 0; i < 3; i += 1) expect(await status('wrong')).toBe(403);
    for (const seconds of [1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 600, 600]) {
      expect(await status('wrong')).toBe(403);
      const refused = await say(phrase);
      expect(refused.headers.get('retry-after')).toBe(String(seconds));
      expect(await failure(refused)).toEqual({ status: 429, code: 'too-many' });
      instance.clock.advance(seconds * SECOND);
    }
    expect(await status(phrase)).toBe(200);
    // It was right: the slate is clean.
    for (let i = 0; i < 4; i += 1) expect(await status('wrong')).toBe(403);
    expect(await status('wrong')).toBe(429);
    instance.clock.advance(DAY);
    expect(await status('wrong')).toBe(403);
  });

  it('shuts out nobody else, however many are wrong, on whichever server', async () => {
    const servers = [instance, instance.sibling()];
    const at = (n: number) => servers[n % 2] as TestInstance;
    for (let n = 0; n < 1100; n += 50) {
      await Promise.all(Array.from({ length: 50 }, (_, i) => status('wrong', `10.2.${n % 250}.${i}`, at(i))));
    }
    for (let i = 0; i < 20; i += 1) await status('wrong', '2001:db8:bad:1::1');
    expect(await status(phrase, '2001:db8:bad:1::2')).toBe(429);
    expect(await status(phrase, '2001:db8:bad:2::1')).toBe(200);
    // Also somebody who has been wrong, and waited, is heard on a day on which a thousand were wrong.
    for (let i = 0; i < 8; i += 1) {
      expect(await status('wrong', HOME, at(i))).toBe(403);
      instance.clock.advance(MINUTE);
    }
    expect(await status(phrase)).toBe(200);
  });

  it('counts guesses at one moment one by one', async () => {
    const answers = await Promise.all(Array.from({ length: 30 }, () => status('wrong')));
    expect(answers.filter((answer) => answer === 403)).toHaveLength(4);
    expect(answers.filter((answer) => answer === 429)).toHaveLength(26);
  });

  it('costs an address none of what it has for links and the gate', async () => {
    for (let i = 0; i < 8; i += 1) await status('wrong');
    const buckets = await instance.deps.db.selectFrom('attempts').select('bucket').execute();
    // Of this guesser, of the address at the shadow, of everybody.
    expect(buckets).toHaveLength(3);
    const { keyed } = instance.deps.digests;
    const others = [`claims ${HOME}`, `gate ${HOME}`].map((name) => keyed('attempt', name));
    expect(buckets.filter(({ bucket }) => others.includes(bucket))).toEqual([]);
  });

  it('logs nothing that was said', async () => {
    await status('canary-22f1');
    await status(`canary-22f1 ${phrase}`);
    expect(JSON.stringify(instance.log)).not.toMatch(/canary-22f1|nobody keeps/);
  });
});
