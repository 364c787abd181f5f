// The bones of a screen: the shell around it, the page with its heading, and the quiet room for one thing at a time.
import { type ReactNode, useRef } from 'react';
import { useArrival } from './arrival.tsx';
import { classes } from './classes.ts';
import { Sigil, type SigilName } from './sigil.tsx';

/** Navigation above, one `main` below, a foot `after` it, and a link past the first for those who go by keyboard. */
export function Shell({ nav, after, children }: { nav?: ReactNode; after?: ReactNode; children: ReactNode }) {
  return (
    <div className="flex min-h-page flex-col">
      <a
        href="#main"
        className="caps fixed top-3 left-3 z-50 -translate-y-24 border border-ember bg-ink-1 px-4 py-3 text-ember focus:translate-y-0"
      >
        Skip to content
      </a>
      {nav && <header>{nav}</header>}
      <main id="main" tabIndex={-1} className="flex flex-1 flex-col">
        {children}
      </main>
      {after}
    </div>
  );
}

interface PageProps {
  /** Small capitals over the title. */
  eyebrow?: ReactNode;
  title: ReactNode;
  /** A sentence under the title. */
  lead?: ReactNode;
  /** At the title's right: the one thing to do here. */
  action?: ReactNode;
  children?: ReactNode;
}

/** A chamber's page: heading, then whatever it holds. */
export function Page({ eyebrow, title, lead, action, children }: PageProps) {
  const heading = useArrival(typeof title === 'string' ? title : null);
  return (
    <div className="wrap pb-24">
      <header className="flex flex-wrap items-end justify-between gap-x-8 gap-y-6 pt-6 pb-6 sm:pt-10">
        <div className="min-w-0">
          {eyebrow && <p className="caps mb-4 text-dust">{eyebrow}</p>}
          <h1
            ref={heading}
            tabIndex={-1}
            className="font-display text-title font-light tracking-tight wrap-anywhere"
          >
            {title}
          </h1>
          {lead && <div className="mt-4 max-w-prose text-dust">{lead}</div>}
        </div>
        {action && <div className="flex flex-wrap gap-4 max-sm:w-full max-sm:*:grow">{action}</div>}
      </header>
      {children}
    </div>
  );
}

interface RoomProps {
  sigil?: SigilName;
  eyebrow?: ReactNode;
  title: ReactNode;
  lead?: ReactNode;
  /** `centre` for a gate, `start` for something to be written. */
  align?: 'centre' | 'start';
  width?: 'gate' | 'prose' | 'form';
  children?: ReactNode;
}

const roomWidths = { gate: 'max-w-gate', prose: 'max-w-prose', form: 'max-w-form' };

/** A dark room with one thing in it: the gate, a question, a seal to break. */
export function Room({ sigil, eyebrow, title, lead, align = 'centre', width = 'gate', children }: RoomProps) {
  const centred = align === 'centre';
  const room = useRef<HTMLElement>(null);
  const heading = useArrival(typeof title === 'string' ? title : null, room);
  return (
    <div className="candle-below grid flex-1 place-items-center px-5 py-12 sm:px-8">
      <section
        ref={room}
        className={classes(
          'grid w-full gap-6',
          roomWidths[width],
          centred && 'justify-items-center text-center',
        )}
      >
        {sigil && (
          <Sigil name={sigil} className={classes('text-ember', centred ? 'size-20' : '-ml-2 size-16')} />
        )}
        {eyebrow && <p className="caps text-dust">{eyebrow}</p>}
        <h1
          ref={heading}
          tabIndex={-1}
          className="font-display text-[min(3rem,11vw)]/[1.05] font-light tracking-tight wrap-anywhere"
        >
          {title}
        </h1>
        {lead && <div className="text-balance text-dust">{lead}</div>}
        {children}
      </section>
    </div>
  );
}
