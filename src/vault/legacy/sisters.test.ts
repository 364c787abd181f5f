// Sisters of a letter as a browser meets them, without a server: instances that keep what they should, that lie, and that are away.
import { ml_dsa44 } from '@noble/post-quantum/ml-dsa.js';
import { split } from 'shamir-secret-sharing';
import { beforeEach, describe, expect, test } from 'vitest';
import { fromBase64, toBase64Url } from '../../crypto/base64.ts';
import { lengthPrefixed, utf8 } from '../../crypto/encoding.ts';
import { deriveContentKey, deriveLetterKey, newRecipientNumber, newScrollKey } from '../../crypto/scroll.ts';
import { newSealId } from '../../crypto/seal.ts';
import { signToSister } from '../../crypto/sister-letter.ts';
import { sisterLetterId, sisterToken } from '../../crypto/sister-shares.ts';
import { sisterSignFields } from '../../shared/byte-formats.ts';
import { DAY, HOUR } from '../../shared/time.ts';
import { readKeptSisters, readLetterSisters } from './kept-sisters.ts';
import { type Letter, sealLetter } from './letter.ts';
import { endEverywhere, giveSign, giveSigns, type LetterWithSisters, stillGoing } from './signs-of-life.ts';
import { isDue, keyOf, originsOfOthers, readMemory, troubleOf } from './sister-memory.ts';
import { openBySisters, tellSisters } from './sister-opening.ts';

const ORIGINS = ['https://one.example', 'https://two.example', 'https://three.example'];
const random = (length: number) => toBase64Url(crypto.getRandomValues(new Uint8Array(length)));
const DIGEST = random(32);
const kept = (place: number) => ({
  origin: ORIGINS[place] as string,
  address: `${place}`.repeat(32),
  digest: DIGEST,
});

/** What an instance answers to one call; a number is a refusal's status, and an answer itself may be a proxy's. */
type Answers = Record<string, (body: Record<string, string>) => object | number>;

/** A network of instances, by origin; those that are not in it do not answer. */
function networkOf(instances: Record<string, Answers>) {
  const asked: { url: string; body: Record<string, string>; init: RequestInit }[] = [];
  const fetch = async (url: string, init: RequestInit): Promise<Response> => {
    const body = JSON.parse(String(init.body));
    asked.push({ url, body, init });
    const { origin, pathname } = new URL(url);
    const answer = instances[origin]?.[pathname]?.(body);
    if (answer === undefined) throw new TypeError('fetch failed');
    if (answer instanceof Response) return answer;
    const refusal = JSON.stringify({
      code: answer === 404 ? 'not-found' : 'stale-challenge',
      message: 'No.',
    });
    return typeof answer === 'number' ? new Response(refusal, { status: answer }) : Response.json(answer);
  };
  return { asked, fetch: fetch as typeof globalThis.fetch };
}

const CHALLENGES = '/api/sisters/challenges';
const SIGNS = '/api/sisters/signs';
const OPEN = '/api/sisters/open';

/** One that keeps a letter, and takes each challenge's answer once. */
function honest(signed: { kind: string; id: string }[], digest = DIGEST): Answers {
  let challenge = random(32);
  let state = 'watching';
  return {
    [CHALLENGES]: () =>
      state === 'ended'
        ? { state, challenge: null, digest: null, endedBy: 'author' }
        : { state, challenge, digest, endedBy: null },
    [SIGNS]: ({ kind = '', id = '', ...body }) => {
      if (body.challenge !== challenge) return 409;
      challenge = random(32);
      signed.push({ kind, id });
      if (kind === 'end') state = 'ended';
      return { state };
    },
  };
}

let now: number;
let remembered: string | null;
beforeEach(() => {
  now = 1_800_000_000_000;
  remembered = null;
});
const portsOf = (fetch: typeof globalThis.fetch) => ({
  fetch,
  now: () => now,
  readMemory: () => remembered,
  writeMemory: (written: string) => {
    remembered = written;
  },
});

const aLetter = (places: number[], gone: LetterWithSisters['sisters']['gone'] = []): LetterWithSisters => ({
  sealId: newSealId(),
  scrollKey: newScrollKey(),
  sisters: { round: 3, edition: 5, needed: 2, days: 60, of: places.map(kept), sent: random(32), gone },
});
const at = ({ sealId }: LetterWithSisters, place: number, round = 3) =>
  readMemory(remembered).get(keyOf({ sealId, round }, kept(place)));

