// The kit page's part about form fields.
import { useState } from 'react';
import { Button } from '../../ui/button.tsx';
import { Checkbox, SelectField } from '../../ui/choice-fields.tsx';
import { DateTimeField } from '../../ui/date-time-field.tsx';
import { SecretField, TextArea, TextField } from '../../ui/text-fields.tsx';
import { longText, longTitle, longWord } from './long-content.ts';
import { Part } from './part.tsx';

const locks = [
  { value: 'none', label: 'No lock' },
  { value: 'day', label: '1 day' },
  { value: 'year', label: '1 year' },
  { value: 'never', label: 'Never (not to be had)', disabled: true },
  { value: 'long', label: longTitle },
];

/** Fields: empty, filled, with hint, with error, disabled, long. */
export function Fields() {
  const [title, setTitle] = useState('The bell under the lake');
  const missing = title.trim() === '' ? 'A memory needs a title.' : undefined;
  return (
    <Part title="Fields">
      <div className="grid gap-x-12 gap-y-8 md:grid-cols-2">
        <TextField
          label="Title"
          value={title}
          onChange={(event) => setTitle(event.target.value)}
          hint="Empty it to see the error."
          error={missing}
          aside={`${title.length} of 120`}
        />
        <TextField label="Person" optional placeholder="A name" />
        <TextField
          label="Search"
          labelHidden
          type="search"
          placeholder="Search 41 memories, in this browser only"
        />
        <TextField label="Disabled" disabled defaultValue="Nothing can be written here" />
        <TextField
          label="E-mail"
          readOnly
          defaultValue="read@example.org"
          hint="Managed by whoever let you in."
        />
        <TextField label="A very long value" defaultValue={longWord} error={`${longTitle}. ${longWord}`} />
        <SecretField label="Passphrase" autoComplete="new-password" defaultValue="six plain words in a row" />
        <SecretField label="Passphrase" autoComplete="current-password" error="That does not open it." />
        <SelectField
          label="Time lock"
          choices={locks}
          defaultValue="year"
          hint="Nobody can shorten it, you included."
        />
        <SelectField
          label="Story type"
          choices={locks}
          defaultValue=""
          placeholder="Choose one"
          error="Choose one."
        />
        <DateTimeField label="Opens" min={new Date()} hint="In your own time zone." />
        <DateTimeField label="Day" precision="date" defaultValue="2027-11-21" error="That day has passed." />
        <TextArea label="Memory" placeholder="What must not be lost" />
        <TextArea label="Memory" defaultValue={longText} rows={8} error="Too long for this vault." />
        <div className="grid gap-5">
          <Checkbox label="I have handed it over" defaultChecked hint="Watching starts after this." />
          <Checkbox label={longTitle} error="This must be said before it can begin." />
          <Checkbox label="Not to be had" disabled />
          <Checkbox label="Had, and fixed" disabled defaultChecked />
        </div>
        <form className="flex items-end gap-4" onSubmit={(event) => event.preventDefault()}>
          <TextField label="In a row" className="flex-1" />
          <Button type="submit" tone="primary">
            Go
          </Button>
        </form>
      </div>
    </Part>
  );
}
