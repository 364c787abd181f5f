// A key card to hand over: to be printed, scanned or copied. It carries the key of one letter and no word of it.
import { useEffect, useState } from 'react';
import { createPortal, flushSync } from 'react-dom';
import { inFours } from '../../../shared/in-fours.ts';
import type { ScrollRecipient } from '../../../shared/nouns/scroll-recipients.ts';
import { cardHolders, type ReadableScroll } from '../../../vault/legacy/scroll-list.ts';
import { cardLink } from '../../../vault/legacy/scrolls.ts';
import { Button } from '../../ui/button.tsx';
import { SelectField } from '../../ui/choice-fields.tsx';
import { CopyButton } from '../../ui/copy-button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Problem } from '../../ui/problem.tsx';
import { QrCode } from '../../ui/qr-code.tsx';
import { TextField } from '../../ui/text-fields.tsx';
import { isThisComputer } from '../../ui/this-computer.ts';
import { toast } from '../../ui/toaster.tsx';
import { isTold, named, recipientName } from './scroll-words.ts';
import type { Scrolls } from './use-scrolls.ts';

interface CardProps {
  /** As the list has it by now. */
  scroll: ReadableScroll;
  /** Deleted elsewhere while the card stood open. */
  gone: boolean;
  transports: Scrolls['transports'];
  /** Fetches the list: another tab or device may have made a new card meanwhile. */
  look: () => void;
  /** Leads on to the watch; absent where it watches already or was released. */
  onHandedOver?: (() => void) | undefined;
  /** Splits the key of this recipient's card among people; absent once it was released. */
  onSplit?: ((recipient: ScrollRecipient) => void) | undefined;
  onClose: () => void;
}

export function KeyCard({ scroll, gone, transports, look, onHandedOver, onSplit, onClose }: CardProps) {
  const [first] = useState(scroll.cards);
  const [atOnce] = useState(() => look);
  const [chosen, setChosen] = useState<string | null>(null);
  useEffect(atOnce, [atOnce]);
  const holders = cardHolders(scroll);
  const holder = holders.find(({ publicId }) => publicId === chosen) ?? holders[0];
  const key = holder && scroll.cards.get(holder.publicId);
  if (gone || !holder || !key) return <DeadCard onClose={onClose} />;
  const before = first.get(holder.publicId);
  const replaced = before !== undefined && before !== key;
  const name = scroll.names.get(holder.publicId);

  return (
    <Dialog
      open
      onClose={onClose}
      title={name ? `The key card for ${name}` : 'The key card'}
      description={
        holder.sheetsNeeded !== null ? undefined : (
          <>
            It opens {named(scroll)} once that is sent, and nothing before. Give it to the person who is to
            read it, and to nobody else: whoever holds it then can read the letter. If it is lost, you can
            show it again here.
          </>
        )
      }
      footer={
        <>
          <Button onClick={onClose}>{onHandedOver ? 'Later' : 'Done'}</Button>
          {onHandedOver && (
            <Button tone="primary" onClick={onHandedOver}>
              {holders.length > 1 ? 'I have handed them over' : 'I have handed it over'}
            </Button>
          )}
        </>
      }
    >
      <Problem>
        {replaced &&
          'This card was replaced by a newer one, made elsewhere, which stands here now. The one that stood here before opens nothing.'}
      </Problem>
      {isThisComputer(window.location.hostname) && (
        <p role="alert" className="border border-blood/55 p-4 text-blood">
          Do not print this yet: its address is {window.location.host}, which leads every other computer to
          itself. Open this server at the address that your recipient can reach, and show the card there.
        </p>
      )}
      {holders.length > 1 && (
        <SelectField
          label="Whose card"
          choices={holders.map((one) => ({
            value: one.publicId,
            label: recipientName(one, scroll.recipients.indexOf(one), scroll.names),
          }))}
          value={holder.publicId}
          onChange={(event) => setChosen(event.target.value)}
          hint="Each recipient has a card of their own, which opens for nobody else."
        />
      )}
      {holder.sheetsNeeded !== null ? (
        <SplitCard needed={holder.sheetsNeeded} onSplit={onSplit && (() => onSplit(holder))} />
      ) : (
        <WholeCard {...{ scroll, holder, transports }} onSplit={onSplit && (() => onSplit(holder))} />
      )}
    </Dialog>
  );
}

const linkOf = ({ publicId }: ScrollRecipient, key: string) =>
  cardLink(window.location.origin, publicId, key);

interface WholeProps extends Pick<CardProps, 'scroll' | 'transports'> {
  holder: ScrollRecipient;
  onSplit: (() => void) | undefined;
}