test('a sign is what a sister checks, by the fields that both sides have', async () => {
  const scrollKey = newScrollKey();
  const challenge = random(32);
  const address = kept(0).address;
  const signature = await signToSister({ scrollKey, round: 3 }, address, { challenge, kind: 'alive' });
  const id = await sisterLetterId(scrollKey, 3);
  const { hkdf } = await import('../../crypto/hkdf.ts');
  const seed = await hkdf(scrollKey, utf8('3'), utf8('latebra/v1/sister-life'), 32);
  const { publicKey } = ml_dsa44.keygen(seed);
  const verify = (fields: string[]) =>
    ml_dsa44.verify(fromBase64(signature), lengthPrefixed(...fields), publicKey, {
      context: utf8('latebra/v1/sister-sign'),
    });
  expect(verify(sisterSignFields(address, { id, challenge, kind: 'alive' }))).toBe(true);
  expect(verify(sisterSignFields(address, { id, challenge, kind: 'end' }))).toBe(false);
  expect(verify(sisterSignFields(kept(1).address, { id, challenge, kind: 'alive' }))).toBe(false);
});

describe('signs of life', () => {
  test('go to every sister once a day, without credentials, and are remembered', async () => {
    const signed: { kind: string; id: string }[] = [];
    const network = networkOf({ [ORIGINS[0] ?? '']: honest(signed), [ORIGINS[1] ?? '']: honest(signed) });
    const letter = aLetter([0, 1]);
    const id = await sisterLetterId(letter.scrollKey, 3);
    await giveSigns([letter], portsOf(network.fetch));
    expect(signed).toEqual([
      { kind: 'alive', id },
      { kind: 'alive', id },
    ]);
    for (const { init } of network.asked) expect(init.credentials).toBe('omit');
    expect(at(letter, 0)).toEqual({ since: now, tried: now, reached: now, answer: 'kept' });
    now += DAY - 1;
    await giveSigns([letter], portsOf(network.fetch));
    expect(signed).toHaveLength(2);
    now += 1;
    await giveSigns([letter], portsOf(network.fetch));
    expect(signed).toHaveLength(4);
    // Nothing of a key is on the device.
    expect(remembered).not.toContain(toBase64Url(letter.scrollKey));
    expect(remembered).not.toContain(id);
  });

  test('reach every letter within days where a sister takes few calls of one address at a time', {
    tags: 'long',
  }, async () => {
    const signed: { kind: string; id: string }[] = [];
    let left = 0;
    const limited = (answer: (body: Record<string, string>) => object) => (body: Record<string, string>) => {
      left -= 1;
      return left < 0 ? 429 : answer(body);
    };
    const network = networkOf({
      [ORIGINS[0] ?? '']: {
        [CHALLENGES]: limited(() => ({
          ...{ state: 'watching', challenge: random(32), digest: DIGEST, endedBy: null },
        })),
        [SIGNS]: limited(({ kind = '', id = '' }) => {
          signed.push({ kind, id });
          return { state: 'watching' };
        }),
      },
    });
    // As many as a sister lets through, times two: all of them ask before any has signed.
    const letters = Array.from({ length: 60 }, () => aLetter([0]));
    for (let day = 0; day < 3; day += 1) {
      left = 60;
      await giveSigns(letters, portsOf(network.fetch));
      now += DAY;
    }
    expect(new Set(signed.map(({ id }) => id)).size).toBe(60);
  });

  test('that were not heard are given again an hour later, and said of after half of the silence', async () => {
    const letter = aLetter([0]);
    const nobody = networkOf({});
    await giveSigns([letter], portsOf(nobody.fetch));
    const began = now;
    await giveSigns([letter], portsOf(nobody.fetch));
    expect(nobody.asked).toHaveLength(1);
    now += HOUR;
    await giveSigns([letter], portsOf(nobody.fetch));
    expect(nobody.asked).toHaveLength(2);
    expect(at(letter, 0)).toEqual({ since: began, tried: now, reached: 0, answer: 'kept' });
    const { sisters } = letter;
    expect(troubleOf(at(letter, 0), sisters, began + 30 * DAY)).toBeNull();
    expect(troubleOf(at(letter, 0), sisters, began + 30 * DAY + 1)).toBe('unreached');
    expect(troubleOf(undefined, sisters, now)).toBeNull();
  });

  test.each([
    ['keeps another edition', honest([], random(32)), 'other'],
    [
      'has ended it',
      { [CHALLENGES]: () => ({ state: 'ended', challenge: null, digest: null, endedBy: 'sister' }) },
      'ended-by-sister',
    ],
    ['never had it', { [CHALLENGES]: () => 404 }, 'unknown'],
  ] as [string, Answers, string][])('say of a sister that %s', async (_, sister, answer) => {
    const letter = aLetter([0]);
    const remembers = await giveSign(
      letter,
      kept(0),
      portsOf(networkOf({ [ORIGINS[0] ?? '']: sister }).fetch),
    );
    expect(remembers).toEqual({ since: now, tried: now, reached: now, answer });
    expect(troubleOf(remembers ?? undefined, letter.sisters, now)).toBe(answer);
  });

  test.each([
    ['a page with the status 404', () => new Response('<html>', { status: 404 })],
    ['a page with the status 200', () => new Response('<html>')],
    ['nothing with the status 410', () => new Response(null, { status: 410 })],
    ['an error of its own with the status 404', () => Response.json({ code: 'no-route' }, { status: 404 })],
    ['an end without the rest', () => Response.json({ state: 'ended' })],
  ])('are not counted as heard, nor an end as done, where a proxy answers %s', async (_, answer) => {
    const letter = aLetter([0]);
    const ports = portsOf(networkOf({ [ORIGINS[0] ?? '']: { [CHALLENGES]: answer } }).fetch);
    expect(await giveSign(letter, kept(0), ports)).toBeNull();
    expect(at(letter, 0)).toEqual({ since: now, tried: now, reached: 0, answer: 'kept' });
    expect(await endEverywhere(letter, ports)).toHaveLength(1);
    const signed = networkOf({
      [ORIGINS[0] ?? '']: { ...honest([]), [SIGNS]: () => Response.json({ error: 'x' }, { status: 409 }) },
    });
    expect(await giveSign(letter, kept(0), portsOf(signed.fetch))).toBeNull();
  });

  test.each([
    ['another shape', { [CHALLENGES]: () => ({ state: 'well' }) }],
    [
      'a challenge that is none',
      { [CHALLENGES]: () => ({ state: 'watching', challenge: '<b>', digest: DIGEST, endedBy: null }) },
    ],
    ['a refusal of the sign', { ...honest([]), [SIGNS]: () => 409 }],
  ] as [string, Answers][])('are not counted as heard for an answer of %s', async (_, sister) => {
    const letter = aLetter([0]);
    const remembers = await giveSign(
      letter,
      kept(0),
      portsOf(networkOf({ [ORIGINS[0] ?? '']: sister }).fetch),
    );
    expect(remembers).toBeNull();
  });
});

