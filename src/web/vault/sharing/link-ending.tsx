// Where a link ends that opens nothing: the pages that are reached by one share it.
import type { ReactNode } from 'react';
import { ButtonLink } from '../../ui/button.tsx';
import { Room } from '../../ui/page.tsx';

interface LinkEndingProps {
  title: string;
  lead: string;
  children?: ReactNode;
}

export function LinkEnding({ title, lead, children }: LinkEndingProps) {
  return (
    <Room sigil="wall" width="prose" title={title} lead={lead}>
      {children}
      <ButtonLink href="/" tone="caps">
        To the start page of this server
      </ButtonLink>
    </Room>
  );
}
