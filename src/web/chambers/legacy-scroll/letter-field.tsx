// The field of a scroll's letter: it counts the words, and can have the whole page. A dialog grows with it; the form of a
// new scroll is no dialog, so that its letter has one of its own meanwhile.
import { type ComponentProps, useRef, useState } from 'react';
import { Dialog } from '../../ui/dialog.tsx';
import { useWholePage, WholePageContext } from '../../ui/whole-page.ts';
import { WordsField } from '../../ui/words-field.tsx';

type FieldProps = ComponentProps<typeof WordsField>;

export function LetterField(field: FieldProps) {
  const isInDialog = useWholePage() !== null;
  const [isWhole, change] = useState(false);
  if (isInDialog) return <WordsField {...field} />;
  return (
    <>
      <WholePageContext value={{ isWhole: false, change }}>
        <WordsField {...field} />
      </WholePageContext>
      {isWhole && (
        <WholePageContext value={{ isWhole: true, change }}>
          <LetterPage {...field} onClose={() => change(false)} />
        </WholePageContext>
      )}
    </>
  );
}

function LetterPage({ onClose, ...field }: FieldProps & { onClose: () => void }) {
  const page = useRef<HTMLDivElement>(null);
  function goOnWriting() {
    const area = page.current?.querySelector('textarea');
    area?.setSelectionRange(area.value.length, area.value.length);
    return area;
  }
  return (
    <Dialog open size="page" title="A new letter" onClose={onClose} focusFirst={goOnWriting}>
      <div ref={page} className="contents">
        {/* What sends the form leaves the page. */}
        <WordsField {...field} onKeyDown={(event) => sends(event) && onClose()} />
      </div>
    </Dialog>
  );
}

const sends = ({ key, ctrlKey, metaKey }: { key: string; ctrlKey: boolean; metaKey: boolean }) =>
  key === 'Enter' && (ctrlKey || metaKey);
