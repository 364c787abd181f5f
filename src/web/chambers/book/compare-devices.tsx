// Comparing what two devices have seen, by four words that stand for a change and everything before it.
import { useState } from 'react';
import type { Pin } from '../../../crypto/book-entry.ts';
import type { PastEntry } from '../../../crypto/book-history.ts';
import { Section } from '../../ui/section.tsx';
import { TextField } from '../../ui/text-fields.tsx';
import { changeNumber } from '../../vault/book/finding-words.ts';
import { usePinWords } from '../../vault/book/use-pin-words.ts';

/** The four words of an entry. */
export function PinWords({ pin }: { pin: Pin }) {
  return <span className="font-machine wrap-anywhere">{usePinWords(pin)?.join(' ')}</span>;
}

interface CompareProps {
  head: Pin;
  /** The newest first. */
  past: readonly PastEntry[];
}

export function CompareDevices({ head, past }: CompareProps) {
  const [typed, setTyped] = useState('');
  return (
    <Section
      title="Compare two devices"
      says="Open this page on both. The same change has the same words on both, or they were shown different histories."
    >
      <div className="grid gap-2">
        <p className="label text-dust">C{changeNumber(head.n).slice(1)} on this device</p>
        <p className="text-[clamp(1.25rem,1rem+1.2vw,1.75rem)]/[1.3]">
          <PinWords pin={head} />
        </p>
      </div>
      <div className="grid max-w-form gap-4 sm:max-w-gate">
        <TextField
          label="Change number on the other device"
          hint="If it is another number: type it to see the words that belong to it here."
          inputMode="numeric"
          autoComplete="off"
          value={typed}
          onChange={(event) => setTyped(event.target.value)}
        />
        <div role="status">{typed.trim() !== '' && <Earlier typed={typed} head={head} past={past} />}</div>
      </div>
    </Section>
  );
}

function Earlier({ typed, head, past }: CompareProps & { typed: string }) {
  const n = Number(typed.replaceAll(/[\s,.]/g, ''));
  if (!Number.isSafeInteger(n) || n < 1) return <p className="text-dust">Type a number, such as 12.</p>;
  const found = n === head.n ? head : past.find((entry) => entry.n === n);
  if (found)
    return (
      <p>
        C{changeNumber(n).slice(1)} has the words <PinWords pin={found} />. If the other device shows others,
        this server shows your devices different histories.
      </p>
    );
  return (
    <p className="text-dust">
      {n > head.n
        ? `This device has seen ${changeNumber(head.n)} at most. Reload both pages. If the other device still shows a higher number, this server hides changes from this one.`
        : `The server no longer keeps ${changeNumber(n)}, or this device cannot read it. Type the number here into the other device.`}
    </p>
  );
}
