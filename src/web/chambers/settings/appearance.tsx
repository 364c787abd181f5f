// The theme and the size of the letters, in this browser.
import { useState } from 'react';
import { SelectField } from '../../ui/choice-fields.tsx';
import { type Look, loadLook, SIZES, saveLook, THEMES } from '../../ui/look.ts';
import { Section } from '../../ui/section.tsx';

const themes: Record<Look['theme'], string> = {
  dark: 'Dark',
  light: 'Light',
  system: 'As this device has it',
};
const sizes: Record<Look['size'], string> = {
  small: 'Small',
  regular: 'Regular',
  large: 'Large',
  largest: 'Largest',
};

export function Appearance() {
  const [look, setLook] = useState(loadLook);

  function choose(part: Partial<Look>) {
    const next = { ...look, ...part };
    setLook(next);
    saveLook(next);
  }

  return (
    <Section
      title="Theme and text"
      says="How the app looks in this browser. It is kept here, and the server is not told."
    >
      <div className="grid gap-6 sm:grid-cols-2">
        <SelectField
          label="Theme"
          value={look.theme}
          onChange={({ target }) => choose({ theme: target.value as Look['theme'] })}
          choices={THEMES.map((value) => ({ value, label: themes[value] }))}
        />
        <SelectField
          label="Text size"
          value={look.size}
          onChange={({ target }) => choose({ size: target.value as Look['size'] })}
          choices={SIZES.map((value) => ({ value, label: sizes[value] }))}
        />
      </div>
    </Section>
  );
}
