// What a list shows when it is not a list: nothing yet, not yet, or not at all. Each says so in words.
import type { ReactNode } from 'react';
import { Button } from './button.tsx';
import { Sigil, type SigilName } from './sigil.tsx';

interface EmptyStateProps {
  sigil?: SigilName;
  title: ReactNode;
  children?: ReactNode;
  /** What to do about it: one button. */
  action?: ReactNode;
}

/** Nothing is here yet. */
export function EmptyState({ sigil = 'candle', title, children, action }: EmptyStateProps) {
  return (
    <div className="grid grid-cols-1 justify-items-center gap-4 px-5 py-16 text-center sm:py-20">
      <Sigil name={sigil} className="mb-2 size-15 text-shade" />
      <h2 className="font-display text-heading wrap-anywhere">{title}</h2>
      {children && (
        <div className="max-w-full text-balance text-dust wrap-anywhere sm:max-w-gate">{children}</div>
      )}
      {action && <div className="mt-3">{action}</div>}
    </div>
  );
}

interface ErrorStateProps {
  title?: ReactNode;
  /** What went wrong, as the server or the browser put it. */
  children?: ReactNode;
  onRetry?: (() => void) | undefined;
  retrying?: boolean;
  retryLabel?: string;
}

/** Something could not be had. Offers to try again where trying again can help. */
export function ErrorState(props: ErrorStateProps) {
  const { title = 'This could not be fetched', children, onRetry, retrying = false } = props;
  return (
    <div role="alert" className="grid grid-cols-1 justify-items-center gap-4 px-5 py-16 text-center sm:py-20">
      <Sigil name="ash" className="mb-2 size-15 text-blood" />
      <h2 className="font-display text-heading wrap-anywhere">{title}</h2>
      {children && (
        <div className="max-w-full text-balance text-dust wrap-anywhere sm:max-w-gate">{children}</div>
      )}
      {onRetry && (
        <Button className="mt-3" onClick={onRetry} busy={retrying} busyLabel="Trying">
          {props.retryLabel ?? 'Try again'}
        </Button>
      )}
    </div>
  );
}

const widths = ['w-3/5', 'w-2/5', 'w-1/2', 'w-1/3', 'w-3/4'];

/** Rows that are on their way, in the shape they will have. */
export function LoadingRows({ rows = 5, label = 'Fetching' }: { rows?: number; label?: string }) {
  return (
    <div role="status">
      <span className="sr-only">{label}</span>
      <div aria-hidden="true" className="animate-breathe">
        {Array.from({ length: rows }, (_, i) => (
          <div
            // biome-ignore lint/suspicious/noArrayIndexKey: the rows are alike
            key={i}
            className="flex items-center gap-8 border-b border-line/60 py-7"
          >
            <span className="hidden h-3 w-28 shrink-0 bg-line/60 sm:block" />
            <span className="block flex-1">
              <span className={`block h-4 bg-line ${widths[i % widths.length]}`} />
            </span>
            <span className="block h-3 w-20 shrink-0 bg-line/60" />
          </div>
        ))}
      </div>
    </div>
  );
}
