// The navigation of visitors. It needs no script: it is rendered ahead of time. That of members is chamber-nav.tsx.
import { Link } from 'wouter';
import { classes } from './classes.ts';
import { Sigil } from './sigil.tsx';

/** One link: `to` a screen of the app, or `href` of a document. */
export type NavLink = { label: string } & ({ to: string; href?: never } | { href: string; to?: never });

const word = 'caps py-2 underline-offset-8 transition-colors hover:underline';

/** The product's name, which leads home. @param inApp without loading a document */
export function Home({ href, inApp = false }: { href: string; inApp?: boolean }) {
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

/** Where nothing else is to be reached, the way home: the window of an installed app has no other one. */
export const HomeNav = () => (
  <nav aria-label="Latebra" className="wrap flex py-5">
    <Home href="/" />
  </nav>
);

/** For visitors: the product's name, links, and the way in. On narrow screens the links fold, without any script. */
export function PublicNav({ links = [], enter = '/api/login' }: { links?: NavLink[]; enter?: string }) {
  const items = links.map((link) => (
    <a key={link.label} href={link.href ?? link.to} className={classes(word, 'text-dust hover:text-bone')}>
      {link.label}
    </a>
  ));
  return (
    <nav
      aria-label="Latebra"
      className="wrap relative flex flex-wrap items-center gap-x-4 gap-y-2 py-5 sm:gap-10 sm:py-6.5"
    >
      <Home href="/" />
      {items.length > 0 && (
        <>
          <div className="flex gap-10 max-sm:hidden">{items}</div>
          <details className="group order-last -ml-2 sm:hidden">
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
