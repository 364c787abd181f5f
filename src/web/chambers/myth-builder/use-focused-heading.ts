// What was pressed is gone with its step, or with the message in which it stood: the focus belongs to the heading of what is
// there instead.
import { type RefObject, useLayoutEffect, useRef } from 'react';
import type { Step } from './use-story.ts';

/** @param failed whether a message of a failure is shown */
export function useFocusedHeading(step: Step, failed: boolean): RefObject<HTMLSpanElement | null> {
  const heading = useRef<HTMLSpanElement>(null);
  const shown = useRef({ step, failed });
  useLayoutEffect(() => {
    const { current } = shown;
    if (current.step !== step || (current.failed && !failed)) heading.current?.focus();
    shown.current = { step, failed };
  }, [step, failed]);
  return heading;
}
