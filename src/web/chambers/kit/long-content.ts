// Content that tries a layout: long, unbroken, foreign, empty of spaces. Only the kit page uses it.

/** A word no line can hold. */
export const longWord = 'unbreakable'.repeat(14);

/** A title that needs several lines. */
export const longTitle =
  'What the house smelled of on the last evening of the longest summer that any of us can still agree upon';

/** Prose, verse, an indent, an address without spaces, and two other scripts. */
export const longText = `My grandmother kept bees behind the old rectory. Every morning she walked out in a torn blue coat and spoke to the hives before she spoke to anyone else.

We ate plum cake on the stone wall, and she told me about the flooded village and the bell that still rings under the lake.

    Under the lake the bell,
    under the bell the stone,
        under the stone the word
    that nobody has known.

https://example.org/${'a-very-long-address-without-any-space/'.repeat(5)}

${'She said it again, and then again, until I could say it too. '.repeat(24)}

Её звали Мария, und sie schrieb alles auf.

كانت جدتي تحتفظ بالنحل خلف بيت الكاهن القديم.`;
