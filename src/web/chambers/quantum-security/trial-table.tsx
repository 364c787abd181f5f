// The trial's button, and what came of each step.
import { useState } from 'react';
import { Badge } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { runTrial, type Step } from './trial.ts';

export function Trial() {
  const [steps, setSteps] = useState<Step[]>([]);
  const [state, setState] = useState<'not yet' | 'running' | 'done' | 'broken'>('not yet');

  async function run() {
    setSteps([]);
    setState('running');
    try {
      await runTrial(
        (step) => setSteps((before) => [...before, step]),
        () => performance.now(),
      );
      setState('done');
    } catch {
      setState('broken');
    }
  }

  const failed = steps.filter(({ holds }) => !holds).length;
  return (
    <div className="grid justify-items-start gap-6">
      <Button busy={state === 'running'} busyLabel="Proving..." onClick={() => void run()}>
        {state === 'not yet' ? 'Prove it' : 'Prove it again'}
      </Button>
      <p role="status" className={state === 'not yet' || state === 'running' ? 'sr-only' : ''}>
        {state === 'running' && 'The trial is running.'}
        {state === 'done' &&
          (failed === 0
            ? `All ${steps.length} held, in this browser, just now.`
            : `${failed} of ${steps.length} did not hold. Do not seal anything in this browser.`)}
        {state === 'broken' && 'The trial could not be loaded. Check your connection and try again.'}
      </p>
      {steps.length > 0 && (
        <ol className="grid w-full border-t border-line/70">
          {steps.map(({ name, says, holds, took }) => (
            <li
              key={name}
              className="grid gap-x-8 gap-y-1 border-b border-line/70 py-4 sm:grid-cols-[min(12rem,30%)_minmax(0,1fr)_auto]"
            >
              <span className="font-display text-name font-medium">{name}</span>
              <span className="text-note text-dust">
                {says} <span className="whitespace-nowrap text-shade">{took.toFixed(1)} ms</span>
              </span>
              <Badge variant={holds ? 'open' : 'danger'}>{holds ? 'Held' : 'Did not hold'}</Badge>
            </li>
          ))}
        </ol>
      )}
    </div>
  );
}
