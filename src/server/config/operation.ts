// How a server is watched and what it tells: metrics, the dead man’s switch, its sources, its log.
import { ConfigProblem, webUrl, yesOrNo } from './readers.ts';
import { type Read, variable } from './variable.ts';

export const operationVariables = {
  METRICS_TOKEN: variable({
    fallback: 'none: /metrics answers 404',
    says: 'The bearer token with which Prometheus may read /metrics; at least 16 characters.',
    read: (raw) => {
      if (raw === undefined) return null;
      if (raw.length < 16) throw new ConfigProblem('must have at least 16 characters');
      return raw;
    },
  }),
  OUTSIDE_LOOK: variable({
    fallback: 'yes',
    says: 'Whether the server asks for its own PUBLIC_URL once an hour, so that time in which nobody can reach it is not counted as silence: yes or no. Say no where something in front of it, such as a check for robots, lets people through and the server itself not.',
    read: (raw) => raw === undefined || yesOrNo(raw),
  }),
  SWITCH_RESUME: variable({
    fallback:
      'after 90 days, or 180 where no author can be told: a paused dead man’s switch goes on by itself when nobody has answered for so long',
    says: 'Where it is never, a dead man’s switch that was paused, because its database was restored or has another key, waits for its administrator for ever. Otherwise it goes on by itself when 90 days were counted since a mail that told an author of it was accepted, or 180 days since it was paused, whichever is sooner: the administrator may be the one who died.',
    read: (raw) => {
      if (raw !== undefined && raw !== 'never') throw new ConfigProblem('must be never, or left out');
      return raw ?? 'after-long';
    },
  }),
  WATCHDOG_URL: variable({
    fallback: 'none',
    says: 'An address that is asked for by GET after each minute that the dead man’s switch has counted: that of a service which raises the alarm when this stops, such as the ping address of a check at Healthchecks. It is never logged. While the switch is paused or PUBLIC_URL does not answer, it is not asked for.',
    read: (raw) => {
      if (raw === undefined) return null;
      const url = webUrl(raw, 'the address of a service that watches this server');
      if (url.username || url.password) throw new ConfigProblem('must hold no user and no password');
      return url;
    },
  }),
  SOURCE_URL: variable({
    fallback: 'the sources that this server was built from, as a zip at /source',
    says: 'Where the source code of the version that runs here can be had, such as a tag in a repository. The links “Source code” lead there. The licence (AGPL) asks everybody who runs a changed version to offer its source to those who use it.',
    read: (raw) => (raw === undefined ? null : webUrl(raw, 'the address of the source code')),
  }),
  SECURITY_CONTACT: variable({
    fallback: 'none: /.well-known/security.txt answers 404',
    says: 'Where people report weaknesses of this server: an address such as mailto:security@example.org, or a page with https. /.well-known/security.txt tells it to everybody.',
    read: (raw) => (raw === undefined ? null : reportAddress(raw)),
  }),
  LOG_LEVEL: variable({
    fallback: 'info',
    says: 'How much is logged: fatal, error, warn, info, debug or silent. Contents and keys are logged at no level.',
    read: (raw) => {
      const levels = ['fatal', 'error', 'warn', 'info', 'debug', 'silent'];
      if (raw !== undefined && !levels.includes(raw))
        throw new ConfigProblem(`must be one of ${levels.join(', ')}`);
      return raw ?? 'info';
    },
  }),
};

type ReadOperation = Read<typeof operationVariables>;

export interface OperationConfig {
  /** Null: nobody may read the metrics. */
  metricsToken: ReadOperation['METRICS_TOKEN'];
  /** A `mailto:` or `https:` address; null where nobody is named. */
  securityContact: ReadOperation['SECURITY_CONTACT'];
  /** Whether the server looks whether its own address leads to it. */
  outsideLook: boolean;
  /** Whether a paused switch goes on by itself when nobody has answered for long. */
  switchResume: 'never' | 'after-long';
  /** Null: nobody is told that the switch counts. */
  watchdogUrl: ReadOperation['WATCHDOG_URL'];
  /** Null: the archive that the build made. */
  sourceUrl: ReadOperation['SOURCE_URL'];
  logLevel: ReadOperation['LOG_LEVEL'];
}

export const operationOf = (values: ReadOperation): OperationConfig => ({
  metricsToken: values.METRICS_TOKEN,
  securityContact: values.SECURITY_CONTACT,
  outsideLook: values.OUTSIDE_LOOK,
  switchResume: values.SWITCH_RESUME as OperationConfig['switchResume'],
  watchdogUrl: values.WATCHDOG_URL,
  sourceUrl: values.SOURCE_URL,
  logLevel: values.LOG_LEVEL,
});

/** An address at which somebody can be told something: one of mail, or of a page. */
function reportAddress(raw: string): string {
  const isMail = /^mailto:[^\s@?]+@[^\s@?]+$/.test(raw);
  const url = URL.canParse(raw) ? new URL(raw) : null;
  if (!isMail && (url?.protocol !== 'https:' || url.username || url.password)) {
    throw new ConfigProblem('must be an address such as mailto:security@example.org, or a page with https');
  }
  return url?.href ?? raw;
}
