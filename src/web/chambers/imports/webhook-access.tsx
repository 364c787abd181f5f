// A webhook's address and secret, shown this once, with an example that sends a first delivery.
import { useState } from 'react';
import type { WebhookAccess } from '../../../vault/outbox/webhook-writer.ts';
import { Button } from '../../ui/button.tsx';
import { CopyButton } from '../../ui/copy-button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Tabs } from '../../ui/tabs.tsx';
import { TextField } from '../../ui/text-fields.tsx';
import { nodeExample, shellExample } from './webhook-examples.ts';

const views = [
  { value: 'shell', label: 'Terminal' },
  { value: 'node', label: 'Node' },
] as const;
type View = (typeof views)[number]['value'];
const examples = { shell: shellExample, node: nodeExample };

interface AccessProps {
  access: WebhookAccess;
  /** Whether the secret before is accepted for another day; only where there was one. */
  oldStays?: boolean;
  onClose: () => void;
}

export function WebhookAccessDialog({ access: { name, url, secret }, oldStays, onClose }: AccessProps) {
  const [view, setView] = useState<View>('shell');
  const example = url === null ? null : examples[view]({ url, secret });
  const once = url === null ? 'The secret is not shown again.' : 'Neither is shown again.';
  return (
    <Dialog
      open
      onClose={onClose}
      size="wide"
      title={url === null ? `A new secret for “${name}”` : `The webhook “${name}”`}
      description={
        url === null
          ? `Give it to the program that sends. The address stays. ${
              oldStays
                ? 'The old secret is accepted for another 24 hours.'
                : 'The old secret is not accepted any more.'
            } ${once}`
          : `Give both to the program that sends. ${once}`
      }
      footer={<Button onClick={onClose}>Done</Button>}
    >
      {url !== null && <Shown label="Address" value={url} what="the address" />}
      <Shown
        label="Signing secret"
        value={secret}
        what="the secret"
        hint="Whoever has it and the address can put memories into your vault. They can read none."
      />
      {example !== null && (
        <div className="min-w-0">
          <h3 className="label text-dust">Try it</h3>
          <Tabs label="Examples" views={views} value={view} onChange={setView}>
            <section
              // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reached by keyboard
              tabIndex={0}
              aria-label="Example"
              className="max-h-64 overflow-auto border border-line bg-ink-0 px-4.5 py-4"
            >
              <pre className="font-machine text-tiny/[1.7] text-dust">{example}</pre>
            </section>
            <div className="mt-3 flex flex-wrap items-center gap-x-6 gap-y-2">
              <CopyButton value={example}>Copy the example</CopyButton>
              <p className="text-note text-shade">
                It prints 204, and a memory is in your vault. It contains the secret.
              </p>
            </div>
          </Tabs>
        </div>
      )}
    </Dialog>
  );
}

interface ShownProps {
  label: string;
  value: string;
  /** What is copied, for those who cannot see beside what the button stands. */
  what: string;
  hint?: string;
}

function Shown({ label, value, what, hint }: ShownProps) {
  return (
    <div>
      <div className="grid grid-cols-[minmax(0,1fr)_auto] items-end gap-4">
        <TextField
          label={label}
          readOnly
          value={value}
          spellCheck={false}
          onFocus={(event) => event.target.select()}
        />
        <CopyButton size="regular" value={value}>
          Copy<span className="sr-only"> {what}</span>
        </CopyButton>
      </div>
      {hint && <p className="mt-3 text-note text-shade">{hint}</p>}
    </div>
  );
}
