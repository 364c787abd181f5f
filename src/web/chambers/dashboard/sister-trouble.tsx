// What is wrong with the sisters of letters, on the desk. It is told by what this device remembers of them alone: the home server
// is asked nothing for it, and knows nothing of it.
import type { OpenedScroll } from '../../../vault/legacy/scroll-list.ts';
import {
  keyOf,
  readMemory,
  type Trouble,
  troubleOf,
  wasMissed,
} from '../../../vault/legacy/sister-memory.ts';
import { keptSistersOf } from '../../../vault/legacy/with-sisters.ts';
import { ButtonLink } from '../../ui/button.tsx';
import { readSisterMemory } from '../../vault/legacy/sister-device.ts';
import { troubleWords } from '../../vault/legacy/sister-trouble-words.ts';
import { useVault } from '../../vault/session/vault-context.ts';
import { Aside } from './aside.tsx';
import { LetterName } from './letter-name.tsx';

const MOST = 3;

interface Troubled {
  scroll: OpenedScroll;
  sisters: { origin: string; trouble: Trouble }[];
}

/** Letters of which a sister is not as its author left it. `now` in epoch milliseconds. */
function troubledOf(scrolls: readonly OpenedScroll[], written: string | null, now: number): Troubled[] {
  const memory = readMemory(written);
  return scrolls.flatMap((scroll) => {
    const kept = keptSistersOf(scroll);
    if (!kept || scroll.sealId === null) return [];
    const at = { sealId: scroll.sealId, round: kept.round };
    const sisters = kept.of.flatMap((sister) => {
      const remembered = memory.get(keyOf(at, sister));
      const trouble = troubleOf(remembered, kept, now);
      // Whoever comes back after long has not tried yet: the sign that is given now may reach it.
      const isKnown = trouble !== 'unreached' || (remembered && wasMissed(remembered));
      return trouble && isKnown ? [{ origin: sister.origin, trouble }] : [];
    });
    return sisters.length > 0 ? [{ scroll, sisters }] : [];
  });
}

export function SisterTrouble({ scrolls, now }: { scrolls: readonly OpenedScroll[]; now: number }) {
  const { user } = useVault();
  const troubled = troubledOf(scrolls, readSisterMemory(user.id), now);
  if (troubled.length === 0) return null;
  return (
    <Aside title="Trouble with sisters" tone="text-blood">
      {troubled.slice(0, MOST).map(({ scroll, sisters }) => (
        <div key={scroll.id} className="grid w-full min-w-0 gap-2">
          <LetterName scroll={scroll} />
          {sisters.map(({ origin, trouble }) => (
            <p key={origin} className="text-note wrap-anywhere text-dust">
              {new URL(origin).host}: {troubleWords[trouble]}
            </p>
          ))}
        </div>
      ))}
      <ButtonLink to="/legacy-scroll" tone="caps-lit">
        {troubled.length > MOST ? `All ${troubled.length} such letters` : 'To the letters'}
      </ButtonLink>
    </Aside>
  );
}
