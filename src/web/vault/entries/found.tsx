// Where a search has matched: the words are marked in what a row shows, and an excerpt says what stands around them.
import { useMemo } from 'react';
import { excerptOf, markWords, type Piece } from '../../../vault/entries/search.ts';

const shown = (pieces: readonly Piece[]) =>
  pieces.map(({ text, isMarked }, i) =>
    isMarked ? (
      // biome-ignore lint/suspicious/noArrayIndexKey: pieces have no other identity
      <mark key={i} className="bg-ember/25 text-bone forced-colors:bg-[Mark] forced-colors:text-[MarkText]">
        {text}
      </mark>
    ) : (
      text
    ),
  );

/** A short text, with the words marked that were searched for. */
export function Marked({ text, words }: { text: string; words: readonly string[] }) {
  return words.length === 0 ? text : shown(markWords(text, words));
}

/** Nothing where the words stand elsewhere. */
export function Excerpt({ text, words }: { text: string | null; words: readonly string[] }) {
  const pieces = useMemo(() => (text === null ? null : excerptOf(text, words)), [text, words]);
  if (pieces === null) return null;
  return (
    <p dir="auto" className="text-note text-dust wrap-anywhere">
      {shown(pieces)}
    </p>
  );
}
