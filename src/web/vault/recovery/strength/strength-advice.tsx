// What the strength check says of a passphrase while it is typed.
import { useEffect, useState } from 'react';
import { MINIMUM_PASSPHRASE_LENGTH, passphraseProblem } from '../../../../crypto/passphrase.ts';
import { CANNOT_CHECK, type Choice, judge, openForm } from './strength.ts';

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
    <p aria-live="polite" className="text-left text-small text-dust empty:hidden" data-strength="">
      {quiet ? '' : said}
    </p>
  );
}

async function adviceOn(passphrase: string, known: readonly string[]): Promise<string> {
  try {
    const { strong, advice } = await judge(passphrase, known);
    if (!strong) return `Easy to guess. ${advice}`;
    return passphraseProblem(passphrase)
      ? `Hard to guess so far; it must have ${MINIMUM_PASSPHRASE_LENGTH} characters.`
      : 'Hard to guess.';
  } catch {
    return CANNOT_CHECK;
  }
}
