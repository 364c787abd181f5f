// What the built app has in place of `zod/mini` (vite.config.ts): as much of it as the contract and the app use, in a
// fifth of the bytes. It says whether a value fits and what is left of it, as zod does, and nothing of why: people are
// told nothing else here, and the server, which does tell, has zod itself. src/testing/fuzz/small-schemas.test.ts compares the
// two over the whole contract.

/** What does not fit. It holds nothing of the value. */
export class Misfit extends Error {
  constructor() {
    super('a value of another shape');
  }
}

type Run = (value: unknown) => unknown;
type Test = (value: never) => boolean;

interface Schema {
  /** Returns what is left of a value: what a schema does not name is dropped. @throws Misfit */
  run: Run;
  /** As a check, which int() and refine() can be: whether a value passes. */
  test: Test;
  /** Of a member: it may be absent, and where it is there, it fits as it stands. */
  absent?: boolean;
  shape?: Shape;
  /** As zod describes its schemas: what walks them reads this (shared/http/field-classes.ts). */
  _zod: { def: Record<string, unknown> };
  check(...checks: Pick<Schema, 'test'>[]): Schema;
}
type Shape = Record<string, Schema>;

function misfit(): never {
  throw new Misfit();
}

function schema(run: Run, def: Record<string, unknown> = {}): Schema {
  const made: Schema = {
    run,
    test: (value) => fits(made, value),
    _zod: { def },
    check: (...checks) => {
      const checked: Run = (value) => {
        const left = made.run(value);
        for (const { test } of checks) if (!test(left as never)) misfit();
        return left;
      };
      return { ...schema(checked, def), ...(made.shape && { shape: made.shape }) };
    },
  };
  return made;
}

/** A schema that leaves a value as it is, where it passes. */
const where = (passes: (value: unknown) => boolean, def?: Record<string, unknown>) =>
  schema((value) => (passes(value) ? value : misfit()), def);

function fits(one: Schema, value: unknown): boolean {
  try {
    one.run(value);
    return true;
  } catch (error) {
    if (error instanceof Misfit) return false;
    throw error;
  }
}

const isText = (value: unknown): value is string => typeof value === 'string';
const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

export const string = () => where(isText);
export const boolean = () => where((value) => typeof value === 'boolean');
/** `Number.isFinite` refuses what is no number. */
export const number = () => where(Number.isFinite);
export const int = () => where(Number.isSafeInteger);
export const unknown = () => where(() => true);
export const never = () => where(() => false);

export function literal(values: unknown) {
  const all: unknown[] = Array.isArray(values) ? values : [values];
  return where((value) => all.includes(value), { values: all });
}

function enumeration(values: readonly unknown[] | Record<string, unknown>) {
  const all = Object.values(values);
  return where((value) => all.includes(value));
}

export { enumeration as enum };

export const optional = (innerType: Schema) =>
  schema((value) => (value === undefined ? value : innerType.run(value)), { innerType });
export const nullable = (innerType: Schema) =>
  schema((value) => (value === null ? value : innerType.run(value)), { innerType });
export const nullish = (innerType: Schema) => optional(nullable(innerType));
export const exactOptional = (innerType: Schema): Schema => ({
  ...schema(innerType.run, { innerType }),
  absent: true,
});

export function array(element: Schema) {
  return schema((value) => (Array.isArray(value) ? Array.from(value, (one) => element.run(one)) : misfit()), {
    element,
  });
}

export function object(shape: Shape): Schema {
  const members = Object.entries(shape);
  const run: Run = (value) => {
    if (!isObject(value)) misfit();
    const left: Record<string, unknown> = {};
    for (const [name, member] of members) {
      const isThere = name in value;
      if (!isThere && member.absent) continue;
      const one = member.run(value[name]);
      if (isThere || one !== undefined) left[name] = one;
    }
    return left;
  };
  return { ...schema(run, { shape }), shape };
}

