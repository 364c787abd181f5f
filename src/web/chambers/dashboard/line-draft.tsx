// Keeps what stands in the dashboard's line as a draft, sealed into this browser, and brings it back after a reload.
import { type RefObject, useEffect, useRef } from 'react';
import { LINE_DRAFT } from '../../vault/entries/begun.ts';
import { useDraft } from '../../vault/entries/use-draft.ts';

interface LineDraftProps {
  field: RefObject<HTMLTextAreaElement | null>;
  /** Is told how the words leave: it names the slot that they are kept in, and keeps none where they have none yet. */
  slot: RefObject<() => string | null>;
}

/**
 * Puts what was kept before what was typed meanwhile, in the field itself: a letter that is typed a moment later finds both there.
 * @returns both
 */
function bringBack(line: HTMLTextAreaElement | null, kept: string): string {
  if (!line || kept === '') return line?.value ?? kept;
  const { value, selectionStart, selectionEnd } = line;
  const before = value === '' ? kept : `${kept} `;
  line.value = before + value;
  if (line === document.activeElement)
    line.setSelectionRange(before.length + selectionStart, before.length + selectionEnd);
  return line.value;
}

export default function LineDraft({ field, slot }: LineDraftProps) {
  const draft = useDraft(LINE_DRAFT, '', (kept) => bringBack(field.current, kept));
  const latest = useRef(draft);
  latest.current = draft;
  slot.current = () => {
    const { set, drop, slot: slotOfLine } = latest.current;
    const name = slotOfLine();
    // Else they would be kept here as well, once there is one.
    if (name === null) {
      if (field.current) field.current.value = '';
      set('');
      drop();
    }
    return name;
  };

  useEffect(() => {
    const line = field.current;
    function hear() {
      latest.current.set(line?.value ?? '');
      if (line?.value === '') latest.current.drop();
    }
    line?.addEventListener('input', hear);
    return () => line?.removeEventListener('input', hear);
  }, [field]);
  return null;
}
