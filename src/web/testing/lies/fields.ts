// What the contract says that an answer holds, down to the last field: so that a field which is added is lied about, or
// says why it is not.
import type * as z from 'zod/mini';
import type { CallShape } from '../../../shared/http/call.ts';
import { contractRows } from '../../../shared/http/contract.ts';
import type { Path } from './kinds.ts';

type Def = {
  shape?: Record<string, z.core.$ZodType>;
  innerType?: z.core.$ZodType;
  element?: z.core.$ZodType;
  options?: readonly z.core.$ZodType[];
};

/** Every place of an answer by its path, with its schema. Where there are several forms, every place of each. */
export function schemasIn(schema: z.core.$ZodType, path: Path = ''): Map<Path, z.core.$ZodType> {
  const found = new Map([[path, schema]]);
  const { shape, innerType, element, options } = schema._zod.def as Def;
  const below = [
    ...Object.entries(shape ?? {}).map(([name, child]) => schemasIn(child, path ? `${path}.${name}` : name)),
    ...(innerType ? [schemasIn(innerType, path)] : []),
    ...(element ? [schemasIn(element, `${path}[]`)] : []),
    ...(options ?? []).map((option) => schemasIn(option, path)),
  ];
  for (const map of below)
    for (const [at, child] of map) {
      const known = found.get(at);
      // What is wrapped says more than its wrapper.
      if (known === undefined || at !== path || innerType) found.set(at, child);
    }
  return found;
}

const templateOf = (path: string) => new RegExp(`^${path.replace(/\{\w+\}/g, '[^/]+')}$`);
const rows = contractRows().map((one) => ({ ...one, template: templateOf(one.row.path) }));

/** Which call of the contract a request makes: its dotted name and its row; null for what is none. */
export function callOf(method: string, pathname: string): { name: string; row: CallShape } | null {
  const matches = rows.filter(({ row, template }) => row.method === method && template.test(pathname));
  // A path that is written out comes before one with a name in it.
  return (
    matches.sort((one, other) => one.row.path.split('{').length - other.row.path.split('{').length)[0] ?? null
  );
}

/** Every call that answers something in a shape of the contract. */
export const answeringCalls = rows.filter(({ row }) => row.reply !== undefined);

export function rowNamed(name: string): CallShape {
  const found = rows.find((one) => one.name === name);
  if (!found) throw new Error(`the contract has no call ${name}`);
  return found.row;
}
