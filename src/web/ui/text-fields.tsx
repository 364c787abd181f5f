// Fields that take writing: one line, a secret line, many lines. They hold no value of their own.
import { type ComponentProps, useState } from 'react';
import { classes } from './classes.ts';
import { Field, type FieldWords, lineControl, partField } from './field.tsx';
import { Sigil } from './sigil.tsx';

type Control<Tag extends 'input' | 'textarea'> = FieldWords &
  Omit<ComponentProps<Tag>, keyof FieldWords | 'id'>;

/** One line of text: also e-mail, number, telephone, search, by `type`. */
export function TextField(props: Control<'input'>) {
  const { words, control } = partField(props);
  return (
    <Field {...words}>
      {(wiring) => <input type="text" {...control} {...wiring} className={lineControl} />}
    </Field>
  );
}

/** A line that hides what is typed, with an eye to show it. The caller sets `autoComplete`. */
export function SecretField(props: Omit<Control<'input'>, 'type'>) {
  const { words, control } = partField(props);
  const [shown, setShown] = useState(false);
  return (
    <Field {...words}>
      {(wiring) => (
        <span className="relative block">
          <input
            spellCheck={false}
            autoCapitalize="none"
            {...control}
            {...wiring}
            type={shown ? 'text' : 'password'}
            className={classes(lineControl, 'pr-13')}
          />
          <button
            type="button"
            className="absolute inset-y-0 right-0 grid w-12 cursor-pointer place-items-center text-dust hover:text-bone"
            aria-label={shown ? 'Hide what is typed' : 'Show what is typed'}
            onClick={() => setShown(!shown)}
          >
            <Sigil name={shown ? 'eye' : 'eye-shut'} className="size-6" />
          </button>
        </span>
      )}
    </Field>
  );
}

/**
 * Many lines of text; starts at `rows` (5) and grows with what is written until it would fill the window.
 * @param isPage as tall as a page from the beginning
 */
export function TextArea({ rows = 5, isPage = false, ...props }: Control<'textarea'> & { isPage?: boolean }) {
  const { words, control } = partField(props);
  const long = String(control.value ?? '').length > LONG;
  return (
    <Field {...words}>
      {(wiring) => (
        <textarea
          {...control}
          {...wiring}
          rows={rows}
          className={classes(
            areaControl,
            isPage ? 'h-[72dvh]' : 'max-h-[60dvh]',
            !isPage && (long ? 'h-[60dvh]' : 'field-sizing-content'),
          )}
          style={{ minHeight: `min(calc(${rows} * 1.6em + 2rem), 60dvh)` }}
        />
      )}
    </Field>
  );
}

/** From here on it fills the window anyway, and measuring hundreds of thousands of characters freezes the page. */
const LONG = 20_000;

const areaControl =
  'w-full min-w-0 resize-none rounded-none border border-edge/75 bg-ink-1 px-4.5 py-4 text-[1.125rem]/[1.6] text-bone transition-colors hover:border-dust focus:border-ember focus:shadow-none focus:outline-hidden aria-invalid:border-blood disabled:cursor-not-allowed disabled:border-line disabled:text-shade';
