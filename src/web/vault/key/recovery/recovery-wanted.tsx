// Asks for the recovery methods that are not there yet, above the doors of the dashboard.
import { useState } from 'react';
import { countRecoveryMethods, INSIST_FROM_ENTRIES } from '../../../../shared/nouns/recovery-methods.ts';
import { Button } from '../../../ui/button.tsx';
import { useVault } from '../../session/vault-context.ts';
import { RecoveryMethods } from './recovery-methods.tsx';

/** Asks for two recovery methods; once enough has been sealed to be lost, it comes first and has to be put aside each time. */
export default function RecoveryWanted({ entries }: { entries: number }) {
  const { user } = useVault();
  const [aside, setAside] = useState(false);
  const ways = countRecoveryMethods(user);
  if (aside) return null;
  const none = ways === 0;
  const insists = entries >= INSIST_FROM_ENTRIES;
  const lost =
    ways === 0
      ? 'If this browser forgets your key, nothing can bring your words back.'
      : 'One recovery method can be lost. Two are rarely lost together.';
  return (
    <section
      aria-labelledby="ways-back"
      className={`mb-10 border bg-ink-1 px-5 py-7 sm:px-8 ${none ? 'border-l-4 border-blood' : insists ? 'border-ember' : 'border-line'}`}
    >
      {none && <p className="caps mb-3 text-blood">Urgent: no recovery method yet</p>}
      <h2 id="ways-back" className="font-display text-heading">
        {insists ? 'Before you seal more' : 'Recovery: your ways back'}
      </h2>
      <p className="mt-2 mb-6 max-w-prose text-dust">
        {lost} Keep at least two of these{ways === 1 ? '; you have one' : ''}.
        {insists && ` You have sealed ${entries} entries already.`}
      </p>
      <RecoveryMethods />
      {insists && (
        <p className="mt-5">
          <Button tone="caps" onClick={() => setAside(true)}>
            I may lose everything. Not now
          </Button>
        </p>
      )}
    </section>
  );
}
