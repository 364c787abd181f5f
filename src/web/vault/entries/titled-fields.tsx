// The two fields of an entry that has a title: what it is called, and its words.
import type { KeyboardEvent } from 'react';
import { TextField } from '../../ui/text-fields.tsx';
import { WordsField } from '../../ui/words-field.tsx';

interface FieldsProps {
  title: string;
  words: string;
  /** What the words are called, such as "Memory". */
  label: string;
  rows: number;
  /** Whether an empty field says that it is needed. */
  tried?: boolean;
  onTitle: (title: string) => void;
  onWords: (words: string) => void;
}

/** What a field that is needed says while it is empty; nothing before it was tried without. */
export const missing = (tried: boolean, text: string, sentence: string): string | undefined =>
  tried && text.trim() === '' ? sentence : undefined;

/** Enter leads from the title to the words while there are none: what has only a title cannot be kept. */
function goOnToWords(event: KeyboardEvent<HTMLInputElement>) {
  if (event.key !== 'Enter' || event.ctrlKey || event.metaKey || event.nativeEvent.isComposing) return;
  const words = event.currentTarget.form?.querySelector('textarea');
  if (words?.value.trim() !== '') return;
  event.preventDefault();
  words.focus();
}

export function TitledFields(props: FieldsProps) {
  const { title, words, label, rows, tried = false, onTitle, onWords } = props;
  return (
    <>
      <TextField
        label="Title"
        dir="auto"
        value={title}
        maxLength={1000}
        onChange={(event) => onTitle(event.target.value)}
        error={missing(tried, title, 'A title is missing.')}
        autoComplete="off"
        enterKeyHint="next"
        onKeyDown={goOnToWords}
      />
      <WordsField
        label={label}
        dir="auto"
        rows={rows}
        value={words}
        onChange={onWords}
        error={missing(tried, words, 'The words are missing.')}
      />
    </>
  );
}
