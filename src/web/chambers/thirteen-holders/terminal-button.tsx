// The button that opens the terminal, which is fetched when it is first pressed.
import { type ComponentType, useState } from 'react';
import { useLocation } from 'wouter';
import type { ScreenPath } from '../../../shared/screens.ts';
import { useAttempt } from '../../hooks/use-attempt.ts';
import { Button } from '../../ui/button.tsx';
import { Problem } from '../../ui/problem.tsx';

type TerminalModule = {
  default: ComponentType<{ open: boolean; onClose: () => void; visit: (path: ScreenPath) => void }>;
};

const fetchTerminal = (): Promise<TerminalModule> => import('../../terminal/terminal.tsx');

/** @param load fetches the terminal; where it cannot be fetched the page stays, and the next press tries again */
export function TerminalButton({ load = fetchTerminal }: { load?: () => Promise<TerminalModule> }) {
  const [, navigate] = useLocation();
  const [module, setModule] = useState<TerminalModule | null>(null);
  const [open, setOpen] = useState(false);
  const { busy, problem, run } = useAttempt(() => 'The terminal could not be loaded. Please try again.');

  async function show(): Promise<void> {
    await run(async () => {
      setModule(module ?? (await load()));
      setOpen(true);
    });
  }

  return (
    <>
      <Button className="font-machine! text-body!" busy={busy} onClick={() => void show()}>
        thirteen.sh
      </Button>
      <Problem>{problem}</Problem>
      {module && <module.default open={open} onClose={() => setOpen(false)} visit={navigate} />}
    </>
  );
}
