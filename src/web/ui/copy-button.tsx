// Puts a text on the clipboard and says whether it got there. It shows nothing of the text itself.
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { Button, type ButtonTone } from './button.tsx';

interface CopyButtonProps {
  /** The text, or a way to make it when the button is pressed. */
  value: string | (() => string | Promise<string>);
  children?: ReactNode;
  copiedLabel?: string;
  failedLabel?: string;
  tone?: ButtonTone;
  size?: 'regular' | 'small';
  disabled?: boolean;
  onCopied?: (() => void) | undefined;
  onFailed?: ((reason: unknown) => void) | undefined;
}

/** Copies on press; says "Copied" for two seconds. */
export function CopyButton(props: CopyButtonProps) {
  const {
    value,
    children = 'Copy',
    copiedLabel = 'Copied',
    failedLabel = 'Could not copy',
    onCopied,
    onFailed,
  } = props;
  const [outcome, setOutcome] = useState<'copied' | 'failed' | null>(null);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);

  async function copy() {
    try {
      await navigator.clipboard.writeText(typeof value === 'string' ? value : await value());
      setOutcome('copied');
      onCopied?.();
    } catch (reason) {
      setOutcome('failed');
      onFailed?.(reason);
    }
    clearTimeout(timer.current);
    timer.current = setTimeout(() => setOutcome(null), 2_000);
  }

  const answer = outcome === 'copied' ? copiedLabel : outcome === 'failed' ? failedLabel : null;
  return (
    <>
      <Button
        tone={props.tone ?? 'quiet'}
        size={props.size ?? 'small'}
        disabled={props.disabled}
        onClick={() => void copy()}
      >
        {answer ?? children}
      </Button>
      <span role="status" className="sr-only">
        {answer}
      </span>
    </>
  );
}
