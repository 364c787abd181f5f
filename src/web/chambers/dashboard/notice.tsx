// A box above the chambers.
import type { ReactNode, Ref } from 'react';

interface NoticeProps {
  id: string;
  /** For what comes in the place of something that had the focus. */
  heading?: Ref<HTMLHeadingElement>;
  title: string;
  urgent?: boolean;
  action?: ReactNode;
  children: ReactNode;
}

/** A box above the chambers: what is to be known, and what can be done. */
export function Notice({ id, heading, title, urgent = false, action, children }: NoticeProps) {
  return (
    <section
      aria-labelledby={id}
      className={`mb-10 flex flex-wrap items-center justify-between gap-x-10 gap-y-5 border bg-ink-1 px-5 py-7 sm:px-8 ${urgent ? 'border-ember' : 'border-line'}`}
    >
      <div className="max-w-prose min-w-0">
        <h2 ref={heading} tabIndex={-1} id={id} className="font-display text-heading">
          {title}
        </h2>
        <div className="mt-2 grid gap-3 text-dust">{children}</div>
      </div>
      {action}
    </section>
  );
}
