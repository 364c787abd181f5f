// Keeps what stands in the dashboard's line as a draft, sealed into this browser, and brings it back after a reload.
import { type RefObject, useEffect, useRef } from 'react';
import { LINE_DRAFT } from '../../vault/entries/begun.ts';
import { useDraft } from '../../vault/entries/use-draft.ts';

interface LineDraftProps {
  field: RefObject<HTMLTextAreaElement | null>;
  /** Is told how the words leave: it names the slot that they are kept in, and keeps none where they have none yet. */
  slot: RefObject<() => string | null>;
}

export default function LineDraft({ field, slot }: LineDraftProps) {
  // What was typed before this code was here follows what is brought back.
  const {
    value: text,
    set: setText,
    drop,
    slot: slotOfLine,
  } = useDraft(
    LINE_DRAFT,
    '',
    field.current?.value ? (kept) => [kept, field.current?.value].filter(Boolean).join(' ') : undefined,
  );
  const keep = useRef({ setText, drop });
  keep.current = { setText, drop };
  slot.current = () => {
    const name = slotOfLine();
    // Else they would be kept here as well, once there is one.
    if (name === null) {
      setText('');
      drop();
    }
    return name;
  };

  useEffect(() => {
    if (field.current && field.current.value !== text) field.current.value = text;
  }, [field, text]);

  useEffect(() => {
    const line = field.current;
    function hear() {
      keep.current.setText(line?.value ?? '');
      if (line?.value === '') keep.current.drop();
    }
    line?.addEventListener('input', hear);
    return () => line?.removeEventListener('input', hear);
  }, [field]);
  return null;
}
