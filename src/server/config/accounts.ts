// Accounts: who may have one, how people sign in, for how long, and how much they may store.
import { SESSION_DAYS_MAX } from '../../shared/nouns/session.ts';
import { signUpModes } from '../../shared/nouns/sign-up.ts';
import { byteCount, ConfigProblem, isLoopback, list, webUrl, wholeNumber } from './readers.ts';
import { type Read, variable } from './variable.ts';

export const accountVariables = {
  SESSION_DAYS: variable({
    fallback: '30',
    says: `After how many days without a visit a session ends by itself, ${SESSION_DAYS_MAX} at most. It ends ${SESSION_DAYS_MAX} days after signing in even if it is used every day.`,
    read: wholeNumber(1, SESSION_DAYS_MAX, 30),
  }),
  SIGN_UP: variable({
    fallback: 'the administrator decides in Settings; open at first',
    says: 'Who may create an account: open (everybody), invitation (whoever has a one-time invitation from an administrator) or closed (nobody). While there is no administrator, the set-up token counts as an invitation in either case, and whom ADMIN_SUBJECTS names by a subject always may.',
    read: (raw) => {
      if (raw === undefined) return null;
      const mode = signUpModes.find((known) => known === raw);
      if (!mode) throw new ConfigProblem(`must be one of ${signUpModes.join(', ')}`);
      return mode;
    },
  }),
  OIDC_ISSUER: variable({
    fallback: 'none: the embedded gate at /enter',
    says: 'An OpenID Connect provider that signs people in instead of the embedded gate.',
    read: (raw) => {
      if (raw === undefined) return null;
      const url = webUrl(raw, 'the address of an OpenID provider');
      if (url.protocol !== 'https:' && !isLoopback(url.hostname)) {
        throw new ConfigProblem('must use https, except for a provider on this machine');
      }
      return url;
    },
  }),
  OIDC_CLIENT_ID: variable({
    fallback: 'none',
    says: 'The client id that the provider gave this server. Required with OIDC_ISSUER.',
    read: (raw) => raw ?? null,
  }),
  OIDC_CLIENT_SECRET: variable({
    fallback: 'none: a public client with PKCE',
    says: 'The client secret that the provider gave this server.',
    read: (raw) => raw ?? null,
  }),
  ADMIN_SUBJECTS: variable({
    fallback: 'none',
    says: 'Who administers this server besides the person who entered the set-up token: subjects of the OpenID provider, or account numbers as Settings shows them, separated by commas.',
    read: (raw) => new Set(list(raw)),
  }),
  QUOTA_BYTES: variable({
    fallback: '1G',
    says: 'How many bytes an account may store: a whole number, perhaps with K, M, G or T behind it for units of 1,024. An account above it keeps what it has, and can read, export and delete it.',
    read: byteCount(2 ** 30),
  }),
  QUOTA_ROWS: variable({
    fallback: '100000',
    says: 'How many rows an account may store: entries, links, letters, keys and messages together.',
    read: wholeNumber(1, 2 ** 31, 100_000),
  }),
};

type ReadAccounts = Read<typeof accountVariables>;

export interface AccountsConfig {
  sessionDays: ReadAccounts['SESSION_DAYS'];
  /** Null: the administrator's switch in Settings decides. */
  signUp: ReadAccounts['SIGN_UP'];
  oidc: { issuer: URL; clientId: string; clientSecret: string | null } | null;
  adminSubjects: ReadAccounts['ADMIN_SUBJECTS'];
  quota: {
    /** For each account. */
    bytes: ReadAccounts['QUOTA_BYTES'];
    rows: ReadAccounts['QUOTA_ROWS'];
  };
}

export function accountsOf(values: ReadAccounts): AccountsConfig {
  const { OIDC_ISSUER: issuer, OIDC_CLIENT_ID: clientId, OIDC_CLIENT_SECRET: clientSecret } = values;
  return {
    sessionDays: values.SESSION_DAYS,
    signUp: values.SIGN_UP,
    oidc: issuer && clientId ? { issuer, clientId, clientSecret } : null,
    adminSubjects: values.ADMIN_SUBJECTS,
    quota: { bytes: values.QUOTA_BYTES, rows: values.QUOTA_ROWS },
  };
}

/** What is missing beside what was set. */
export function accountProblems(values: ReadAccounts): string[] {
  return values.OIDC_ISSUER && !values.OIDC_CLIENT_ID
    ? ['OIDC_CLIENT_ID is needed when OIDC_ISSUER is set.']
    : [];
}
