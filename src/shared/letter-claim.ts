// How a recipient proves to the server that they may have what a letter carries besides its words.

/** In which header their browser sends the proof that opens the letter: the `claim` of `legacy.open`. */
export const CLAIM_HEADER = 'x-latebra-claim';
