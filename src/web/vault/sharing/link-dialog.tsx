// A one-time link to hand over: to be copied, or scanned from this screen.

import type { MadeLink } from '../../../vault/outbox/link-writer.ts';
import { Button } from '../../ui/button.tsx';
import { CopyButton } from '../../ui/copy-button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { formatMoment } from '../../ui/moments.ts';
import { QrCode } from '../../ui/qr-code.tsx';
import { TextField } from '../../ui/text-fields.tsx';
import { toast } from '../../ui/toaster.tsx';

export const linkCopied = () =>
  toast({ title: 'Link Copied', description: 'Whoever opens it first reads the words.' });

export const linkNotCopied = () =>
  toast({
    title: 'The link could not be copied',
    description: 'This browser does not allow it. Show the link and copy it by hand.',
    tone: 'destructive',
  });

/** By the system's own sheet, with nothing but the link. Whoever closes that has changed their mind. */
const handOver = (link: string): Promise<void> => navigator.share({ url: link }).catch(() => {});

interface DialogProps {
  sacredKey: MadeLink;
  /** The browser has refused to copy the link by itself. */
  copyByHand: boolean;
  onClose: () => void;
}

export function LinkDialog({ sacredKey, copyByHand, onClose }: DialogProps) {
  const { title, link, expiresAt, hasPassphrase } = sacredKey;
  return (
    <Dialog
      open
      onClose={onClose}
      title={`A link to “${title}”`}
      description={`It opens once, until ${formatMoment(expiresAt)}. Send it to one person, and do not open it yourself.${
        hasPassphrase ? ' Tell the passphrase by another way.' : ''
      }`}
      footer={
        <>
          <CopyButton size="regular" tone="primary" value={link} onCopied={linkCopied}>
            Copy link
          </CopyButton>
          {'share' in navigator && <Button onClick={() => void handOver(link)}>Share</Button>}
          <Button onClick={onClose}>Done</Button>
        </>
      }
    >
      <QrCode
        text={link}
        label="The link as a QR code"
        className="mx-auto w-full max-w-64 justify-self-center"
      />
      <TextField
        label="Link"
        readOnly
        value={link}
        onFocus={(event) => event.target.select()}
        hint={copyByHand ? 'This browser did not let the link be copied. Copy it from this line.' : undefined}
      />
    </Dialog>
  );
}
