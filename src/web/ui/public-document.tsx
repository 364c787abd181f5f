// A document of plain words for everybody who comes: a head, a heading, the words, a foot. It needs no script.
import type { ReactNode } from 'react';
import { type NavLink, PublicNav } from './nav.tsx';
import { Page, Shell } from './page.tsx';

interface PublicDocumentProps {
  title: string;
  lead: ReactNode;
  /** The document beside it. */
  other: NavLink;
  children: ReactNode;
}

export function PublicDocument({ title, lead, other, children }: PublicDocumentProps) {
  return (
    <Shell nav={<PublicNav links={[other]} />} after={<Foot />}>
      <Page title={title} lead={lead}>
        {children}
      </Page>
    </Shell>
  );
}

function Foot() {
  return (
    <footer className="border-t border-line/70">
      <div className="wrap flex flex-wrap items-baseline justify-between gap-x-16 gap-y-4 py-10">
        <p className="text-small text-shade">This page comes from this server alone.</p>
        <a className="caps py-1 text-dust underline-offset-8 hover:text-bone hover:underline" href="/">
          Start page
        </a>
      </div>
    </footer>
  );
}
