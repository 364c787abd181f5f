// The field that takes the twenty-four words. It says which word is wrong and never sends one anywhere.
import { TextArea } from '../../ui/text-fields.tsx';

export const WALLET_WARNING = 'These are not a wallet. Never type your wallet’s words here.';

/** Reads the words out of what was typed: the key, or a sentence that says what is wrong. */
export async function readWords(text: string): Promise<{ key: Uint8Array } | { problem: string }> {
  const { keyFromWords, WordsError } = await import('../../../crypto/words.ts');
  try {
    return { key: keyFromWords(text) };
  } catch (error) {
    if (!(error instanceof WordsError)) throw error;
    const { problem } = error;
    if (problem.kind === 'count') {
      return { problem: `There are ${problem.count} words here; twenty-four are needed.` };
    }
    if (problem.kind === 'unknown') {
      return { problem: `Word ${problem.position}, “${problem.word}”, is not on the list. Is it misspelt?` };
    }
    return {
      problem:
        'All of these are words of the list, but not in an order that makes a key. Is one in the wrong place?',
    };
  }
}

interface WordsFieldProps {
  value: string;
  onChange: (value: string) => void;
  error?: string | undefined;
}

export function WordsField({ value, onChange, error }: WordsFieldProps) {
  return (
    <TextArea
      label="The twenty-four words"
      rows={5}
      value={value}
      onChange={(event) => onChange(event.target.value)}
      error={error}
      hint={WALLET_WARNING}
      autoComplete="off"
      autoCapitalize="none"
      autoCorrect="off"
      spellCheck={false}
    />
  );
}