describe('an end', () => {
  test('goes to all, and those that were away are asked again until they have said so', async () => {
    const signed: { kind: string; id: string }[] = [];
    const [here, later] = [honest(signed), honest(signed)];
    const letter = aLetter([0, 1], [{ ...kept(2), round: 2 }]);
    const first = networkOf({ [ORIGINS[0] ?? '']: here });
    const away = await endEverywhere(letter, portsOf(first.fetch));
    expect(away.map(({ origin, round }) => [origin, round])).toEqual([
      [ORIGINS[1], 3],
      [ORIGINS[2], 2],
    ]);
    expect(at(letter, 0)?.answer).toBe('ended-by-author');
    const ending = { ...letter, sisters: { ...letter.sisters, of: [], gone: away } };
    expect(stillGoing(ending, readMemory(remembered))).toHaveLength(2);
    now += HOUR;
    const second = networkOf({ [ORIGINS[1] ?? '']: later, [ORIGINS[2] ?? '']: { [CHALLENGES]: () => 404 } });
    await giveSigns([ending], portsOf(second.fetch));
    expect(stillGoing(ending, readMemory(remembered))).toEqual([]);
    expect(signed.map(({ kind }) => kind)).toEqual(['end', 'end']);
    now += 2 * DAY;
    await giveSigns([ending], portsOf(second.fetch));
    expect(signed).toHaveLength(2);
  });

  test('that a sister says it has not made is none', async () => {
    const lies = { ...honest([]), [SIGNS]: () => ({ state: 'watching' }) };
    const letter = aLetter([0]);
    expect(await endEverywhere(letter, portsOf(networkOf({ [ORIGINS[0] ?? '']: lies }).fetch))).toHaveLength(
      1,
    );
  });
});

