// The page of a chamber: the navigation of signed-in pages, the title of the window, the heading.
import type { ComponentProps, ReactNode } from 'react';
import { Page, Shell } from '../../ui/page.tsx';
import { SiteNav } from './site-nav.tsx';

interface ChamberProps extends ComponentProps<typeof Page> {
  title: string;
  /** What stands over the page: its dialogs. */
  dialogs?: ReactNode;
}

export function Chamber({ dialogs, ...page }: ChamberProps) {
  return (
    <Shell nav={<SiteNav />}>
      <title>{`${page.title} · Latebra`}</title>
      <Page {...page} />
      {dialogs}
    </Shell>
  );
}
