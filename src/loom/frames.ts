// The lines that a kind of story sets beside the writer's, before any tone: how it opens, what it says before it closes,
// how it is called where the writer's words offer no name. The same rule as for tones: true of any story.
import type { StoryType } from '../shared/nouns/story-types.ts';

export interface StoryFrame {
  /** The first line; {image} comes later in the story. Those with {name} need one. */
  openings: readonly string[];
  plainOpenings: readonly string[];
  /** Before the closing of the tone. */
  partings: readonly string[];
  /** Titles without an image. */
  titles: readonly string[];
}

export const STORY_FRAMES: Readonly<Record<StoryType, StoryFrame>> = {
  biography: {
    openings: [
      'Begin with {image}.',
      'If it has to begin somewhere, let it begin with {image}.',
      'A life can be entered by many doors. This one opens on {image}.',
      'Before anything else, {image}.',
      'Of all that could be kept, {image}.',
    ],
    plainOpenings: [
      'No ornament. Only what was lived.',
      'This is how it is told by the one who was there.',
      'A life, in the words that it used.',
      'Let it be told plainly.',
    ],
    partings: [
      'There is more. This is enough to find the way back by.',
      'This is not the whole of it. It is the part that was kept.',
      'Leave the page open.',
      'So far, then. So much.',
    ],
    titles: ['In Plain Words', 'As It Was', 'The Part That Was Kept', 'So Far'],
  },
  relationship: {
    openings: [
      'Love keeps odd things. It kept {image}.',
      'Ask what it is made of. Start with {image}.',
      'Every love has its relics. Here, {image}.',
      'This is about {name}. It begins with {image}.',
      'Not the word for it. First {image}.',
    ],
    plainOpenings: [
      'Not the great words. These.',
      'This is what it says of itself, on an ordinary day.',
      'Love, told the way it is lived.',
      'Without music, then:',
    ],
    partings: [
      'It does not have to be larger than this.',
      'Keep this where two people can find it.',
      'This is what it is made of.',
      'Say it again on an ordinary day.',
    ],
    titles: ['On an Ordinary Day', 'What It Is Made Of', 'Not the Great Words', 'Between Two People'],
  },
  breakup: {
    openings: [
      'What ends leaves things behind. Here, {image}.',
      'Before it is put down, {image}.',
      'One last time, {image}.',
      'Not everything has to be carried on. First, look at {image}.',
      'This is the end of it. It begins with {image}.',
    ],
    plainOpenings: [
      'This was real. Now it is put down.',
      'One last time, from the beginning.',
      'Before it is put down, it is told.',
      'What ends deserves to be said aloud once.',
    ],
    partings: [
      'It was real, and it is finished.',
      'Now the hands may open.',
      'What was good in it may stay.',
      'Put it down here.',
    ],
    titles: ['Put Down Here', 'One Last Time', 'What May Stay', 'Now the Hands May Open'],
  },
  eulogy: {
    openings: [
      '{Name}, first of all {image}.',
      'Let someone speak of {name}, and begin with {image}.',
      'This is for {name}. It begins with {image}.',
      'Someone is remembered here, by way of {image}.',
      'Memory begins where it likes. Here it begins with {image}.',
    ],
    plainOpenings: [
      '{Name}, this is for you.',
      'This is for {name}, in the words of someone who remembers.',
      'Someone is remembered here.',
      'Let it be said plainly, and let it be heard.',
    ],
    partings: [
      'Let it be said once, and kept.',
      '{Name}, this much is kept.',
      'As long as this is read, it is not only past.',
      'This much is kept.',
    ],
    titles: ['This Much Is Kept', 'In Memory', 'Said Once More', 'Not Only Past'],
  },
};
