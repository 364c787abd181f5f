// Questions that end with what somebody has written.

/** A sentence with its question mark, unless what it quotes at its end has one already, as in `Delete “Who?”`. */
export const asQuestion = (sentence: string): string =>
  /[?\u037e\u055e\u061f\uff1f]”?$/.test(sentence) ? sentence : `${sentence}?`;
