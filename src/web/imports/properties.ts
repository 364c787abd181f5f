// What an application says of an entry besides its text, and what of it has no place of its own here: a list below the
// text keeps it. Pure.

export interface Property {
  name: string;
  value: string;
}

/** A text with a list of properties below it; those without a value are left away. */
export function withProperties(text: string, properties: readonly Property[]): string {
  const list = properties
    .filter(({ value }) => value.trim() !== '')
    .map(({ name, value }) => {
      const lines = value.trim().split('\n');
      return `- ${name}:${lines.length === 1 ? ' ' : '\n  '}${lines.join('\n  ')}`;
    });
  return [text.trim(), list.join('\n')].filter(Boolean).join('\n\n');
}
