// What every story of the Loom keeps, over the corpus, its kinds, tones and several seeds.
import { describe, expect, test } from 'vitest';
import type { EmotionalTone } from '../shared/nouns/myth.ts';
import type { StoryType } from '../shared/nouns/story-types.ts';
import { readParagraphs } from './clean.ts';
import { corpus } from './corpus/corpus.ts';
import type { CorpusText } from './corpus/text.ts';
import { type WeaveRequest, type Weaving, weave } from './loom.ts';
import { findFaults, findLayoutFaults, namesIn, wordsOf } from './testing/grammar.ts';

const SEEDS = [0, 1, 2];
/** The least share of words of four letters or more that are the source's: by the source's length, and on average. */
const LEAST_SHARE = { brief: 0.5, long: 0.7, mean: 0.82 };
const BRIEF = { least: 25, most: 100 };
/** A told-to-its-writer story says “your” where the source says “my”. */
const TURNED = new Set(['your', 'yours', 'yourself', 'yourselves', 'were']);

interface Case {
  text: CorpusText;
  request: WeaveRequest;
  story: Weaving;
}

const requestOf = (text: CorpusText, storyType: StoryType, emotionalTone: EmotionalTone, seed: number) => ({
  storyType,
  sourceContent: text.text,
  personName: text.personName,
  relationshipDuration: text.relationshipDuration,
  emotionalTone,
  seed,
});

const cases: Case[] = corpus.flatMap((text) =>
  text.storyTypes.flatMap((storyType) =>
    text.tones.flatMap((tone) =>
      (text.form === 'verbatim' ? [0] : SEEDS).map((seed) => {
        const request = requestOf(text, storyType, tone, seed);
        return { text, request, story: weave(request) };
      }),
    ),
  ),
);
const english = cases.filter(({ story }) => story.form !== 'verbatim');
const verbatim = cases.filter(({ story }) => story.form === 'verbatim');

/** The text as the Loom reads it, on one line. */
const flatten = (text: string) => readParagraphs(text).flat().join(' ').replace(/\s+/g, ' ');
const nameOf = ({ text, request, story }: Case) =>
  `${text.name}, ${request.storyType}, ${request.emotionalTone}, ${request.seed}: ${story.title}\n${story.text}`;
const linesOf = (story: Weaving) => story.text.split('\n').filter((line) => line !== '');

function shareOf({ text, story }: Case): number {
  const known = new Set(wordsOf(flatten(text.text).toLowerCase()));
  const words = wordsOf(story.text.toLowerCase()).filter((word) => word.length >= 4 && !TURNED.has(word));
  return words.filter((word) => known.has(word)).length / Math.max(1, words.length);
}

test('the corpus holds thirty texts or more, each under a name of its own', () => {
  expect(new Set(corpus.map(({ name }) => name)).size).toBe(corpus.length);
  expect(corpus.length).toBeGreaterThanOrEqual(30);
});

test('each text gets its form', () => {
  for (const each of cases) expect(each.story.form, nameOf(each)).toBe(each.text.form);
});

test('a checker of grammar finds no fault', () => {
  for (const each of english)
    expect(findFaults(each.story.text, flatten(each.text.text)), nameOf(each)).toEqual([]);
  for (const each of verbatim) expect(findLayoutFaults(each.story.text), nameOf(each)).toEqual([]);
});

test('most words are the source’s', () => {
  const shares = english.flatMap((each) => {
    const length = wordsOf(flatten(each.text.text)).length;
    if (length < BRIEF.least) return [];
    const share = shareOf(each);
    expect(share, nameOf(each)).toBeGreaterThanOrEqual(
      length <= BRIEF.most ? LEAST_SHARE.brief : LEAST_SHARE.long,
    );
    return [share];
  });
  expect(shares.reduce((sum, share) => sum + share, 0) / shares.length).toBeGreaterThanOrEqual(
    LEAST_SHARE.mean,
  );
});

test('a text that is not English keeps every word, in its order', () => {
  for (const each of verbatim) {
    const ours = wordsOf(each.request.relationshipDuration ?? '');
    const told = wordsOf(each.story.text.replace(/^I{1,3}$/gm, ''));
    const body = each.request.storyType === 'biography' ? told : told.slice(ours.length);
    expect(body, nameOf(each)).toEqual(wordsOf(flatten(each.text.text)));
  }
});

test('no name is invented', () => {
  for (const each of english) {
    const { sourceContent, personName, relationshipDuration } = each.request;
    const known = new Set(wordsOf([sourceContent, personName, relationshipDuration].join(' ').toLowerCase()));
    const body = linesOf(each.story).filter((line) => !/^I{1,3}\. The /.test(line));
    const names = namesIn(body.join('\n')).filter(
      (name) => !wordsOf(name).every((word) => known.has(word.toLowerCase())),
    );
    expect(names, nameOf(each)).toEqual([]);
  }
});

