// Fields that choose: a native select (Radix's own crashes under our content policy) and a checkbox.
import { type ComponentProps, type ReactNode, useId } from 'react';
import { classes } from './classes.ts';
import { Field, FieldNotes, type FieldWords, lineControl, partField } from './field.tsx';
import { Sigil } from './sigil.tsx';

/** One line of a select. */
export interface Choice {
  value: string;
  label: string;
  disabled?: boolean;
}

type SelectProps = FieldWords &
  Omit<ComponentProps<'select'>, keyof FieldWords | 'id' | 'multiple' | 'size'> & {
    choices: readonly Choice[];
    /** Shown while nothing is chosen, as an entry with the empty value that cannot be picked again. */
    placeholder?: string;
  };

/** A native select that looks like the other fields. Its list is the browser's, with type-ahead and touch as people know them. */
export function SelectField(props: SelectProps) {
  const { words, control: all } = partField(props);
  const { choices, placeholder, ...control } = all;
  return (
    <Field {...words}>
      {(wiring) => (
        <span className="relative block">
          <select
            {...control}
            {...wiring}
            className={classes(lineControl, 'cursor-pointer appearance-none pr-12')}
          >
            {placeholder && (
              <option value="" disabled>
                {placeholder}
              </option>
            )}
            {choices.map((choice) => (
              <option key={choice.value} value={choice.value} disabled={choice.disabled}>
                {choice.label}
              </option>
            ))}
          </select>
          <Sigil
            name="down"
            className="pointer-events-none absolute top-1/2 right-4 size-4 -translate-y-1/2 text-dust"
          />
        </span>
      )}
    </Field>
  );
}

type CheckboxProps = Omit<ComponentProps<'input'>, 'id' | 'type' | 'className'> & {
  label: ReactNode;
  hint?: ReactNode;
  error?: ReactNode;
};

/** One yes or no. The whole line is its target. */
export function Checkbox({ label, hint, error, ...control }: CheckboxProps) {
  const id = useId();
  const hintId = `${id}-hint`;
  const errorId = `${id}-error`;
  return (
    <div className="grid gap-2 text-left">
      <label
        htmlFor={id}
        className="group flex cursor-pointer items-start gap-3.5 has-disabled:cursor-not-allowed"
      >
        <span className="relative mt-[0.2em] grid size-5.5 shrink-0 place-items-center">
          <input
            {...control}
            id={id}
            type="checkbox"
            className="peer size-full cursor-pointer appearance-none rounded-none border border-edge bg-ink-1 transition-colors group-hover:border-dust checked:border-ember checked:bg-ember/10 disabled:cursor-not-allowed disabled:border-line aria-invalid:border-blood forced-colors:appearance-auto"
            aria-describedby={classes(error ? errorId : null, hint ? hintId : null) || undefined}
            aria-invalid={error ? true : undefined}
          />
          <Sigil
            name="check"
            className="pointer-events-none absolute size-4 text-ember opacity-0 transition-opacity peer-checked:opacity-100 forced-colors:hidden"
          />
        </span>
        <span className="min-w-0 leading-[1.5] group-has-disabled:text-shade">{label}</span>
      </label>
      {(hint || error) && (
        <div className="grid gap-1.5 pl-9">
          <FieldNotes hint={hint} hintId={hintId} error={error} errorId={errorId} />
        </div>
      )}
    </div>
  );
}
