// What of the dashboard is the same for everybody. It draws alone, so that it also stands in the document before the app has come
// (document.tsx).
import type { KeyboardEventHandler, ReactNode, Ref } from 'react';
import { Button } from '../../ui/button.tsx';

export const TITLE = 'The chambers';

export function Desk({ heading, children }: { heading?: Ref<HTMLHeadingElement>; children: ReactNode }) {
  return (
    <div className="wrap pb-24">
      <h1 ref={heading} tabIndex={-1} className="caps pt-8 pb-8 text-dust">
        {TITLE}
      </h1>
      {children}
    </div>
  );
}

interface LineFieldsProps {
  field?: Ref<HTMLTextAreaElement>;
  onKeyDown?: KeyboardEventHandler<HTMLTextAreaElement>;
  /** Its button waits for the app. */
  isWaiting?: boolean;
}

/** The line to write in, and what opens a form with its words. */
export function LineFields({ field, onKeyDown, isWaiting = false }: LineFieldsProps) {
  return (
    <>
      <textarea
        ref={field}
        rows={1}
        dir="auto"
        // A browser that filled in what stood here before a reload would add it to the draft of it.
        autoComplete="off"
        aria-label="Write a memory"
        placeholder="What should outlast today?"
        onKeyDown={onKeyDown}
        className="block max-h-[60dvh] w-full resize-none border-b border-edge pb-3 font-display text-title font-light placeholder:text-dust focus:border-ember focus:shadow-none focus:outline-hidden field-sizing-content"
      />
      <p className="mt-2 mb-10 flex flex-wrap items-baseline justify-between gap-x-6 text-note text-dust">
        Sealed in this browser before it leaves.
        <Button type="submit" tone="caps-lit" inert={isWaiting}>
          New Memory
        </Button>
      </p>
    </>
  );
}
