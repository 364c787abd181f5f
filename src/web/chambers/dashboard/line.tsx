// The line to write in. It is there with the first view, so it does without the code that seals: what keeps it as a draft
// comes a moment later, and what was typed until then is in the field.
import { type KeyboardEvent, type SubmitEvent, useEffect, useEffectEvent, useRef } from 'react';
import { preloadScreen } from '../../screen.tsx';
import { Button } from '../../ui/button.tsx';
import { useStep } from '../../ui/came-from.ts';
import { later } from '../../ui/later.tsx';
import { handOver } from '../../vault/entries/begun.ts';
import { useVault } from '../../vault/session/vault-context.ts';

const LineDraft = later(() => import('./line-draft.tsx'));
const FORM = '/memory-vault/new';

export function Line() {
  const vault = useVault();
  const step = useStep();
  const field = useRef<HTMLTextAreaElement>(null);
  const slot = useRef<() => string | null>(() => null);

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
      <textarea
        ref={field}
        rows={1}
        dir="auto"
        aria-label="Write a memory"
        placeholder="What should outlast today?"
        onKeyDown={hearEnter}
        className="block max-h-[60dvh] w-full resize-none border-b border-edge pb-3 font-display text-title font-light placeholder:text-dust focus:border-ember focus:shadow-none focus:outline-hidden field-sizing-content"
      />
      <p className="mt-2 mb-10 flex flex-wrap items-baseline justify-between gap-x-6 text-note text-dust">
        Sealed in this browser before it leaves.
        <Button type="submit" tone="caps-lit">
          New Memory
        </Button>
      </p>
      <LineDraft field={field} slot={slot} />
    </form>
  );
}