describe('a sister that has let a letter out, or says so', () => {
  const at0 = (sister: Answers) => portsOf(networkOf({ [ORIGINS[0] ?? '']: sister }).fetch);
  const letsOut = { ...honest([]), [SIGNS]: () => ({ state: 'released' }) };

  test('may have it still: it is told to erase it, and named until it has', async () => {
    const letter = aLetter([0]);
    expect(await giveSign(letter, kept(0), at0(letsOut))).toMatchObject({ answer: 'released' });
    const memory = readMemory(remembered);
    expect(originsOfOthers(memory, new Set())).toEqual([ORIGINS[0]]);
    const gone = [{ ...kept(0), round: 3 }];
    const ending = { ...letter, sisters: { ...letter.sisters, of: [], gone } };
    expect(stillGoing(ending, memory)).toEqual(gone);
    expect(await endEverywhere(ending, at0(letsOut))).toEqual(gone);
    expect(await endEverywhere(ending, at0(honest([])))).toEqual([]);
    expect(stillGoing(ending, readMemory(remembered))).toEqual([]);
  });

  test.each(['released', 'watching'])('and gives no question with “%s” has erased nothing', async (state) => {
    const silent = { [CHALLENGES]: () => ({ state, challenge: null, digest: DIGEST, endedBy: null }) };
    const letter = aLetter([0]);
    expect(await giveSign(letter, kept(0), at0(silent))).toBeNull();
    expect(await endEverywhere(letter, at0(silent))).toMatchObject([{ origin: ORIGINS[0] }]);
  });
});

describe('what is written of sisters', () => {
  test('is read as it was, and nothing else is', () => {
    const { sisters } = aLetter([0, 1], [{ ...kept(2), round: 2 }]);
    expect(readKeptSisters(JSON.parse(JSON.stringify(sisters)))?.of).toEqual(sisters.of);
    for (const wrong of [undefined, null, 7, {}, { ...sisters, of: {} }, { ...sisters, days: 0 }])
      expect(readKeptSisters(wrong)).toBeNull();
    const told = { id: random(16), origins: ORIGINS };
    expect(readLetterSisters(told)).toEqual(told);
    for (const origin of [
      'http://one.example',
      'javascript:alert(1)',
      'https://one.example/path',
      'https://a@b.example',
    ])
      expect(readLetterSisters({ ...told, origins: [origin] })).toBeNull();
    expect(readLetterSisters({ ...told, origins: Array(10).fill(ORIGINS[0]) })).toBeNull();
  });

  test('a device’s memory that is damaged is none, and a clock that was put back asks again', () => {
    for (const damaged of ['', '{', '[]', '{"a":{"since":-1}}']) expect(readMemory(damaged).size).toBe(0);
    expect(isDue({ since: 0, tried: now + HOUR, reached: now + HOUR, answer: 'kept' }, now)).toBe(true);
  });
});

