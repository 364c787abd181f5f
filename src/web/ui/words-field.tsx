// The field for a longer text: it counts the words, and can have the whole page. What is typed is plain text.
import { type ComponentProps, useDeferredValue, useMemo, useRef } from 'react';
import { Button } from './button.tsx';
import { countWords } from './count-words.ts';
import { TextArea } from './text-fields.tsx';
import { useWholePage } from './whole-page.ts';

interface WordsProps extends Omit<ComponentProps<typeof TextArea>, 'value' | 'aside' | 'ref' | 'onChange'> {
  value: string;
  onChange: (text: string) => void;
}

export function WordsField({ value, onChange, ...field }: WordsProps) {
  const page = useWholePage();
  const area = useRef<HTMLTextAreaElement>(null);
  // Counting a book takes a moment, and typing must not wait for it.
  const counted = useDeferredValue(value);
  const count = useMemo(() => countWords(counted), [counted]);
  return (
    <div className="grid grid-cols-1 gap-1">
      <TextArea
        {...field}
        ref={area}
        value={value}
        onChange={(event) => onChange(event.target.value)}
        isPage={page?.isWhole ?? false}
        aside={count === 0 ? undefined : `${count.toLocaleString('en-GB')} ${count === 1 ? 'word' : 'words'}`}
      />
      {page && (
        <div>
          <Button
            tone="caps"
            onClick={() => {
              page.change(!page.isWhole);
              area.current?.focus();
            }}
          >
            {page.isWhole ? 'Back to the form' : 'Write on the whole page'}
          </Button>
        </div>
      )}
    </div>
  );
}
