// What `npm start` says of a wrong configuration before it builds.
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const script = fileURLToPath(new URL('check-config.mjs', import.meta.url));
const check = (env) =>
  spawnSync(process.execPath, [script], { env: { PATH: process.env.PATH, ...env }, encoding: 'utf8' });

test('a configuration without a mistake is passed over in silence', () => {
  const { status, stdout, stderr } = check({ PUBLIC_URL: 'https://vault.example.org' });
  expect({ status, stdout, stderr }).toEqual({ status: 0, stdout: '', stderr: '' });
});

test('every mistake is told, in a sentence', () => {
  const { status, stderr } = check({ PORT: 'many', SMTP_URL: 'smtp://mail.example.org' });
  expect(status).toBe(1);
  expect(stderr).toContain('The configuration has mistakes:');
  expect(stderr).toContain('PORT ');
  expect(stderr).toContain('PUBLIC_URL');
});
