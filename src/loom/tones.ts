// The lines that a tone sets beside the writer's. Each must be true of any story in any place: it says how to listen, never
// what happened. {image} is a thing of the writer's own words, after “the”; it may be a plural and is never a subject
// whose verb would show it.
import type { EmotionalTone } from '../shared/nouns/myth.ts';

export interface ToneLines {
  /** How many words a line has at best. */
  measure: number;
  /** Whether it has no place beside grief. */
  isCheerful?: true;
  /** Between two parts; {image} was just read. */
  turns: readonly string[];
  /** The same for a story without images. */
  plainTurns: readonly string[];
  /** Before the writer's last sentence. Those with {name} need one. */
  closings: readonly string[];
}

export const TONES: Readonly<Record<EmotionalTone, ToneLines>> = {
  healing: {
    measure: 6,
    turns: [
      'Rest a while beside {image}.',
      'Hold {image} lightly, and only as long as it takes.',
      'There is no hurry. {Image} can wait.',
      'Nothing needs mending yet. Only look at {image}.',
      'Breathe out. Then come back to {image}.',
      'Go gently here, past {image}.',
    ],
    plainTurns: [
      'Nothing here has to be fixed.',
      'There is no hurry.',
      'Go gently with what comes next.',
      'A breath, before the next of it.',
    ],
    closings: [
      'It need not be finished to be at peace.',
      'What could be said is said. The rest may heal in quiet.',
      'Gently now, the last of it.',
      'Enough has been carried for one day.',
    ],
  },
  celebration: {
    measure: 8,
    isCheerful: true,
    turns: [
      'Raise a glass to {image}.',
      'Light every lamp for {image}.',
      'Someone ought to sing about {image}.',
      'Never mind the hour. Once more, {image}!',
      'Louder now, for {image}.',
      'Let {image} be toasted by name.',
    ],
    plainTurns: [
      'Say this next part out loud.',
      'Raise a glass, and go on.',
      'Louder now.',
      'Let there be gladness in the telling.',
    ],
    closings: [
      'Open the windows. Here is the last of it.',
      'All of it was worth the telling.',
      'One more toast, and this is it:',
      'And now, out loud:',
    ],
  },
  transformation: {
    measure: 7,
    turns: [
      'Between before and after: {image}.',
      'Cross over here, past {image}.',
      'After this, {image} cannot look the same.',
      'Leave {image} on this side, and look back once.',
      'One thing is turning into another. Mark the place with {image}.',
      'This far with {image}. Now the other shore.',
    ],
    plainTurns: [
      'Between before and after, a line. This is the line.',
      'Cross over here.',
      'One thing is turning into another.',
      'Nothing after this is told by quite the same voice.',
    ],
    closings: [
      'Whoever began this story is not quite the one who ends it.',
      'Here is the far side.',
      'What began this is not what ends it.',
      'It is told now, and that changes it.',
      'The old shape is set down here. This is the new one:',
    ],
  },
  melancholy: {
    measure: 6,
    turns: [
      'Stay a little longer with {image}.',
      'And afterwards, always, {image}.',
      'It is the small things that will not leave. {Image}.',
      'Memory goes back to {image}, and back again.',
      'How quiet it is around {image}.',
      'So much is gone from the mind. Not {image}.',
    ],
    plainTurns: [
      'Let the silence after this be long.',
      'There is no hurry in this part.',
      'This, too, stays in the mind.',
      'A pause, as long as it needs.',
    ],
    closings: [
      'That is nearly all.',
      'What is left takes little room.',
      'Then the quiet, and in the quiet one more thing.',
      'The lamp is low. This is the last of it.',
    ],
  },
  epic: {
    measure: 9,
    turns: [
      'Older songs were made of less than {image}.',
      'Tell them of {image}.',
      'Carve it deep: {image}.',
      'Let no one call it small. Remember {image}.',
      'Write {image} where the names of ships are written.',
      'Armies have marched under banners, and this story under {image}.',
    ],
    plainTurns: [
      'Let no one call this small.',
      'Older songs were made of less.',
      'And the road went on.',
      'Tell it standing.',
    ],
    closings: [
      'So it was, and so it is told.',
      'Here the song sets down its load.',
      'Let it stand in stone or on paper, but let it stand.',
      'Of all the words, let these be the last:',
    ],
  },
  mystical: {
    measure: 7,
    turns: [
      'Somewhere in this there is a door. Look for it near {image}.',
      'Say it slowly, and listen: {image}.',
      'Keep {image}. The meaning may come later.',
      'Look again at {image}. Longer.',
      'What is it that looks back, out of {image}?',
      'Ask nothing yet of {image}.',
    ],
    plainTurns: [
      'Read that once more, slowly.',
      'Plain words know more than they say.',
      'Not everything here has a name.',
      'Something is said between these lines.',
    ],
    closings: [
      'The rest is not hidden. It is only quiet.',
      'Under these words there is a silence. This is its edge.',
      'Not everything that ends is over.',
      'Read the last line twice.',
    ],
  },
  requiem: {
    measure: 6,
    turns: [
      'Let {image} rest now.',
      'Be still a moment, for {image}.',
      'Lower the voice here. {Image}.',
      'Set {image} down without a sound.',
      'Peace upon {image}.',
      'Close the eyes, and there again: {image}.',
    ],
    plainTurns: [
      'Lower the voice here.',
      'Be still a moment.',
      'Let this rest where it is.',
      'A silence, and then the next of it.',
    ],
    closings: [
      'Rest now, {name}.',
      '{Name}, be at rest.',
      'Let there be rest, and let it be deep.',
      'The voices are lowered. One thing more.',
    ],
  },
  vigil: {
    measure: 7,
    turns: [
      'Leave a lamp burning beside {image}.',
      'Sit up a little longer with {image}.',
      'One light for {image}.',
      'Nobody has to go home yet. Think of {image}.',
      'The watch goes on, and in its midst {image}.',
      'Stay awake for {image}.',
    ],
    plainTurns: [
      'The watch goes on.',
      'Nobody has to go home yet.',
      'Leave the lamp burning.',
      'Sit up a little longer.',
    ],
    closings: [
      '{Name}, the lamp stays lit.',
      'The lamp stays lit for one thing more.',
      'Toward morning, this.',
      'Whoever is still awake may hear the end of it.',
    ],
  },
  blessing: {
    measure: 7,
    turns: [
      'Blessed be {image}.',
      'Thanks be given for {image}.',
      'May someone, somewhere, come upon {image} and stop.',
      'A blessing on {image}, and on all who remember.',
      'Let {image} be thanked.',
      'Peace to all who have known {image}.',
    ],
    plainTurns: [
      'A blessing on whoever carries this.',
      'Give thanks, and go on.',
      'A blessing on all who remember.',
      'May this be kept.',
    ],
    closings: [
      '{Name}, go blessed.',
      'May it be a blessing to whoever reads it.',
      'With thanks, the last of it.',
      'Go with this.',
    ],
  },
  laughter: {
    measure: 8,
    isCheerful: true,
    turns: [
      'It is all right to laugh here. {Image}!',
      'Try to keep a straight face about {image}.',
      'Nobody could have made up {image}.',
      'If someone laughs out loud at {image}, good.',
      'Go on, smile. Think of {image}.',
      'And then, of all things, {image}.',
    ],
    plainTurns: [
      'It is all right to laugh here.',
      'Go on, smile.',
      'Somebody will laugh at this. Good.',
      'Tell it the way it was told at the table.',
    ],
    closings: [
      '{Name}, this laugh is for you.',
      'Smiling is allowed, even now.',
      'Laughter is a way of holding on. One thing more.',
      'And when the laughing is done:',
    ],
  },
};
