// Whom a scroll is for, as people compare it: figures that stand on the line, a vault's address in groups of four.
import type { Scroll } from '../../../shared/nouns/legacy.ts';
import { inFours } from '../../ui/in-fours.ts';

interface RecipientAddressProps {
  scroll: Pick<Scroll, 'recipientType' | 'recipientAddress'>;
  /** Not within a sentence. */
  alone?: boolean;
}

export function RecipientAddress({ scroll, alone = false }: RecipientAddressProps) {
  const { recipientType, recipientAddress } = scroll;
  if (recipientType === 'card') return <span>{alone ? 'Whoever' : 'whoever'} has the key card</span>;
  return recipientType === 'whisper' ? (
    <span className="font-machine text-[0.85em] normal-nums wrap-anywhere">{inFours(recipientAddress)}</span>
  ) : (
    <span className="lining-nums wrap-anywhere">{recipientAddress}</span>
  );
}
