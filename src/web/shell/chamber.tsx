// The page of a chamber: the head of the page, the title of the window, the heading.
import type { ComponentProps, ReactNode } from 'react';
import { Page, Shell } from '../ui/page.tsx';
import { PageNav } from './page-nav.tsx';

interface ChamberProps extends ComponentProps<typeof Page> {
  title: string;
  /** What stands over the page: its dialogs. */
  dialogs?: ReactNode;
}

export function Chamber({ dialogs, ...page }: ChamberProps) {
  return (
    <Shell nav={<PageNav />}>
      <title>{`${page.title} · Latebra`}</title>
      <Page {...page} />
      {dialogs}
    </Shell>
  );
}
