// Who makes the story: the Loom in this browser, or a language model that is named, and that has to be agreed to before
// it reads anything.
import { type ReactNode, useId } from 'react';
import { Button } from '../../ui/button.tsx';
import { Checkbox } from '../../ui/choice-fields.tsx';
import type { Writer } from './use-writer.ts';

export type WriterName = 'loom' | 'model';

interface ChoiceProps {
  writer: Writer;
  value: WriterName;
  /** Whether the box is ticked that agrees to the model. */
  agreeing: boolean;
  problem: string | null;
  onChange: (value: WriterName) => void;
  onAgree: (agreeing: boolean) => void;
}

export function WriterChoice({ writer, value, agreeing, problem, onChange, onAgree }: ChoiceProps) {
  const name = useId();
  const { model, isUnknown } = writer;
  if (!model) {
    return (
      <p className="border-l border-verdigris/60 pl-4 text-note text-dust">
        <span className="text-bone">The Loom makes it, from your own words.</span> It works in this browser:
        nothing of what you write here leaves it before it is sealed.
        {isUnknown && ' Whether this server has a language model as well could not be found out just now.'}
      </p>
    );
  }
  return (
    <fieldset className="grid min-w-0 gap-4">
      <legend className="label mb-2.5 text-dust">Who makes the story</legend>
      <div className="grid sm:grid-cols-2">
        <Option name={name} value="loom" chosen={value} onChoose={onChange} title="The Loom">
          Made in this browser, from your own sentences. They do not leave it unsealed.
        </Option>
        <Option name={name} value="model" chosen={value} onChoose={onChange} title="A language model">
          <span className="text-bone wrap-anywhere">{model.writer}</span> reads your words and writes new
          ones.
        </Option>
      </div>
      {value === 'model' &&
        (writer.agreed ? (
          <p className="flex flex-wrap items-baseline gap-x-6 text-small text-shade">
            <span className="min-w-0 wrap-anywhere">You agreed that {model.writer} reads what you send.</span>
            <Button tone="caps" onClick={writer.revoke}>
              Withdraw consent
            </Button>
          </p>
        ) : (
          <div className="grid gap-4 border border-ember/55 p-5">
            <p className="text-note text-dust">
              Source, person, duration and tone go to{' '}
              <span className="text-bone wrap-anywhere">{model.writer}</span> in the clear, by way of this
              server, which keeps and logs none of it. What becomes of them there is up to whoever runs it. Up
              to {model.perDay} {model.perDay === 1 ? 'story' : 'stories'} in 24 hours.
            </p>
            <Checkbox
              label={<span className="wrap-anywhere">I agree that {model.writer} reads these words</span>}
              hint="Remembered in this browser, for this model alone. Another one is asked about anew."
              checked={agreeing}
              error={problem}
              onChange={(event) => onAgree(event.target.checked)}
            />
          </div>
        ))}
    </fieldset>
  );
}

interface OptionProps {
  name: string;
  value: WriterName;
  chosen: WriterName;
  title: string;
  onChoose: (value: WriterName) => void;
  children: ReactNode;
}

function Option({ name, value, chosen, title, onChoose, children }: OptionProps) {
  const id = useId();
  return (
    <label className="relative -mt-px grid cursor-pointer content-start gap-1 border border-line bg-ink-1 px-5 py-4 hover:bg-ink-2 has-checked:z-10 has-checked:border-ember/55 has-checked:bg-ink-2 has-focus-visible:z-20 has-focus-visible:outline has-focus-visible:outline-offset-2 has-focus-visible:outline-ember sm:mt-0 sm:-ml-px">
      <input
        type="radio"
        name={name}
        value={value}
        checked={chosen === value}
        onChange={() => onChoose(value)}
        aria-labelledby={`${id}-title`}
        aria-describedby={`${id}-says`}
        className="absolute inset-0 size-full cursor-pointer appearance-none focus-visible:shadow-none focus-visible:outline-hidden"
      />
      <span id={`${id}-title`} className="font-display text-[1.25rem]/[1.2] font-medium">
        {title}
      </span>
      <span id={`${id}-says`} className="text-small text-dust">
        {children}
      </span>
    </label>
  );
}
