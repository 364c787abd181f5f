// The kit page's part about what opens over a page: dialogs, the reader, tooltips, toasts.
import { useState } from 'react';
import { Button } from '../../ui/button.tsx';
import { SelectField } from '../../ui/choice-fields.tsx';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { CopyButton } from '../../ui/copy-button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { ReadingOverlay } from '../../ui/reading-overlay.tsx';
import { TextArea, TextField } from '../../ui/text-fields.tsx';
import { toast } from '../../ui/toaster.tsx';
import { Tooltip, TooltipProvider } from '../../ui/tooltip.tsx';
import { longText, longTitle, longWord } from './long-content.ts';
import { Part } from './part.tsx';

type Layer = 'form' | 'long' | 'plain' | 'confirm' | 'word' | 'reader' | 'short' | 'waiting' | 'broken';

const openers: [Layer, string][] = [
  ['form', 'A form'],
  ['long', 'A long form'],
  ['plain', 'Without a body'],
  ['confirm', 'A question'],
  ['word', 'A word to type'],
  ['reader', 'A long reading'],
  ['short', 'A short reading'],
  ['waiting', 'A reading on its way'],
  ['broken', 'A reading that fails'],
];

/** Everything that opens. */
export function Layers() {
  const [layer, setLayer] = useState<Layer | null>(null);
  const close = () => setLayer(null);
  return (
    <Part title="Layers">
      <div className="flex flex-wrap gap-4">
        {openers.map(([name, label]) => (
          <Button key={name} onClick={() => setLayer(name)}>
            {label}
          </Button>
        ))}
      </div>
      <Passing />
      <FormDialog open={layer === 'form'} onClose={close} />
      <FormDialog open={layer === 'long'} onClose={close} long />
      <Dialog
        open={layer === 'plain'}
        onClose={close}
        title="Memory sealed"
        description="It left this browser as ciphertext."
        size="narrow"
        footer={<Button onClick={close}>Close</Button>}
      />
      <ConfirmDialog
        open={layer === 'confirm'}
        onClose={close}
        onConfirm={close}
        title="Delete this memory?"
        description="It is erased from the server. Backups made before are out of this page's reach."
        confirmLabel="Delete memory"
        error="503: the vault is resting"
      />
      <ConfirmDialog
        open={layer === 'word'}
        onClose={close}
        onConfirm={close}
        title="Destroy Vault"
        description="Every entry, every recovery method and every session goes, in one stroke. It cannot be taken back."
        confirmLabel="Destroy Vault"
        word="DESTROY"
      />
      <ReadingOverlay
        open={layer === 'reader'}
        onClose={close}
        eyebrow="Memory vault"
        title={longTitle}
        meta={['Sealed 3 March 2026', 'Unlocked after one year']}
        text={longText}
        actions={<Button tone="caps">Make a sacred key</Button>}
      />
      <ReadingOverlay
        open={layer === 'short'}
        onClose={close}
        eyebrow="Ghost mode"
        title="Last reading"
        meta={['1 of 1']}
        text={'“Yes,” she said.\nAnd that was all.'}
      />
      <ReadingOverlay
        open={layer === 'waiting'}
        onClose={close}
        title="The bell under the lake"
        text={null}
      />
      <ReadingOverlay
        open={layer === 'broken'}
        onClose={close}
        title={longWord}
        text={null}
        error="Unable to decrypt this memory. Your encryption key may have changed."
      />
    </Part>
  );
}

function FormDialog({ open, onClose, long = false }: { open: boolean; onClose: () => void; long?: boolean }) {
  const [busy, setBusy] = useState(false);
  function seal() {
    setBusy(true);
    setTimeout(() => {
      setBusy(false);
      toast({ title: 'Incomplete Memory', description: 'A toast over a dialog.', tone: 'destructive' });
    }, 1_500);
  }
  return (
    <Dialog
      open={open}
      onClose={onClose}
      title={long ? longTitle : 'New Memory'}
      description={long ? `${longTitle}. ${longWord}` : undefined}
      busy={busy}
      onSubmit={seal}
      footer={
        <>
          <Button onClick={onClose} disabled={busy}>
            Cancel
          </Button>
          <Button type="submit" tone="primary" busy={busy} busyLabel="Sealing...">
            Seal Memory
          </Button>
        </>
      }
    >
      <TextField label="Title" defaultValue="The bell under the lake" />
      <TextArea
        label="Memory"
        defaultValue={long ? longText : 'My grandmother kept bees behind the old rectory.'}
      />
      <SelectField
        label="Time lock"
        choices={[{ value: 'year', label: '1 year · opens 21 November 2027' }]}
        hint="Until then this server will not hand it out, to you either."
      />
      {long && <TextArea label="Another" rows={12} />}
    </Dialog>
  );
}

function Passing() {
  return (
    <div className="flex flex-wrap gap-4">
      <Button onClick={() => toast({ title: 'Memory Sealed' })}>A plain toast</Button>
      <Button
        onClick={() =>
          toast({
            title: 'Memory is Time-Locked',
            description: 'This memory will unlock on 14 June 2027.',
            tone: 'info',
          })
        }
      >
        An info toast
      </Button>
      <Button
        onClick={() =>
          toast({
            title: 'Failed to Seal Memory',
            description: `500: ${longText} ${longWord}`,
            tone: 'destructive',
          })
        }
      >
        A long destructive toast
      </Button>
      <TooltipProvider>
        <Tooltip label="Shown after 700 ms, or at once on keyboard focus">
          <Button>A tooltip</Button>
        </Tooltip>
        <Tooltip label={longTitle}>
          <Button>A long tooltip</Button>
        </Tooltip>
      </TooltipProvider>
      <CopyButton value="7c1e 04ab 93f0 5d2e">Copy the fingerprint</CopyButton>
      <CopyButton value={() => Promise.reject(new Error('no'))}>Copy that fails</CopyButton>
    </div>
  );
}
