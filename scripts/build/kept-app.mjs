// The files of the app that a device keeps for a start without a network, each with its digest, and the service worker that knows
// their list. The worker's bytes so name every byte that is kept.
import { createHash } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/** Where the app's document stands on the server, which has the desk in it. */
const DOCUMENT = '/';
/** Large, and wanted by few, or for what needs the server anyway: kept once it was used. */
const WHEN_USED = /^(?:(?:strength|import|archive|ark|loom|sealing)-worker|phone-numbers|openpgp\.min)-/;

/** @param {Buffer} bytes @returns {string} as a browser checks it */
const integrityOf = (bytes) => `sha256-${createHash('sha256').update(bytes).digest('base64')}`;

/**
 * @param {string[]} files what the bundler has made of the app
 * @param {string} document the app's document
 * @returns {string[]} what is kept, without the document: addresses, in a stable order
 */
export function keptFiles(files, document) {
  const named = document.match(/\/assets\/[\w.-]+/g) ?? [];
  const ofApp = files.filter((file) => file.startsWith('assets/')).map((file) => `/${file}`);
  const kept = ofApp.filter((file) => !WHEN_USED.test(file.slice('/assets/'.length)));
  return [...new Set([...named, ...kept])].sort();
}

/**
 * Writes the list into the built web app, and its name into the service worker.
 * @param {string} web its folder
 * @param {string[]} files what the bundler has made of the app
 * @param {Buffer} headers what the document's headers are made of: they are kept with it
 */
export async function writeKeptApp(web, files, headers) {
  const document = await readFile(join(web, 'desk.html'));
  const integrities = { [DOCUMENT]: integrityOf(document) };
  for (const file of keptFiles(files, document.toString()))
    integrities[file] = integrityOf(await readFile(join(web, file)));
  const list = `${JSON.stringify(integrities, null, 1)}\n`;
  const name = `/assets/kept-${createHash('sha256').update(list).update(headers).digest('hex').slice(0, 8)}.json`;
  await writeFile(join(web, name), list);
  const path = join(web, 'service-worker.js');
  const worker = await readFile(path, 'utf8');
  const filled = worker.replace('{list}', name).replace('{integrity}', integrityOf(Buffer.from(list)));
  if (!filled.includes(`'${name}'`) || filled.includes('{integrity}'))
    throw new Error('the service worker has no place for its list');
  await writeFile(path, filled);
}
