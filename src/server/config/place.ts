// Where a server stands: its address, its data, its secret, and what stands before it.
import { BlockList, isIP } from 'node:net';
import { ConfigProblem, list, originAlone, webUrl, wholeNumber, yesOrNo } from './readers.ts';
import { type Read, variable } from './variable.ts';

export const placeVariables = {
  PORT: variable({
    fallback: '3000',
    says: 'The port to listen on.',
    read: wholeNumber(0, 65535, 3000),
  }),
  HOST: variable({
    fallback: '127.0.0.1',
    says: 'The address to listen on. The default is reached from this machine alone; a container wants 0.0.0.0.',
    read: (raw) => raw ?? '127.0.0.1',
  }),
  PUBLIC_URL: variable({
    fallback: 'http://localhost:PORT',
    says: 'The address that people type. It fixes the origin, the cookies and the domain that passkeys belong to. Changing it later makes existing passphrases useless, and passkeys too if the host changes. Everything but localhost needs https. By where it leads, the switch of legacy scrolls tells a copy of this server from a server that was moved; with localhost it cannot, and once paused it waits until somebody confirms. After a change the switch asks whether this server is the one that goes on.',
    read: (raw) => {
      if (raw === undefined) return null;
      return originAlone(webUrl(raw, 'the full address of this server'));
    },
  }),
  DATA_DIR: variable({
    fallback: './data',
    says: 'The folder of the secrets and of the embedded database. It is made with mode 0700.',
    read: (raw) => raw ?? './data',
  }),
  DATABASE_URL: variable({
    fallback: 'the embedded database in DATA_DIR',
    says: 'A PostgreSQL connection, such as postgres://user:password@host:5432/latebra. With it, many servers can share one database.',
    read: (raw) => {
      if (raw === undefined) return null;
      if (!/^postgres(ql)?:\/\//.test(raw))
        throw new ConfigProblem('must begin with postgres:// or postgresql://');
      return raw;
    },
  }),
  SECRET_KEY: variable({
    fallback: 'made at first start, kept in DATA_DIR/secret.key',
    says: 'The secret of this instance: 32 bytes as 64 hex characters. Several servers on one database must share it.',
    read: (raw) => {
      if (raw === undefined) return null;
      if (!/^[0-9a-f]{64}$/i.test(raw))
        throw new ConfigProblem('must be 64 hex characters (openssl rand -hex 32)');
      return Buffer.from(raw, 'hex');
    },
  }),
  TRUSTED_PROXIES: variable({
    fallback: 'none',
    says: 'Addresses or networks of reverse proxies whose X-Forwarded-For and X-Forwarded-Host are believed, separated by commas, such as 127.0.0.1,10.0.0.0/8. Without it, everybody behind a proxy counts as one when attempts are counted.',
    read: (raw) => {
      const items = list(raw);
      if (items.length === 0) return null;
      const trusted = new BlockList();
      for (const item of items) {
        const [, address = '', bits] = /^([^/]+)(?:\/(\d{1,3}))?$/.exec(item) ?? [];
        const family = isIP(address);
        const width = family === 6 ? 128 : 32;
        const prefix = bits === undefined ? width : Number(bits);
        if (family === 0 || prefix > width) {
          throw new ConfigProblem(`holds "${item}", which is neither an address nor a network`);
        }
        trusted.addSubnet(address, prefix, family === 6 ? 'ipv6' : 'ipv4');
      }
      return trusted;
    },
  }),
  HSTS_SUBDOMAINS: variable({
    fallback: 'no',
    says: 'Whether browsers are told to use https for every subdomain of this host as well, for two years: yes or no. Say yes only where all of them have https. Needs a PUBLIC_URL with https.',
    read: yesOrNo,
  }),
};

export type ReadPlace = Read<typeof placeVariables>;

export interface PlaceConfig {
  port: ReadPlace['PORT'];
  host: ReadPlace['HOST'];
  /** Null: only loopback addresses are served, at whatever port they were typed with. */
  publicUrl: ReadPlace['PUBLIC_URL'];
  dataDir: ReadPlace['DATA_DIR'];
  databaseUrl: ReadPlace['DATABASE_URL'];
  secretKey: ReadPlace['SECRET_KEY'];
  /** Null when there are none. */
  trustedProxies: ReadPlace['TRUSTED_PROXIES'];
  /** Whether HSTS binds the subdomains of this host, too. */
  hstsSubdomains: ReadPlace['HSTS_SUBDOMAINS'];
}

export const placeOf = (values: ReadPlace): PlaceConfig => ({
  port: values.PORT,
  host: values.HOST,
  publicUrl: values.PUBLIC_URL,
  dataDir: values.DATA_DIR,
  databaseUrl: values.DATABASE_URL,
  secretKey: values.SECRET_KEY,
  trustedProxies: values.TRUSTED_PROXIES,
  hstsSubdomains: values.HSTS_SUBDOMAINS,
});

/** What does not fit together of it. */
export function placeProblems(values: ReadPlace): string[] {
  return values.HSTS_SUBDOMAINS && values.PUBLIC_URL?.protocol !== 'https:'
    ? ['HSTS_SUBDOMAINS needs a PUBLIC_URL with https.']
    : [];
}