describe('a recipient', () => {
  const WORDS = 'Under the third stone.';

  /** A letter with its shares, of which two of three open it. */
  async function released() {
    const scrollKey = newScrollKey();
    const letterKey = await deriveLetterKey(scrollKey);
    const [id, sealId, publicId] = [await sisterLetterId(scrollKey, 1), newSealId(), newRecipientNumber()];
    const letter: Letter = {
      ...{ v: 1, title: 'For Mira', content: WORDS, createdAt: '2026-11-28T10:00:00.000Z', authorName: null },
      sisters: { id, origins: ORIGINS },
    };
    const encryptedContent = await sealLetter(letter, await deriveContentKey(letterKey), sealId);
    const shares = (await split(letterKey, 3, 2)).map((share) => toBase64Url(new Uint8Array(share)));
    const token = await sisterToken(letterKey, publicId);
    const common = { needed: 2, sisters: ORIGINS.map((origin, i) => ({ origin, address: kept(i).address })) };
    const answer = (place: number, opened: object | null = {}) => ({
      [OPEN]: (body: Record<string, string>) =>
        body.token === token
          ? {
              ...common,
              state: opened ? 'released' : 'watching',
              opened: opened && { encryptedContent, sealId, share: shares[place], ...opened },
            }
          : 404,
    });
    return { letter, letterKey, publicId, answer, body: { id, token } };
  }
  const HERE = ORIGINS[0] as string;
  const networkAt = (...answers: (Answers | null)[]) =>
    networkOf(Object.fromEntries(answers.flatMap((one, i) => (one ? [[ORIGINS[i], one]] : []))));

  test('opens it with the shares of any two, also where the third lies, waits or is away', async () => {
    const { answer, body, letter } = await released();
    const lie = { share: random(33) };
    for (const thirds of [
      answer(2),
      answer(2, lie),
      answer(2, null),
      null,
      { [OPEN]: () => ({ well: 'no' }) },
    ]) {
      const { fetch, asked } = networkAt(answer(0), answer(1), thirds as Answers | null);
      expect(await openBySisters(fetch, HERE, body)).toEqual({ at: 'opened', letter });
      for (const { init } of asked) expect(init.credentials).toBe('omit');
    }
    // Also where the one that has written is the liar.
    const { fetch } = networkAt(answer(0, lie), answer(1), answer(2));
    expect(await openBySisters(fetch, HERE, body)).toEqual({ at: 'opened', letter });
    // Or gives another letter, or one that is none.
    const other = networkAt(answer(0, { encryptedContent: 'AAAA' }), answer(1), answer(2));
    expect(await openBySisters(other.fetch, HERE, body)).toEqual({ at: 'opened', letter });
  });

  test('opens it whatever one sister says of how many shares it takes, and believes most of them', async () => {
    const { answer, body, letter } = await released();
    const saying = (needed: number, honestly: Answers) => ({
      [OPEN]: (asked: Record<string, string>) => ({ ...(honestly[OPEN]?.(asked) as object), needed }),
    });
    for (const needed of [3, 9]) {
      const { fetch } = networkAt(saying(needed, answer(0, { share: random(33) })), answer(1), answer(2));
      expect(await openBySisters(fetch, HERE, body)).toEqual({ at: 'opened', letter });
    }
    const early = networkAt(saying(9, answer(0, null)), answer(1), answer(2, null));
    expect(await openBySisters(early.fetch, HERE, body)).toMatchObject({
      at: 'missing',
      needed: 2,
      missing: 1,
    });
  });

  test('is told how many are missing, and which wait, are away, or do not have it', async () => {
    const { answer, body } = await released();
    const ended = { [OPEN]: () => ({ state: 'ended', needed: 2, sisters: [], opened: null }) };
    const one = networkAt(answer(0), answer(1, null), null);
    expect(await openBySisters(one.fetch, HERE, body)).toEqual({
      ...{ at: 'missing', needed: 2, missing: 1 },
      ...{ away: [ORIGINS[2]], watching: [ORIGINS[1]], gone: [] },
    });
    const two = networkAt(answer(0), { [OPEN]: () => 404 }, ended);
    expect(await openBySisters(two.fetch, HERE, body)).toMatchObject({
      ...{ at: 'missing', missing: 1, away: [], watching: [] },
      gone: [ORIGINS[1], ORIGINS[2]],
    });
    const none = networkAt(answer(0, null), answer(1, null), answer(2, null));
    expect(await openBySisters(none.fetch, HERE, body)).toMatchObject({
      at: 'missing',
      missing: 2,
      away: [],
    });
  });

  test('is told that it does not open where too many lie, that it was ended, and that a link leads nowhere', async () => {
    const { answer, body } = await released();
    const lying = networkAt(answer(0), answer(1, { share: random(33) }), answer(2, { share: random(33) }));
    expect(await openBySisters(lying.fetch, HERE, body)).toEqual({ at: 'unreadable' });
    const ended = networkAt({
      [OPEN]: () => ({ state: 'ended', needed: 2, sisters: [], opened: null }),
    });
    expect(await openBySisters(ended.fetch, HERE, body)).toEqual({ at: 'ended' });
    const { fetch } = networkAt(answer(0));
    expect(await openBySisters(fetch, HERE, { ...body, token: random(32) })).toEqual({ at: 'unknown' });
    await expect(openBySisters(networkAt().fetch, HERE, body)).rejects.toThrow(TypeError);
  });

  test('who has opened it at home shows the token to every sister, and hears nothing of those that are away', async () => {
    const { answer, body, letter, letterKey, publicId } = await released();
    const { fetch, asked } = networkAt(answer(0, null), null, answer(2, null));
    await tellSisters(fetch, letter, letterKey, publicId);
    expect(asked.map((one) => [one.url, one.body])).toEqual(ORIGINS.map((origin) => [origin + OPEN, body]));
    await tellSisters(
      fetch,
      { ...letter, sisters: { id: body.id, origins: ['javascript:x'] } },
      letterKey,
      publicId,
    );
    await tellSisters(fetch, { ...letter, sisters: undefined }, letterKey, publicId);
    expect(asked).toHaveLength(3);
  });
});
