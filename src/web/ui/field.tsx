// The frame around every form control: its label, its hint, its error, and the wiring that lets assistive technology
// read the three together. It knows nothing of what is asked.
import { type ReactNode, useId } from 'react';
import { classes } from './classes.ts';

/** What every field of the kit takes besides its control's own attributes. */
export interface FieldWords {
  label: ReactNode;
  /** The label is read aloud but not shown: only where the page's title says the same. */
  labelHidden?: boolean;
  hint?: ReactNode;
  /** Shown in place of nothing; its presence marks the control as invalid. */
  error?: ReactNode;
  /** Says "optional" beside the label. */
  optional?: boolean;
  /** Something at the label's right end: a count, a link. */
  aside?: ReactNode;
}

interface Wiring {
  id: string;
  'aria-describedby': string | undefined;
  'aria-invalid': true | undefined;
}

interface FieldProps extends FieldWords {
  className?: string | undefined;
  children: (wiring: Wiring) => ReactNode;
}

/** Lays out label, control, hint and error; `children` receives the ids to spread on the control. */
export function Field(props: FieldProps) {
  const { label, labelHidden, hint, error, optional, aside, className, children } = props;
  const id = useId();
  const hintId = `${id}-hint`;
  const errorId = `${id}-error`;
  const describedBy = classes(error ? errorId : null, hint ? hintId : null);
  return (
    <div className={classes('grid content-start gap-2.5 text-left', className)}>
      <div
        className={classes('flex items-baseline justify-between gap-4', labelHidden && !aside && 'sr-only')}
      >
        <label htmlFor={id} className={labelHidden ? 'sr-only' : 'label text-dust'}>
          {label}
          {optional && <span className="text-shade"> · optional</span>}
        </label>
        {aside && <span className="label shrink-0 whitespace-nowrap text-shade">{aside}</span>}
      </div>
      {children({
        id,
        'aria-describedby': describedBy || undefined,
        'aria-invalid': error ? true : undefined,
      })}
      <FieldNotes hint={hint} hintId={hintId} error={error} errorId={errorId} />
    </div>
  );
}

/** Parts what belongs to the frame from what belongs to the control. */
export function partField<P extends FieldWords & { className?: string | undefined }>(props: P) {
  const { label, labelHidden, hint, error, optional, aside, className, ...control } = props;
  const words = {
    label,
    hint,
    error,
    aside,
    className,
    ...(labelHidden && { labelHidden }),
    ...(optional && { optional }),
  };
  return { words, control };
}

/** The lines beneath a control: the error first, then the hint. */
export function FieldNotes(props: { hint: ReactNode; hintId: string; error: ReactNode; errorId: string }) {
  return (
    <>
      {props.error && (
        <p id={props.errorId} className="flex items-baseline gap-2.5 text-small text-blood">
          <span aria-hidden="true" className="size-1.5 shrink-0 -translate-y-0.5 rotate-45 bg-blood" />
          <span className="min-w-0 wrap-anywhere">{props.error}</span>
        </p>
      )}
      {props.hint && (
        <p id={props.hintId} className="text-small text-shade">
          {props.hint}
        </p>
      )}
    </>
  );
}

/** The look of a one-line control. */
export const lineControl =
  'w-full min-w-0 rounded-none border-b border-edge bg-ink-1 px-3.5 py-2.5 text-[1.125rem]/[1.5] text-bone transition-colors hover:border-dust focus:border-ember focus:shadow-[0_1px_0_var(--color-ember)] focus:outline-hidden aria-invalid:border-blood disabled:cursor-not-allowed disabled:border-line disabled:text-shade read-only:text-dust';