test('titles and headings are made of the source’s words', () => {
  for (const each of english.filter(({ story }) => story.form === 'woven')) {
    const known = new Set(wordsOf(flatten(each.text.text).toLowerCase()));
    const headings = linesOf(each.story).filter((line) => /^I{1,3}\. The /.test(line));
    const words = wordsOf([each.story.title, ...headings].join(' ').toLowerCase());
    expect(
      words.filter((word) => !known.has(word) && !/^(?:the|of|i{1,3})$/.test(word)),
      nameOf(each),
    ).toEqual([]);
    expect(each.story.title, nameOf(each)).toMatch(/^The [^\n]{2,80}$/);
  }
});

test('the writer’s sentences stay in their order', () => {
  for (const each of english.filter(({ request }) => request.storyType !== 'biography')) {
    const flat = flatten(each.text.text).toLowerCase();
    let from = 0;
    for (const line of linesOf(each.story)) {
      const words = line.toLowerCase().replace(/[.!?…]+$/, '');
      // Short lines may stand anywhere.
      if (wordsOf(words).length < 4 || !flat.includes(words)) continue;
      expect(flat.indexOf(words, from), `${words}\n${nameOf(each)}`).toBeGreaterThanOrEqual(0);
      from = flat.indexOf(words, from);
    }
  }
});

test('nobody is given words that they did not say', () => {
  const quotations = (text: string) => text.replace(/\n+/g, ' ').match(/["“][^"”]*["”]/g) ?? [];
  for (const each of english) {
    const said = new Set(quotations(flatten(each.text.text)));
    expect(
      quotations(each.story.text).filter((words) => !said.has(words)),
      nameOf(each),
    ).toEqual([]);
  }
});

test('the last words are the writer’s', () => {
  for (const each of english) {
    const last = wordsOf(flatten(each.text.text)).at(-1)?.toLowerCase();
    const told = wordsOf(each.story.text).at(-1)?.toLowerCase();
    expect([last, 'you', 'yours'], nameOf(each)).toContain(told);
  }
});

test('the same seed weaves the same, another one weaves anew', { tags: 'long' }, () => {
  for (const text of corpus.filter(({ form }) => form === 'woven')) {
    const [storyType = 'biography', tone = 'mystical'] = [text.storyTypes[0], text.tones[0]];
    const stories = [0, 1, 2, 3].map((seed) => JSON.stringify(weave(requestOf(text, storyType, tone, seed))));
    expect(JSON.stringify(weave(requestOf(text, storyType, tone, 3))), text.name).toBe(stories[3]);
    expect(new Set(stories).size, text.name).toBeGreaterThanOrEqual(3);
  }
});

test('each tone changes the story', { tags: 'long' }, () => {
  const tones: EmotionalTone[] = [
    'healing',
    'celebration',
    'transformation',
    'melancholy',
    'epic',
    'mystical',
  ];
  for (const text of corpus.filter(({ form }) => form !== 'verbatim')) {
    const stories = tones.map(
      (tone) => weave(requestOf(text, text.storyTypes[0] ?? 'biography', tone, 1)).text,
    );
    expect(new Set(stories).size, text.name).toBe(tones.length);
  }
});

test('a story without a seed, a person or a tone is told all the same', () => {
  const [text] = corpus;
  const plain = { storyType: 'eulogy', sourceContent: text?.text ?? '' } as const;
  const story = weave(plain);
  expect(
    weave({ ...plain, seed: 0, emotionalTone: 'mystical', personName: ' ', relationshipDuration: null }),
  ).toEqual(story);
  expect(findFaults(story.text, flatten(plain.sourceContent))).toEqual([]);
});

test('nothing gives nothing', () => {
  expect(weave({ storyType: 'biography', sourceContent: ' \n\u200B ' })).toEqual({
    title: '',
    text: '',
    form: 'verbatim',
  });
});

describe('a long text', () => {
  const rich = corpus.filter(({ form }) => form === 'woven').map(({ text }) => flatten(text));
  const long = rich
    .map((text, at) => text.replace(/\.(?= )/g, `, at ${at + 1}.`))
    .join('\n\n')
    .repeat(1);

  test('becomes a story of some pages, in order, with its own beginning and end', () => {
    const story = weave({
      storyType: 'eulogy',
      sourceContent: long,
      emotionalTone: 'melancholy',
      personName: 'Ilse',
    });
    expect(story.form).toBe('woven');
    expect(wordsOf(long).length).toBeGreaterThan(1800);
    expect(wordsOf(story.text).length).toBeLessThan(800);
    expect(wordsOf(story.text).length).toBeGreaterThan(300);
    expect(findFaults(story.text, long)).toEqual([]);
  });
});
