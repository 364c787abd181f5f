// The shadow, for whoever has decoded the first string: a breath to hold, a phrase to say, and the second scroll.
import { useEffect, useState } from 'react';
import { Redirect } from 'wouter';
import type { Revealed } from '../../../shared/nouns/game.ts';
import { setFlag, useFlag } from '../../game/flags.ts';
import { Chamber } from '../../shell/chamber.tsx';
import { toast } from '../../ui/toaster.tsx';
import { BreathCard } from './breath-card.tsx';
import { ShadowScroll } from './shadow-scroll.tsx';
import { useBreath } from './use-breath.ts';
import { VerifyCard } from './verify-card.tsx';

export default function ShadowPage() {
  return useFlag('phase2Decoded') ? <Shadow /> : <Redirect to="/black-scroll" replace />;
}

function Shadow() {
  const wasHere = useFlag('shadowAccessed');
  const [revealed, setRevealed] = useState<Revealed | null>(null);
  const breathing = useBreath(() =>
    toast({
      title: 'Shadow Chamber Unlocked',
      description: 'Your breath has slowed. The deeper vault awakens.',
    }),
  );

  // The scroll stands below what was pressed.
  useEffect(() => {
    if (revealed) document.getElementById('scroll')?.focus();
  }, [revealed]);

  function reveal(found: Revealed) {
    setRevealed(found);
    setFlag('shadowAccessed');
    toast({ title: 'Shadow Scroll Revealed', description: 'You have proven your worth as a seeker' });
  }

  const isOpen = revealed !== null || wasHere || breathing.breath.phase === 'unlocked';
  return (
    <Chamber
      title="The shadow"
      eyebrow="Phase 2"
      lead="What a scroll leaves on the wall when it is held before a lamp. Two ways lead behind it: a breath that has slowed, and a phrase."
    >
      <div className="grid gap-8">
        <div className="grid items-start gap-8 md:grid-cols-2">
          <BreathCard breathing={breathing} />
          <VerifyCard onRevealed={reveal} />
        </div>
        {isOpen && <ShadowScroll revealed={revealed} />}
      </div>
    </Chamber>
  );
}
