// How many of the thirteen have come, in words.
import { GATHERING_THRESHOLD } from '../../../shared/nouns/holders.ts';

/** Such as "9 of 13 have gathered". */
export const gatheredWords = (gathered: number): string =>
  `${gathered} of ${GATHERING_THRESHOLD} ${gathered === 1 ? 'has' : 'have'} gathered`;
