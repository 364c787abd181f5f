// Writes down of which packages Latebra is made: `npm run sbom -- [file]`. The list is npm's own (CycloneDX), read from
// package-lock.json with names, versions, licences and hashes. Nothing signs it.
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const DEVELOPMENT = 'cdx:npm:package:development';

/** Whether a package only builds and tests. */
export const isForDevelopment = ({ properties = [] }) =>
  properties.some(({ name, value }) => name === DEVELOPMENT && value === 'true');

/** The list of packages, as npm makes it. */
export function readSbom() {
  const args = ['sbom', '--sbom-format=cyclonedx', '--sbom-type=application', '--package-lock-only'];
  const listed = execFileSync('npm', args, {
    cwd: root,
    encoding: 'utf8',
    maxBuffer: 64 * 1024 * 1024,
    stdio: ['ignore', 'pipe', 'ignore'],
    shell: process.platform === 'win32',
  });
  const sbom = JSON.parse(listed);
  // npm names the application after the folder that it lies in.
  const { name, version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  Object.assign(sbom.metadata.component, { name, version });
  return sbom;
}

/** Writes the list, and says so in a sentence. */
export function writeSbom(file) {
  const sbom = readSbom();
  const { name, version } = sbom.metadata.component;
  const target = resolve(file ?? `${name}-${version}.cdx.json`);
  writeFileSync(target, `${JSON.stringify(sbom, null, 2)}\n`);
  const runs = sbom.components.filter((component) => !isForDevelopment(component)).length;
  return `${target} names the ${runs} packages that ${name} ${version} runs with and the ${sbom.components.length - runs} that build and test it, in ${sbom.bomFormat} ${sbom.specVersion}. It is signed by nothing yet: it is worth as much as the copy of the repository that it was made from.`;
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  process.stdout.write(`${writeSbom(process.argv[2])}\n`);
}
