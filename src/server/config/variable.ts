// What a variable of the configuration is, and what an environment says once its variables are read.

export interface Variable<T> {
  /** Shown in the documentation; what happens when the variable is not set. */
  fallback: string;
  says: string;
  /** Returns the value, or throws a ConfigProblem with a sentence. */
  read: (raw: string | undefined) => T;
}

export function variable<T>(definition: Variable<T>): Variable<T> {
  return definition;
}

/** What variables say, by their names. */
export type Read<Variables extends Record<string, Variable<unknown>>> = {
  [Name in keyof Variables]: ReturnType<Variables[Name]['read']>;
};

export type Environment = Readonly<Record<string, string | undefined>>;

/** Whether a variable is there and not empty, whether or not it can be read. */
export const isSetIn =
  (env: Environment) =>
  (name: string): boolean =>
    Boolean(env[name]?.trim());
