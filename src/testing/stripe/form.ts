// How the vendor's API is asked: forms whose names have brackets (`items[0][price]`, `expand[]`).

export type FormValue = string | FormValue[] | { [name: string]: FormValue };
export interface Form {
  [name: string]: FormValue;
}

/** Reads a body or a query. Lists are written with numbers, or with empty brackets. */
export function readForm(text: string): Form {
  const form: Form = {};
  for (const [name, value] of new URLSearchParams(text)) {
    const path = name.split(/[[\]]+/).filter((part) => part !== '');
    const isList = name.endsWith('[]');
    let at = form;
    path.forEach((part, i) => {
      const isLast = i === path.length - 1;
      if (isLast && isList) at[part] = [...((at[part] as FormValue[] | undefined) ?? []), value];
      else if (isLast) at[part] = value;
      else {
        at[part] ??= {};
        at = at[part] as Form;
      }
    });
  }
  return form;
}

export const textIn = (form: Form, name: string): string | undefined =>
  typeof form[name] === 'string' ? form[name] : undefined;

/** A list, whichever way it was written. */
export const listIn = (form: Form, name: string): FormValue[] =>
  Object.values(form[name] ?? {}) as FormValue[];

export const formIn = (form: Form, name: string): Form => (form[name] ?? {}) as Form;

/** Metadata: names and texts. */
export const textsIn = (form: Form, name: string): Record<string, string> =>
  Object.fromEntries(Object.entries(formIn(form, name)).map(([key, value]) => [key, String(value)]));
