// What somebody who is signed in finds where there is no screen for them.

import { SiteNav } from '../../shell/site-nav.tsx';
import { Shell } from '../../ui/page.tsx';
import { NotFoundPage } from './page.tsx';

export default function Wall() {
  return (
    <Shell nav={<SiteNav />}>
      <title>404: no such chamber · Latebra</title>
      <NotFoundPage />
    </Shell>
  );
}
