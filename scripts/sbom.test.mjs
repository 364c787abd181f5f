import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { isForDevelopment, writeSbom } from './sbom.mjs';

// npm takes its time on a busy machine.
vi.setConfig({ testTimeout: 120_000 });

test('the list of packages is CycloneDX, names what Latebra runs with, and says that nothing signs it', {
  tags: 'long',
}, () => {
  const folder = mkdtempSync(join(tmpdir(), 'latebra-sbom-'));
  const file = join(folder, 'latebra.cdx.json');
  const sentence = writeSbom(file);
  const sbom = JSON.parse(readFileSync(file, 'utf8'));
  rmSync(folder, { recursive: true });
  const { name, version, dependencies, devDependencies } = JSON.parse(readFileSync('package.json', 'utf8'));
  const tools = JSON.parse(readFileSync('tools/package.json', 'utf8')).devDependencies;

  expect(sbom).toMatchObject({ bomFormat: 'CycloneDX', metadata: { component: { name, version } } });
  const found = new Map(
    sbom.components.map((component) => [`${component.name}@${component.version}`, component]),
  );
  for (const [dependency, wanted] of Object.entries(dependencies)) {
    const component = found.get(`${dependency}@${wanted}`);
    expect(component, dependency).toBeDefined();
    expect(isForDevelopment(component), dependency).toBe(false);
    expect(component.hashes[0].content, dependency).toMatch(/^[0-9a-f]{128}$/);
    expect(component.licenses, dependency).not.toEqual([]);
  }
  expect(isForDevelopment(found.get(`vite@${devDependencies.vite}`))).toBe(true);
  expect(isForDevelopment(found.get(`vitest@${tools.vitest}`))).toBe(true);
  expect(sbom.signature).toBeUndefined();
  expect(sentence).toContain('It is signed by nothing yet');
});
