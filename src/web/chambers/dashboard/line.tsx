// The line to write in. It is there with the first view, so it does without the code that seals: what keeps it as a draft
// comes a moment later, and what was typed until then is in the field, also what was typed before the app had come.
import {
  type KeyboardEvent,
  type SubmitEvent,
  useEffect,
  useEffectEvent,
  useLayoutEffect,
  useRef,
} from 'react';
import { putEarlyWords } from '../../early-words.ts';
import { preloadScreen } from '../../screen.tsx';
import { useStep } from '../../ui/came-from.ts';
import { later } from '../../ui/later.tsx';
import { handOver } from '../../vault/entries/begun.ts';
import { useVault } from '../../vault/session/vault-context.ts';
import { LineFields } from './desk.tsx';

const LineDraft = later(() => import('./line-draft.tsx'));
const FORM = '/memory-vault/new';

export function Line() {
  const vault = useVault();
  const step = useStep();
  const field = useRef<HTMLTextAreaElement>(null);
  const slot = useRef<() => string | null>(() => null);

  useLayoutEffect(() => putEarlyWords(field.current), []);
  const take = () => handOver(vault, { words: field.current?.value.trim() ?? '', slot: slot.current() });
  const takeAlong = useEffectEvent(take);
  useEffect(() => {
    // Whoever presses "Write" in the head means what was begun here, too.
    const hear = ({ target }: Event) => {
      if (target instanceof Element && target.closest(`a[href="${FORM}"]`)) takeAlong();
    };
    document.addEventListener('click', hear, true);
    return () => document.removeEventListener('click', hear, true);
  }, []);

  function open(event: SubmitEvent) {
    event.preventDefault();
    take();
    step(FORM);
  }

  function hearEnter(event: KeyboardEvent<HTMLTextAreaElement>) {
    if (event.key !== 'Enter' || event.shiftKey || event.nativeEvent.isComposing) return;
    event.preventDefault();
    event.currentTarget.form?.requestSubmit();
  }

  return (
    <form onSubmit={open} onFocus={() => preloadScreen(FORM)}>
      <LineFields field={field} onKeyDown={hearEnter} />
      <LineDraft field={field} slot={slot} />
    </form>
  );
}
