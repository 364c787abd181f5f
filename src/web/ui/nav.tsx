// The two navigations: for visitors, and for members. "Leave" is a plain link, as leaving is the
// server's work. The public one needs no script: it is rendered ahead of time.
import { type MouseEvent, type ReactNode, useId, useState } from 'react';
import { Link, useLocation } from 'wouter';
import { classes } from './classes.ts';
import { Sigil } from './sigil.tsx';

/** One link: `to` a screen of the app, or `href` of a document. */
export type NavLink = { label: string } & ({ to: string; href?: never } | { href: string; to?: never });

const LEAVE = '/api/logout';

const word = 'caps py-2 underline-offset-8 transition-colors hover:underline';

function Home({ href, inApp = false }: { href: string; inApp?: boolean }) {
  const name =
    'mr-auto inline-flex items-center gap-3 py-1 font-display text-[1.375rem]/none font-medium tracking-[0.06em]';
  const inside = (
    <>
      <Sigil name="mark" className="size-7" />
      Latebra
    </>
  );
  return inApp ? (
    <Link href={href} className={name}>
      {inside}
    </Link>
  ) : (
    <a href={href} className={name}>
      {inside}
    </a>
  );
}

/** For visitors: the product's name, links, and the way in. On narrow screens the links fold, without any script. */
export function PublicNav({ links = [], enter = '/api/login' }: { links?: NavLink[]; enter?: string }) {
  const items = links.map((link) => (
    <a key={link.label} href={link.href ?? link.to} className={classes(word, 'text-dust hover:text-bone')}>
      {link.label}
    </a>
  ));
  return (
    <nav aria-label="Latebra" className="wrap relative flex items-center gap-6 py-5 sm:gap-10 sm:py-6.5">
      <Home href="/" />
      {items.length > 0 && (
        <>
          <div className="flex gap-10 max-sm:hidden">{items}</div>
          <details className="group order-last sm:hidden">
            <summary className="grid size-11 cursor-pointer list-none place-items-center [&::-webkit-details-marker]:hidden">
              <span className="sr-only">More</span>
              <Sigil name="menu" className="size-6 group-open:hidden" />
              <Sigil name="close" className="hidden size-6 group-open:block" />
            </summary>
            <div className="absolute inset-x-0 top-full z-30 grid gap-2 border-y border-line bg-ink-1 px-5 py-4">
              {items}
            </div>
          </details>
        </>
      )}
      <a href={enter} className={classes(word, 'text-ember')}>
        Enter
      </a>
    </nav>
  );
}

/** For those within: home, further links, Sacred Settings, and the way out. Folds behind one button when narrow. */
export function ChamberNav(props: {
  links?: NavLink[];
  aside?: ReactNode;
  /** May take the press on "Leave" to ask something first; without it the link is followed. */
  onLeave?: (event: MouseEvent) => void;
}) {
  const { links = [], aside, onLeave } = props;
  const [here] = useLocation();
  const [unfolded, setUnfolded] = useState(false);
  const menu = useId();
  const all: NavLink[] = [
    ...links,
    { label: 'Sacred Settings', to: '/settings' },
    { label: 'Leave', href: LEAVE },
  ];
  return (
    <nav aria-label="Chambers" className="wrap relative flex items-center gap-6 py-5 sm:gap-10 sm:py-6.5">
      <Home href="/" inApp />
      {aside}
      <button
        type="button"
        className="grid size-11 cursor-pointer place-items-center sm:hidden"
        aria-expanded={unfolded}
        aria-controls={menu}
        aria-label={unfolded ? 'Close the menu' : 'Open the menu'}
        onClick={() => setUnfolded(!unfolded)}
      >
        <Sigil name={unfolded ? 'close' : 'menu'} className="size-6" />
      </button>
      <div
        id={menu}
        className={classes(
          'gap-x-10 gap-y-2 max-sm:absolute max-sm:inset-x-0 max-sm:top-full max-sm:z-30 max-sm:border-y max-sm:border-line max-sm:bg-ink-1 max-sm:px-5 max-sm:py-4 sm:flex',
          unfolded ? 'grid' : 'max-sm:hidden',
        )}
      >
        {all.map((link) =>
          link.to === undefined ? (
            <a
              key={link.label}
              href={link.href}
              className={classes(word, 'text-dust hover:text-bone')}
              onClick={link.href === LEAVE ? onLeave : undefined}
            >
              {link.label}
            </a>
          ) : (
            <Link
              key={link.label}
              href={link.to}
              aria-current={here === link.to ? 'page' : undefined}
              className={classes(word, here === link.to ? 'text-bone' : 'text-dust hover:text-bone')}
              onClick={() => setUnfolded(false)}
            >
              {link.label}
            </Link>
          ),
        )}
      </div>
    </nav>
  );
}
