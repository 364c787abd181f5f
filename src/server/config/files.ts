// Where the sealed bytes of files stand that people add to their entries: in a folder, or in a bucket of an object store.
import { join } from 'node:path';
import { apiKey, ConfigProblem, serviceUrl } from './readers.ts';
import { type Environment, isSetIn, type Read, variable } from './variable.ts';

export const filesVariables = {
  FILES_FOLDER: variable({
    fallback: 'the folder files in DATA_DIR',
    says: 'The folder in which the sealed bytes of files are kept that people add to their entries. It is made with mode 0700. Several servers on one database must share it. A backup of the database needs one of this folder beside it.',
    read: (raw) => raw ?? null,
  }),
  FILES_S3_URL: variable({
    fallback: 'none: files are kept in FILES_FOLDER',
    says: 'The address of a bucket in an object store with the interface of Amazon S3, in place of a folder: https://s3.example.org/bucket or https://bucket.s3.example.org. The bucket belongs to this database alone, and keeps no versions. It needs https, except on this machine and in a private network. Needs FILES_S3_ACCESS_KEY and FILES_S3_SECRET_KEY.',
    read: (raw) => (raw === undefined ? null : serviceUrl(raw, 'the address of a bucket')),
  }),
  FILES_S3_REGION: variable({
    fallback: 'us-east-1',
    says: 'The region that requests to the bucket are signed for. Many stores take any.',
    read: (raw) => {
      if (raw !== undefined && !/^[a-z0-9-]{1,64}$/i.test(raw)) {
        throw new ConfigProblem('must be the name of a region, such as eu-central-1');
      }
      return raw ?? 'us-east-1';
    },
  }),
  FILES_S3_ACCESS_KEY: variable({
    fallback: 'none',
    says: 'The name of the key that may use the bucket. Required with FILES_S3_URL.',
    read: apiKey,
  }),
  FILES_S3_SECRET_KEY: variable({
    fallback: 'none',
    says: 'The secret of that key, which signs requests and is never sent. Required with FILES_S3_URL.',
    read: apiKey,
  }),
};

type ReadFiles = Read<typeof filesVariables>;

export interface FilesConfig {
  /** Not used where there is a bucket. */
  filesFolder: string;
  /** Null: files are kept in the folder. */
  filesBucket: { url: URL; key: { id: string; secret: string; region: string } } | null;
}

export function filesOf(values: ReadFiles & { DATA_DIR: string }): FilesConfig {
  const { FILES_S3_URL: url, FILES_S3_ACCESS_KEY: id, FILES_S3_SECRET_KEY: secret } = values;
  return {
    filesFolder: values.FILES_FOLDER ?? join(values.DATA_DIR, 'files'),
    filesBucket: url && id && secret ? { url, key: { id, secret, region: values.FILES_S3_REGION } } : null,
  };
}

/** What is missing beside what was set, and what excludes it. */
export function filesProblems(env: Environment): string[] {
  const isSet = isSetIn(env);
  const beside = ['FILES_S3_REGION', 'FILES_S3_ACCESS_KEY', 'FILES_S3_SECRET_KEY'];
  if (!isSet('FILES_S3_URL')) {
    return beside.filter(isSet).map((name) => `FILES_S3_URL is needed when ${name} is set.`);
  }
  return [
    ...beside
      .slice(1)
      .flatMap((name) => (isSet(name) ? [] : [`${name} is needed when FILES_S3_URL is set.`])),
    ...(isSet('FILES_FOLDER')
      ? ['FILES_FOLDER and FILES_S3_URL exclude each other: files stand in one place.']
      : []),
  ];
}
