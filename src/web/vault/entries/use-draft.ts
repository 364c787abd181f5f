// A form's value that survives a reload: sealed into this browser while it is written, and brought back once.
import { useCallback, useEffect, useRef, useState } from 'react';
import { olderKeys } from '../../../vault/keys/key-ring.ts';
import { useVault } from '../session/vault-context.ts';
import { dropDraft, keepDraft, loadDraft } from './drafts.ts';

const PAUSE = 400;

/**
 * Like `useState`, kept as a draft under `name`.
 * @param begin puts what was begun elsewhere into the value, or into the draft that is brought back; read once
 * @returns the value, its setter, how to drop the draft, and whether a draft was brought back
 */
export function useDraft<T>(
  name: string,
  initial: T | (() => T),
  begin?: (value: T) => T,
): [value: T, set: (value: T) => void, drop: () => void, restored: boolean] {
  const vault = useVault();
  const { user, contentKey } = vault;
  const [fresh] = useState(initial);
  const [begun] = useState(() => begin);
  const [value, setValue] = useState(() => begun?.(fresh) ?? fresh);
  const [restored, setRestored] = useState(false);
  const touched = useRef(false);
  const unsaved = useRef<{ value: T } | null>(null);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);

  const save = useCallback(() => {
    clearTimeout(timer.current);
    const waiting = unsaved.current;
    unsaved.current = null;
    if (waiting) void keepDraft(user.id, name, contentKey, waiting.value);
  }, [user.id, name, contentKey]);

  useEffect(() => {
    let gone = false;
    void loadDraft<T>(user.id, name, contentKey, () => olderKeys(vault)).then((draft) => {
      // Whoever has begun to write meanwhile must not see it overwritten.
      if (gone || touched.current) return;
      const found = draft ?? fresh;
      if (begun) {
        unsaved.current = { value: begun(found) };
        setValue(unsaved.current.value);
        save();
      } else if (draft !== null) setValue(draft);
      setRestored(draft !== null);
    });
    window.addEventListener('pagehide', save);
    return () => {
      gone = true;
      window.removeEventListener('pagehide', save);
      save();
    };
  }, [user.id, name, contentKey, vault, save, fresh, begun]);

  function set(next: T) {
    touched.current = true;
    setValue(next);
    unsaved.current = { value: next };
    clearTimeout(timer.current);
    timer.current = setTimeout(save, PAUSE);
  }

  function drop() {
    clearTimeout(timer.current);
    unsaved.current = null;
    dropDraft(user.id, name);
    setRestored(false);
  }

  return [value, set, drop, restored];
}
