// What the strength check says of a passphrase while it is typed.
import { useEffect, useState } from 'react';
import { MINIMUM_PASSPHRASE_LENGTH, passphraseProblem } from '../../crypto/passphrase.ts';
import { type Choice, judge, openForm } from './strength.ts';

/** Long enough that a person who types on is not interrupted, short enough to be there when they stop. */
const PAUSE = 300;

interface AdviceProps extends Choice {
  /** Words that anybody would try for whoever chooses. */
  known: readonly string[];
  /** Says nothing while something else beneath the field says it. */
  quiet?: boolean;
}

export function StrengthAdvice({ passphrase, generated, known, quiet = false }: AdviceProps) {
  const [said, setSaid] = useState('');
  const words = known.join('\n');
  useEffect(openForm, []);
  useEffect(() => {
    if (passphrase === '' || passphrase === generated) return setSaid('');
    let current = true;
    const timer = setTimeout(async () => {
      const sentence = await adviceOn(passphrase, words.split('\n'));
      // An answer about what is no longer there is not shown.
      if (current) setSaid(sentence);
    }, PAUSE);
    return () => {
      current = false;
      clearTimeout(timer);
    };
  }, [passphrase, generated, words]);
  return (
    // As tall as what it says at most, also before: it comes late, and must not move what somebody is about to press.
    <p
      aria-live="polite"
      className="min-h-[3lh] text-left text-small text-dust sm:min-h-[2lh]"
      data-strength=""
    >
      {quiet ? '' : said}
    </p>
  );
}

async function adviceOn(passphrase: string, known: readonly string[]): Promise<string> {
  try {
    const { strong, advice } = await judge(passphrase, known);
    if (!strong) return `Easy to guess. ${firstSentenceOf(advice)}`;
    return passphraseProblem(passphrase)
      ? `Hard to guess so far; it must have ${MINIMUM_PASSPHRASE_LENGTH} characters.`
      : 'Hard to guess.';
  } catch {
    return 'This could not be checked yet: a part of this page did not load.';
  }
}

/** There is room for one; a refusal says all of them. */
const firstSentenceOf = (advice: string) => advice.split(/(?<=\.) /)[0] ?? '';