export function strictObject(shape: Shape): Schema {
  const loose = object(shape);
  const run: Run = (value) => {
    const left = loose.run(value);
    return Object.keys(value as object).every((name) => Object.hasOwn(shape, name)) ? left : misfit();
  };
  return { ...schema(run, { shape }), shape };
}

export const extend = (base: Schema, shape: Shape) => object({ ...base.shape, ...shape });

export function record(_: Schema, values: Schema) {
  return schema((value) =>
    isObject(value)
      ? Object.fromEntries(Object.entries(value).map(([name, one]) => [name, values.run(one)]))
      : misfit(),
  );
}

export const union = (options: readonly Schema[]) =>
  schema(
    (value) => {
      for (const option of options) {
        try {
          return option.run(value);
        } catch (error) {
          if (!(error instanceof Misfit)) throw error;
        }
      }
      return misfit();
    },
    { options },
  );

export function discriminatedUnion(name: string, options: readonly Schema[]) {
  const run: Run = (value) => {
    if (!isObject(value)) misfit();
    const option = options.find(({ shape }) => shape?.[name] && fits(shape[name], value[name]));
    return option ? option.run(value) : misfit();
  };
  return schema(run, { options });
}

export const transform = (change: (value: unknown) => unknown) => schema(change);
export const pipe = (first: Schema, second: Schema) =>
  schema((value) => second.run(first.run(value)), { in: first });
export const coerce = { number: () => pipe(transform(Number), number()) };

export const url = () =>
  schema((value) => {
    const text = isText(value) ? value.trim() : '';
    // What the parser of addresses passes over is not in what it has read.
    return URL.canParse(text) ? text.replace(/[\t\n\r]/g, '') : misfit();
  });

const DAY =
  '(?:(?:\\d\\d[2468][048]|\\d\\d[13579][26]|\\d\\d0[48]|[02468][048]00|[13579][26]00)-02-29|\\d{4}-(?:(?:0[13578]|1[02])-(?:0[1-9]|[12]\\d|3[01])|(?:0[469]|11)-(?:0[1-9]|[12]\\d|30)|02-(?:0[1-9]|1\\d|2[0-8])))';
const MINUTE = '(?:[01]\\d|2[0-3]):[0-5]\\d';
const SECOND = ':[0-5]\\d(?:\\.\\d+)?';
const matching = (pattern: string) => {
  const whole = new RegExp(`^${pattern}$`);
  return where((value) => isText(value) && whole.test(value));
};
/** ISO 8601 as far as zod knows it. */
export const iso = {
  date: () => matching(DAY),
  datetime({ offset = false, local = false } = {}) {
    const zone = offset ? `(?:Z|[+-]${MINUTE})` : 'Z';
    return matching(`${DAY}T(?:${MINUTE}${SECOND}${zone}${local ? `|${MINUTE}(?:${SECOND})?` : ''})`);
  },
};

interface Long {
  length: number;
}
const check = (test: Test) => ({ test });
export const refine = (test: Test) => check(test);
export const minLength = (least: number) => check((value: Long) => value.length >= least);
export const maxLength = (most: number) => check((value: Long) => value.length <= most);
export const length = (exactly: number) => check((value: Long) => value.length === exactly);
export const regex = (pattern: RegExp) => check((value: string) => pattern.test(value));
export const minimum = (least: number) => check((value: number) => value >= least);
export const maximum = (most: number) => check((value: number) => value <= most);
export const positive = () => check((value: number) => value > 0);

/** The same schema as another object, to be known apart. */
export const clone = (one: Schema): Schema => ({ ...one });

/** What is noted of schemas. */
export function registry() {
  const notes = new WeakMap<Schema, unknown>();
  return {
    add: (one: Schema, note: unknown) => {
      notes.set(one, note);
    },
    get: (one: Schema) => notes.get(one),
  };
}

/** @throws Misfit */
export const parse = (one: Schema, value: unknown): unknown => one.run(value);

export function safeParse(one: Schema, value: unknown) {
  try {
    return { success: true, data: one.run(value) };
  } catch (error) {
    if (!(error instanceof Misfit)) throw error;
    return { success: false, error };
  }
}
