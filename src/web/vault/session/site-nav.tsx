// The navigation of signed-in pages, and the question that leaving asks.
import { type MouseEvent, useState } from 'react';
import { later } from '../../ui/later.tsx';
import { ChamberNav } from '../../ui/nav.tsx';

const LeaveDialog = later(() => import('./leave-dialog.tsx'));

export function SiteNav() {
  const [leaving, setLeaving] = useState(false);
  function ask(event: MouseEvent) {
    // A new tab or window was asked for: the plain link does that.
    if (event.metaKey || event.ctrlKey || event.shiftKey || event.button !== 0) return;
    event.preventDefault();
    setLeaving(true);
  }
  return (
    <>
      <ChamberNav onLeave={ask} />
      {leaving && <LeaveDialog onClose={() => setLeaving(false)} />}
    </>
  );
}
