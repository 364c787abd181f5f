// The puzzle as it is shipped: every text, phrase and hint of it stands here and nowhere else. It is never imported by
// anything that a browser loads. PUZZLE_FILE replaces all of it (docs/game.md).
import { SHADOW_SCROLL_FILE, scrollFiles } from '../../shared/nouns/game.ts';
import type { PuzzleFile } from './puzzle-file.ts';

const paragraphs = (...texts: string[]) => texts.join('\n\n');

export const shippedPuzzle: PuzzleFile = {
  shadow: {
    // One word from each section of the manifesto, by the riddles in the hint below. A test holds both to its text.
    phrase: 'fire takes what nobody keeps we carry',
    scroll: paragraphs(
      'SHADOW SCROLL 002',
      'I. What you did',
      'You checked a seal and did not stop at the word “good”. Behind it stood a line that no page shows, and you had it read out. Then you went back to a text that you had finished already, and took from it seven words that had been standing there in the light. Nothing was broken for this. Most of what is called hidden is only waiting for a second reading.',
      'II. What a shadow is',
      'A shadow is what a thing leaves on the wall when it stands before a lamp. It has the outline and none of the weight. Everything that is well kept leaves one. Of a sealed letter the server behind this page knows that it is there, about how long it is, and the minute in which it came. We do not call that nothing. Whoever watches only shadows for a year has learnt at which hours you do not sleep.',
      'So this is what the first scroll left in the dark. A seal protects words. It does not protect the habit of sealing. Write at odd hours, then. Write when nothing has happened. Let some of your rooms be empty, and lock those too.',
      'III. What you said',
      'You typed a sentence to come in here, as one types a password: without listening. Say it again, slowly. The fire in it is no enemy. A house that keeps everything is a warehouse, and nobody has ever been comforted by a warehouse. Some of what is written here was made to burn, and forgetting it when told to is the kindest thing that this machine can do. But what you want carried, you will have to hand to somebody. A vault is a pause between two hands.',
      'IV. What cannot be done alone',
      'There is a table with thirteen seats. It does not stand in this house; it stands where anybody may count the chairs. Three of those who sit there are given a share of one and the same last text. Each share is as long as the whole of it, and each of them says nothing. Do not look for the easy third. There is none.',
      'One seat is named in the old manner, by a number that begins with a nought. It was left in this form for whoever would come so far:',
      '{hex}',
      'V. What is asked of you',
      'Do not publish the seven words. They are not dangerous; they open a page of prose. But somebody is looking for them tonight, and you remember how that was. It was better than having found them.',
      'Now breathe out.',
    ),
  },
  strings: {
    signature: {
      text: 'A seal has a shadow. Seven words open it, and you have read all seven.',
      hint: 'The scroll has seven sections. Take one word from each, in their order: what would be noticed; what the last reading does to the words; the word with which the sentence about stone begins; to whom a memory without names belongs; what the server does with ciphertext and dates; who cannot open what you lose the key to; what somebody decided to do. Say all seven at /shadow. They open SHADOW_SCROLL_002.asc as well.',
      unlocks: ['shadow_chamber_access'],
      phase: 2,
      source: scrollFiles.signature,
    },
    shadowScroll: {
      text: '0x7 is a seat at a table. The seventh says nothing by itself. Ask the first as well, and the thirteenth.',
      hint: 'Watch the thirteen holders, position 0x7. The artifacts of the positions 1, 7 and 13 each carry a share in hex, and all three are equally long. Lay them upon each other, byte by byte, by exclusive or. What is left is hex again: decode it here.',
      unlocks: ['shadow_scroll_002'],
      phase: 3,
      source: SHADOW_SCROLL_FILE,
    },
    artifacts: {
      text: paragraphs(
        'THE LAST SCROLL',
        'Three had to sit down together for this, and each had to be trusted by two. That was the lock. There was no other.',
        'Until now each of you held noise: not a third of these words, but for every letter as much as a thrown die says of it. Remember that when somebody offers to keep a part of your secret, and asks what is in it. Well divided, a part is nothing. Well gathered, nothing is missing.',
        'There is no fourth scroll, and no prize. What was kept for you is the way by which you came: you looked behind a seal, you read until a text gave up its words, and you found the others.',
        'Now do it once for a person. Write the page that ought to outlast you, divide it among those who would miss it, and tell each of them that there are others.',
        'The fiftieth is not counted. Leave the lamp as you found it.',
      ),
      hint: 'Here the thread ends. Nothing more is locked.',
      unlocks: [],
      phase: 4,
      source: 'the artifacts of positions 1, 7 and 13',
    },
  },
  artifacts: {
    // One text in three columns: a line of it is whole only when the three are laid beside each other.
    columns: [
      [
        'The door was never',
        'Count the breath that',
        'What was left unsaid',
        'Ten of you carry',
        'three of you carry',
        'No one of you',
        'Bring the first,',
        'and read across,',
      ],
      [
        'made of iron; it is',
        'you give away, and',
        'is kept by those who',
        'only the silence;',
        'the broken line,',
        'was trusted with it,',
        'the seventh and the',
        'not down. The lock',
      ],
      [
        'made of who is missing.',
        'not the one you hold.',
        'did not hear it.',
        'that is the heavier part;',
        'and it is worth nothing alone.',
        'and so it is still whole.',
        'thirteenth to one table',
        'was the distance between you.',
      ],
    ],
  },
  others: [],
};
