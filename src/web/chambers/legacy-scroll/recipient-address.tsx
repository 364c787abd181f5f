// Whom a scroll is for, as people compare it: figures that stand on the line, a vault's address in groups of four.
import { Fragment } from 'react';
import type { ScrollRecipient } from '../../../shared/nouns/scroll-recipients.ts';
import { inFours } from '../../ui/in-fours.ts';

type Addressed = Pick<ScrollRecipient, 'recipientType' | 'recipientAddress'>;

/** All of them, in a sentence. */
export function RecipientAddresses({ recipients }: { recipients: readonly (Addressed & { id: number })[] }) {
  return recipients.map((recipient, i) => (
    <Fragment key={recipient.id}>
      {i === 0 ? '' : i === recipients.length - 1 ? ' and ' : ', '}
      <RecipientAddress recipient={recipient} withinSentence />
    </Fragment>
  ));
}

interface RecipientAddressProps {
  recipient: Addressed;
  /** Where it begins no sentence. */
  withinSentence?: boolean;
}

export function RecipientAddress({ recipient, withinSentence = false }: RecipientAddressProps) {
  const { recipientType, recipientAddress } = recipient;
  if (recipientType === 'card') return <span>{withinSentence ? 'whoever' : 'Whoever'} has the key card</span>;
  return recipientType === 'whisper' ? (
    <span className="font-machine text-[0.85em] normal-nums wrap-anywhere">{inFours(recipientAddress)}</span>
  ) : (
    <span className="lining-nums wrap-anywhere">{recipientAddress}</span>
  );
}
