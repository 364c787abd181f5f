// A day, or a day and a time, by the browser's own control. The value is the control's text; `fromLocalStamp` reads it.
import type { ComponentProps } from 'react';
import { type StampPrecision, toLocalStamp } from '../../shared/local-stamp.ts';
import { Field, type FieldWords, lineControl, partField } from './field.tsx';

type DateTimeProps = FieldWords &
  Omit<ComponentProps<'input'>, keyof FieldWords | 'id' | 'type' | 'min' | 'max'> & {
    /** `datetime` asks for the minute too. */
    precision?: StampPrecision;
    min?: Date;
    max?: Date;
  };

/** Asks for a moment in the reader's own time zone. */
export function DateTimeField(props: DateTimeProps) {
  const { words, control: all } = partField(props);
  const { precision = 'datetime', min, max, ...control } = all;
  return (
    <Field {...words}>
      {(wiring) => (
        <input
          {...control}
          {...wiring}
          type={precision === 'date' ? 'date' : 'datetime-local'}
          min={min && toLocalStamp(min, precision)}
          max={max && toLocalStamp(max, precision)}
          className={lineControl}
        />
      )}
    </Field>
  );
}
