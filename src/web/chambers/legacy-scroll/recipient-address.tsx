// Whom a scroll is for, as people compare it: figures that stand on the line, a vault's address in groups of four.
import { Fragment } from 'react';
import { inFours } from '../../../shared/in-fours.ts';
import type { ScrollRecipient } from '../../../shared/nouns/scroll-recipients.ts';
import type { OpenedScroll } from '../../../vault/legacy/scroll-list.ts';

/** All of them, in a sentence. */
export function RecipientAddresses({ scroll: { recipients, names } }: { scroll: OpenedScroll }) {
  return recipients.map((recipient, i) => (
    <Fragment key={recipient.id}>
      {i === 0 ? '' : i === recipients.length - 1 ? ' and ' : ', '}
      <RecipientAddress recipient={recipient} name={names.get(recipient.publicId)} withinSentence />
    </Fragment>
  ));
}

interface RecipientAddressProps {
  recipient: Pick<ScrollRecipient, 'recipientType' | 'recipientAddress'>;
  /** What their author calls them. */
  name: string | undefined;
  /** Where it begins no sentence. */
  withinSentence?: boolean;
}

export function RecipientAddress({ recipient, name, withinSentence = false }: RecipientAddressProps) {
  const { recipientType, recipientAddress } = recipient;
  if (name !== undefined && recipientType === 'card') return <bdi className="wrap-anywhere">{name}</bdi>;
  // In a sentence that names several, a comma would make two people of one.
  const [before, after] = withinSentence ? [' (', ')'] : [', ', ''];
  if (name !== undefined)
    return (
      <>
        <bdi className="wrap-anywhere">{name}</bdi>
        {before}
        <Address {...recipient} />
        {after}
      </>
    );
  if (recipientType === 'card') return <span>{withinSentence ? 'whoever' : 'Whoever'} has the key card</span>;
  return <Address recipientType={recipientType} recipientAddress={recipientAddress} />;
}

function Address({ recipientType, recipientAddress }: RecipientAddressProps['recipient']) {
  return recipientType === 'whisper' ? (
    <span className="font-machine text-[0.85em] normal-nums wrap-anywhere">{inFours(recipientAddress)}</span>
  ) : (
    <span className="lining-nums wrap-anywhere">{recipientAddress}</span>
  );
}
