// A word beside a control, after a pause. It repeats or adds to a control's name, and must never hold the only copy
// of something needed.
import * as Radix from '@radix-ui/react-tooltip';
import type { ReactElement, ReactNode } from 'react';

/** How long a pointer rests before the word appears, in milliseconds. */
export const tooltipDelay = 700;
/** Within this long after one has closed, the next appears at once. */
export const tooltipSkipDelay = 300;

/** Around everything whose tooltips should know of each other. */
export function TooltipProvider({ children }: { children: ReactNode }) {
  return (
    <Radix.Provider delayDuration={tooltipDelay} skipDelayDuration={tooltipSkipDelay}>
      {children}
    </Radix.Provider>
  );
}

interface TooltipProps {
  label: string;
  /** One control that can be focused and takes ordinary element props. */
  children: ReactElement;
}

/** Shows `label` beside its control on hover and focus; Escape hides it. */
export function Tooltip({ label, children }: TooltipProps) {
  return (
    <Radix.Root>
      <Radix.Trigger asChild>{children}</Radix.Trigger>
      <Radix.Portal>
        <Radix.Content
          sideOffset={8}
          collisionPadding={8}
          className="z-60 max-w-64 border border-line bg-ink-2 px-3.5 py-2 text-small text-bone data-[state=delayed-open]:animate-fade"
        >
          {label}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}
