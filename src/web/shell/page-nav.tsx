// The head of a page that visitors and members see alike: each gets their own.
import { useUser } from '../hooks/use-user.ts';
import { PublicNav } from '../ui/nav.tsx';
import { SiteNav } from './site-nav.tsx';

export function PageNav() {
  return useUser().data ? <SiteNav /> : <PublicNav enter="/enter" />;
}
