// The schemas of the built app (src/web/api/small-schemas.ts) beside zod, over the whole contract: both take the same values
// and leave the same of them.
import { fileURLToPath } from 'node:url';
import { runnerImport } from 'vite';
import { beforeAll, describe, expect, it } from 'vitest';
import * as z from 'zod/mini';
import { contractRows } from '../../shared/http/contract.ts';
import { fieldsOf } from '../../shared/http/field-classes.ts';
import { readLock } from '../../shared/nouns/memory.ts';
import { createRandom } from '../../simulation/random.ts';
import { disturb, extend, fitting, hostileValue } from './bodies.ts';

const SEED = 20_261_123;
const TIMES = 60;

type Fields = { path: string; meta: unknown }[];
interface App {
  safeParse: (schema: unknown, value: unknown) => { success: boolean; data?: unknown };
  contractRows: () => { name: string; row: Record<string, never> }[];
  fieldsOf: (schema: unknown) => Fields;
  readLock: typeof readLock;
}

/** Our modules as the build makes them, with the small schemas in zod's place. All at once, so that each is there once. */
async function load(...paths: string[]): Promise<App> {
  const at = (file: string) => fileURLToPath(new URL(`../../${file}`, import.meta.url));
  const alias = { 'zod/mini': at('web/api/small-schemas.ts') };
  const entry = {
    name: 'entry',
    resolveId: (id: string) => (id.endsWith('virtual:entry') ? '\0entry' : undefined),
    load: (id: string) =>
      id === '\0entry'
        ? paths.map((path) => `export * from ${JSON.stringify(at(path))};`).join('\n')
        : undefined,
  };
  const { module } = await runnerImport<App>('virtual:entry', {
    configFile: false,
    plugins: [entry],
    resolve: { alias },
  });
  return module;
}

describe('the small schemas of the app', () => {
  let app: App;
  beforeAll(async () => {
    app = await load(
      'shared/http/contract.ts',
      'shared/http/field-classes.ts',
      'shared/nouns/memory.ts',
      'web/api/small-schemas.ts',
    );
  });

  it.each(contractRows())('agree with zod on $name', ({ name, row }) => {
    const random = createRandom(SEED);
    const own = app.contractRows().find((one) => one.name === name)?.row;
    for (const part of ['query', 'body', 'reply'] as const) {
      const schema = row[part];
      if (!schema) continue;
      for (let time = 0; time < TIMES; time += 1) {
        const value = fitting(schema, random, {});
        for (const tried of [
          value,
          JSON.parse(extend(value, random)),
          disturb(value, random),
          hostileValue(random),
          undefined,
        ]) {
          const expected = z.safeParse(schema, tried);
          const found = app.safeParse(own?.[part], tried);
          const label = `${part} ${JSON.stringify(tried)?.slice(0, 300)}`;
          expect(found.success, label).toBe(expected.success);
          if (expected.success) expect(found.data, label).toStrictEqual(expected.data);
        }
      }
    }
  });

  it('are walked as zod’s are, for what this server can see', () => {
    for (const { name, row } of contractRows()) {
      const own = app.contractRows().find((one) => one.name === name)?.row;
      for (const part of ['query', 'body', 'reply'] as const) {
        const schema = row[part];
        if (schema) expect(app.fieldsOf(own?.[part]), `${name} ${part}`).toStrictEqual(fieldsOf(schema));
      }
    }
  });

  it.each([
    ['2031-01-31'],
    ['2031-02-30'],
    ['2032-02-29'],
    ['2031-01-31T12:00'],
    ['2031-01-31T12:00:05.123'],
    ['2031-01-31T12:00Z'],
    ['2031-01-31T12:00:00Z'],
    ['2031-01-31T12:00:00+02:00'],
    ['2031-01-31T24:00:00Z'],
    ['2031-01-31T12:00:00+0200'],
    ['0000-01-01'],
    [' 2031-01-31'],
    ['tomorrow'],
  ])('read the moment %s alike', (text) => {
    expect(app.readLock(text)).toBe(readLock(text));
  });
});
