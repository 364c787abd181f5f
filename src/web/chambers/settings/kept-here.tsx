// How much this browser keeps of the vault, and whether it has promised not to erase it by itself.
import { useEffect, useState } from 'react';
import { formatBytes } from '../../../shared/nouns/usage.ts';
import { Button } from '../../ui/button.tsx';
import { Section } from '../../ui/section.tsx';
import { toast } from '../../ui/toaster.tsx';

/** What the browser says; null for what it does not. Sizes are in bytes, and rounded by the browser. */
interface KeptHere {
  used: number | null;
  room: number | null;
  isPromised: boolean | null;
}

async function look(): Promise<KeptHere> {
  const [estimate, isPromised] = await Promise.all([
    navigator.storage?.estimate?.().catch(() => null),
    navigator.storage?.persisted?.().catch(() => null),
  ]);
  return {
    used: estimate?.usage ?? null,
    room: estimate?.quota ?? null,
    isPromised: isPromised ?? null,
  };
}

const PROMISES = {
  true: 'This browser has promised to keep it until you leave, or clear it yourself.',
  false:
    'This browser may erase it when its disk is full, and Safari after seven days without a visit. What is in your vault is fetched again; what waits to be sent would be lost.',
};

export function KeptHere() {
  const [kept, setKept] = useState<KeptHere | null>(null);
  useEffect(() => void look().then(setKept), []);
  if (kept === null || (kept.used === null && kept.isPromised === null)) return null;
  const { used, room, isPromised } = kept;

  async function ask() {
    const promised = await navigator.storage.persist().catch(() => false);
    setKept(await look());
    if (!promised)
      toast({
        title: 'Not promised',
        description: 'Browsers promise it to apps that are installed, or visited often.',
      });
  }

  return (
    <Section title="Kept in this browser" says="The app, and what it keeps of your vault, sealed.">
      {used !== null && (
        <p>
          {formatBytes(used)}
          {room !== null && ` of ${formatBytes(room)} that this browser would give it`}.
        </p>
      )}
      {isPromised !== null && <p>{PROMISES[`${isPromised}`]}</p>}
      {isPromised === false && (
        <div>
          <Button onClick={() => void ask()}>Ask it to keep it</Button>
        </div>
      )}
    </Section>
  );
}
