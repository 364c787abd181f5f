// The two fields of an entry that has a title: what it is called, and its words.
import { TextField } from '../../ui/text-fields.tsx';
import { WordsField } from '../../ui/words-field.tsx';

interface FieldsProps {
  title: string;
  words: string;
  /** What the words are called, such as "Memory". */
  label: string;
  rows: number;
  onTitle: (title: string) => void;
  onWords: (words: string) => void;
}

export function TitledFields({ title, words, label, rows, onTitle, onWords }: FieldsProps) {
  return (
    <>
      <TextField
        label="Title"
        dir="auto"
        value={title}
        maxLength={1000}
        onChange={(event) => onTitle(event.target.value)}
        autoComplete="off"
      />
      <WordsField label={label} dir="auto" rows={rows} value={words} onChange={onWords} />
    </>
  );
}
