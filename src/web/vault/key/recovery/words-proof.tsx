// The twenty-four words on a screen, and the three of them that are asked for. They are never sent and never copied by
// the page.
import { useEffect, useRef, useState } from 'react';
import { TextField } from '../../../ui/text-fields.tsx';
import { WALLET_WARNING } from '../words-field.tsx';

const ASKED = 3;

/** Three different positions from 0 to 23, in order. */
function choosePositions(): number[] {
  const positions = Array.from({ length: 24 }, (_, index) => index);
  const random = crypto.getRandomValues(new Uint32Array(24));
  return positions
    .sort((a, b) => (random[a] ?? 0) - (random[b] ?? 0))
    .slice(0, ASKED)
    .sort((a, b) => a - b);
}

/** Three questions about the words, and what was answered so far. */
export function useWordsProof(words: readonly string[] | undefined) {
  const [positions] = useState(choosePositions);
  const [answers, setAnswers] = useState<string[]>(() => positions.map(() => ''));
  const [wrong, setWrong] = useState<number[]>([]);
  return {
    positions,
    answers,
    wrong,
    answer: (which: number, text: string) => setAnswers(answers.map((old, i) => (i === which ? text : old))),
    /** Whether all three are right; marks those that are not. */
    check(): boolean {
      const misses = positions.flatMap((position, i) =>
        answers[i]?.trim().toLowerCase() === words?.[position] ? [] : [i],
      );
      setWrong(misses);
      return misses.length === 0;
    },
  };
}

/** The words, numbered. */
export function WordsList({ words }: { words: readonly string[] }) {
  return (
    <>
      {/* On a narrow screen the list scrolls; the keyboard must be able to do it. */}
      <ol
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region has to take focus
        tabIndex={0}
        aria-label="Your words"
        className="grid grid-cols-2 gap-x-6 gap-y-1.5 border border-line bg-ink-0 p-5 font-machine text-body normal-nums sm:grid-cols-4"
      >
        {words.map((word, i) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a word can stand there twice; its place is what it is
          <li key={i} className="flex gap-3">
            <span className="w-6 text-right text-shade">{i + 1}</span>
            {word}
          </li>
        ))}
      </ol>
      <p className="text-note text-dust">{WALLET_WARNING}</p>
    </>
  );
}

/** The fields for the three that are asked for. */
export function WordsQuestions({ proof }: { proof: ReturnType<typeof useWordsProof> }) {
  const first = useRef<HTMLInputElement>(null);
  // They stand where the words stood, and what was pressed for them stays.
  useEffect(() => first.current?.focus(), []);
  return proof.positions.map((position, i) => (
    <TextField
      key={position}
      ref={i === 0 ? first : undefined}
      label={`Word ${position + 1}`}
      value={proof.answers[i] ?? ''}
      onChange={(event) => proof.answer(i, event.target.value)}
      error={
        proof.wrong.includes(i) ? `That is not word ${position + 1}. Look at the paper again.` : undefined
      }
      autoComplete="off"
      autoCapitalize="none"
      autoCorrect="off"
      spellCheck={false}
    />
  ));
}
