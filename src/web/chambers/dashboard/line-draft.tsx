// Keeps what stands in the dashboard's line as a draft, sealed into this browser, and brings it back after a reload.
import { type RefObject, useEffect, useRef } from 'react';
import { LINE_DRAFT } from '../../vault/entries/begun.ts';
import { useDraft } from '../../vault/entries/use-draft.ts';

interface LineDraftProps {
  field: RefObject<HTMLTextAreaElement | null>;
  /** Is told how to name the slot that the words are kept in. */
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
  slot.current = slotOfLine;

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