/** A card that is handed over as one: how it is scanned, copied and printed. */
function WholeCard({ scroll, holder, transports, onSplit }: WholeProps) {
  const [printsAll, setPrintsAll] = useState(false);
  const whole = cardHolders(scroll).filter(({ sheetsNeeded }) => sheetsNeeded === null);
  const several = scroll.recipients.length > 1;
  const secretOf = ({ publicId }: ScrollRecipient) => scroll.cards.get(publicId) ?? '';
  const link = linkOf(holder, secretOf(holder));

  function print(all: boolean) {
    flushSync(() => setPrintsAll(all));
    window.print();
  }

  return (
    <>
      <QrCode
        text={link}
        label="The key card’s link as a QR code"
        className="mx-auto w-full max-w-52 justify-self-center"
      />
      <TextField
        label="Link"
        readOnly
        value={link}
        onFocus={(event) => event.target.select()}
        hint="Its end, behind the #, is the key. No browser ever sends it to the server."
      />
      <div className="flex flex-wrap gap-4">
        <Button size="small" onClick={() => print(false)}>
          Print
        </Button>
        {whole.length > 1 && (
          <Button size="small" onClick={() => print(true)}>
            Print all {whole.length}
          </Button>
        )}
        <CopyButton
          value={link}
          onCopied={() =>
            toast({ title: 'Link Copied', description: 'It opens nothing before the letter is sent.' })
          }
          onFailed={() =>
            toast({
              title: 'The link could not be copied',
              description: 'This browser does not allow it. Copy it from the line by hand.',
              tone: 'destructive',
            })
          }
        >
          Copy link
        </CopyButton>
        {onSplit && (
          <Button size="small" onClick={onSplit}>
            Split among people
          </Button>
        )}
      </div>
      {createPortal(
        <div data-printed="" className="hidden print:block">
          {(printsAll ? whole : [holder]).map((one) => (
            <PrintedCard
              key={one.publicId}
              link={linkOf(one, secretOf(one))}
              secret={secretOf(one)}
              told={one.tell === 'at-release' && isTold(one.recipientType, transports)}
              holder={
                scroll.names.get(one.publicId) ??
                (several ? recipientName(one, scroll.recipients.indexOf(one), scroll.names) : null)
              }
              author={scroll.signedAs}
            />
          ))}
        </div>,
        document.body,
      )}
    </>
  );
}

/** Its key is in the hands of several people. */
function SplitCard({ needed, onSplit }: { needed: number; onSplit: (() => void) | undefined }) {
  return (
    <>
      <p>
        The key of this card is split into sheets, of which {needed} are needed. They were printed when they
        were made, and cannot be shown again. To have one card instead, make a new one.
      </p>
      {onSplit && (
        <div>
          <Button size="small" onClick={onSplit}>
            Make new sheets
          </Button>
        </div>
      )}
    </>
  );
}

/** Elsewhere the scroll was deleted, or given another kind of key, while its card stood open here. */
function DeadCard({ onClose }: { onClose: () => void }) {
  return (
    <Dialog
      open
      onClose={onClose}
      title="The key card"
      description="This card opens nothing any more: its letter was deleted elsewhere, or given another kind of key."
      footer={<Button onClick={onClose}>Done</Button>}
    />
  );
}

interface PrintedProps {
  link: string;
  secret: string;
  told: boolean;
  /** Whose card it is, where that has a name or there are several. */
  holder: string | null;
  /** What the author has entered; to be written by hand where they have not. */
  author: string | null;
}

/** What the printer gets, alone (app.css): what the card is, and neither title nor letter. Each has a page of its own. */
function PrintedCard({ link, secret, told, holder, author }: PrintedProps) {
  return (
    <div className="break-after-page last:break-after-auto">
      <div className="mx-auto grid max-w-[15cm] gap-[0.6cm] border border-current p-[1cm]">
        <p className="caps">Latebra · {window.location.host}</p>
        <p className="font-display text-[26pt]/[1.1]">A key for a letter</p>
        {holder && <p className="text-[12pt]/[1.5] wrap-anywhere">For {holder}</p>}
        <p className="flex items-end gap-[0.3cm] text-[12pt]/[1.5]">
          From {author ?? <span className="h-[0.8cm] flex-1 border-b border-current" />}
        </p>
        <p className="text-[12pt]/[1.5]">
          A sealed letter is kept for you. This card carries its key. It opens nothing before the letter is
          sent.{' '}
          {told
            ? 'A message is to tell you when that is. Then, and now and then in case it is lost, scan'
            : 'Try it now and then: scan'}{' '}
          the code, or type the address into a browser, and there the key.
        </p>
        <QrCode text={link} label="The link as a QR code" className="w-[6cm] justify-self-center" />
        <dl className="grid grid-cols-[2cm_minmax(0,1fr)] gap-y-[0.2cm] text-[10pt]/[1.6]">
          <dt>Address</dt>
          <dd className="font-machine break-all">{link.split('#')[0]}</dd>
          <dt>Key</dt>
          <dd className="font-machine">{inFours(secret)}</dd>
        </dl>
        <p className="text-[11pt]/[1.5]">
          Keep it where you will find it after years. Whoever holds it can read the letter once it is sent.
          Nobody will ask you for money, a password or anything else for this letter.
        </p>
      </div>
    </div>
  );
}
