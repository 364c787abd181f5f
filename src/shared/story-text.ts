// A story as it is written: a title in the first line, and the text below. Models keep to that more or less.
import { STORY_TITLE_MAX } from './nouns/myth.ts';

export interface StoryText {
  /** Empty where there is no line that could be one. */
  title: string;
  text: string;
}

/** What models put around a title: the marks of a heading, of bold text and of a quotation, and the word itself. */
const BEFORE = /^(?:[#*_>\s"“”„«»‹›「『]|(?:title|titel|titre|título|titolo)\s*:)+/iu;
const AFTER = /[*_\s"“”«»‹›」』]+$/u;
/** Longer than any title with its marks: patterns are not tried on it. */
const FIRST_LINE_MAX = STORY_TITLE_MAX + 200;

/** Takes a written story apart. A first line that is too long for a title, or all there is, belongs to the text. */
export function splitStory(written: string): StoryText {
  const whole = written.replace(/\r\n?/g, '\n').trim();
  const end = whole.indexOf('\n');
  const first = end < 0 || end > FIRST_LINE_MAX ? '' : whole.slice(0, end);
  const title = first.replace(BEFORE, '').replace(AFTER, '');
  const text = whole.slice(end + 1).trim();
  if (title === '' || title.length > STORY_TITLE_MAX || text === '') return { title: '', text: whole };
  return { title, text };
}
