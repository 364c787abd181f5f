// The configuration: all variables in one table, which docs/configuration.md is generated from, and how an environment is
// read by it. Each subject has its variables, and what becomes of them, in config/. Only main.ts hands the environment in.
import { type AccountsConfig, accountProblems, accountsOf, accountVariables } from './config/accounts.ts';
import { type FilesConfig, filesOf, filesProblems, filesVariables } from './config/files.ts';
import { type MessagesConfig, messageProblems, messagesOf, messageVariables } from './config/messages.ts';
import { type ModelsConfig, modelProblems, modelsOf, modelVariables } from './config/models.ts';
import { type OperationConfig, operationOf, operationVariables } from './config/operation.ts';
import { type PaymentsConfig, paymentProblems, paymentsOf, paymentVariables } from './config/payments.ts';
import { type PlaceConfig, placeOf, placeProblems, placeVariables } from './config/place.ts';
import { ConfigProblem } from './config/readers.ts';
import { type SistersConfig, sistersConfigOf, sistersProblems, sistersVariables } from './config/sisters.ts';
import { type TokenConfig, tokenOf, tokenVariables } from './config/token.ts';
import type { Environment, Read } from './config/variable.ts';

/** All mistakes of one environment, each as a sentence. */
export class ConfigError extends Error {
  readonly problems: string[];
  constructor(problems: string[]) {
    super(
      `The configuration has ${problems.length === 1 ? 'a mistake' : 'mistakes'}:\n  ${problems.join('\n  ')}`,
    );
    this.problems = problems;
  }
}

/** In the order in which they are documented. */
export const variables = {
  ...placeVariables,
  ...filesVariables,
  ...accountVariables,
  ...messageVariables,
  ...sistersVariables,
  ...modelVariables,
  ...tokenVariables,
  ...paymentVariables,
  ...operationVariables,
};

export interface Config
  extends PlaceConfig,
    FilesConfig,
    AccountsConfig,
    MessagesConfig,
    SistersConfig,
    ModelsConfig,
    TokenConfig,
    PaymentsConfig,
    OperationConfig {
  /** Folders in which programs are looked for, separated as the system does. */
  searchPath: string;
}

/**
 * Reads and checks an environment. An empty variable counts as absent.
 * @throws ConfigError with one sentence for each mistake
 */
export function readConfig(env: Environment): Config {
  const problems: string[] = [];
  const values = Object.fromEntries(
    Object.entries(variables).map(([name, { read }]) => {
      try {
        return [name, read(env[name]?.trim() || undefined)];
      } catch (error) {
        if (!(error instanceof ConfigProblem)) throw error;
        problems.push(`${name} ${error.message}.`);
        return [name, undefined];
      }
    }),
  ) as Read<typeof variables>;
  problems.push(
    ...placeProblems(values),
    ...filesProblems(env),
    ...accountProblems(values),
    ...messageProblems(env, values),
    ...sistersProblems(values, values),
    ...modelProblems(env),
    ...paymentProblems(env, values),
  );
  if (problems.length > 0) throw new ConfigError(problems);
  return {
    ...placeOf(values),
    ...filesOf(values),
    ...accountsOf(values),
    ...messagesOf(values),
    ...sistersConfigOf(values),
    ...modelsOf(values),
    ...tokenOf(values),
    ...paymentsOf(values),
    ...operationOf(values),
    searchPath: env.PATH ?? '',
  };
}
