// A key card to hand over: to be printed, scanned or copied. It carries the key of one letter and no word of it.
import { createPortal } from 'react-dom';
import { Button } from '../../ui/button.tsx';
import { CopyButton } from '../../ui/copy-button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { QrCode } from '../../ui/qr-code.tsx';
import { TextField } from '../../ui/text-fields.tsx';
import { toast } from '../../ui/toaster.tsx';
import { cardLink } from '../../vault/scrolls.ts';
import { named } from './scroll-words.ts';
import type { ReadableScroll } from './use-scrolls.ts';

interface CardProps {
  scroll: ReadableScroll;
  /** Leads on to the watch; absent where it watches already or was released. */
  onHandedOver?: (() => void) | undefined;
  onClose: () => void;
}

export function KeyCard({ scroll, onHandedOver, onClose }: CardProps) {
  const link = cardLink(window.location.origin, scroll.publicId, scroll.scrollKey);
  return (
    <Dialog
      open
      onClose={onClose}
      title="The key card"
      description={
        <>
          It opens {named(scroll)} once that is released, and nothing before. Give it to the one who shall
          read, and to nobody else: whoever holds it then can read the letter. Lost, it can be shown again
          here.
        </>
      }
      footer={
        <>
          <Button onClick={onClose}>{onHandedOver ? 'Later' : 'Done'}</Button>
          {onHandedOver && (
            <Button tone="primary" onClick={onHandedOver}>
              I have handed it over
            </Button>
          )}
        </>
      }
    >
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
        hint="Its end, behind the #, is the key. No browser ever sends it to the house."
      />
      <div className="flex flex-wrap gap-4">
        <Button size="small" onClick={() => window.print()}>
          Print
        </Button>
        <CopyButton
          value={link}
          onCopied={() =>
            toast({ title: 'Link Copied', description: 'It opens nothing before the release.' })
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
      </div>
      {createPortal(<PrintedCard link={link} />, document.body)}
    </Dialog>
  );
}

/** What the printer gets, alone (app.css): what the card is, and neither title nor letter. */
function PrintedCard({ link }: { link: string }) {
  return (
    <div data-printed="" className="hidden print:block">
      <div className="mx-auto grid max-w-[15cm] gap-[0.6cm] border border-current p-[1cm]">
        <p className="caps">Latebra · {window.location.host}</p>
        <p className="font-display text-[26pt]/[1.1]">A key for a letter</p>
        <p className="text-[12pt]/[1.5]">
          A sealed letter is kept for you. This card carries its key. It opens nothing before the letter is
          released; you will be told when that is. Then scan the code, or type the link into a browser.
        </p>
        <QrCode text={link} label="The link as a QR code" className="w-[6cm] justify-self-center" />
        <p className="font-machine text-[10pt]/[1.6] break-all">{link}</p>
        <p className="text-[11pt]/[1.5]">
          Keep it where you will find it after years. Whoever holds it can read the letter once it is
          released.
        </p>
      </div>
    </div>
  );
}
