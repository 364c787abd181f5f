// Measures what docs/performance.md promises, in one run on one machine, and writes the table there. Rates are ratios
// against a bare route measured in turns with ours; everything is a median. Run it alone on an idle machine:
// `npm run bench`, a quarter of an hour. It is no test: nothing fails when a target is missed, the table says so. With names,
// such as `npm run bench -- pages vault`, it measures only these, and prints what it would write.
import { writeFileSync } from 'node:fs';
import { cpus, totalmem } from 'node:os';
import { join } from 'node:path';
import { measureArk } from './ark.mjs';
import { measureBook } from './book.mjs';
import { measureBurns } from './burns.mjs';
import { measureCounting } from './counting.mjs';
import { measureDueAtOnce } from './due-at-once.mjs';
import { measureFiles } from './files.mjs';
import { measureFirstStart } from './first-start.mjs';
import { measureGrowth } from './growth.mjs';
import { measureHolders } from './holders.mjs';
import { measureImports } from './imports.mjs';
import { root } from './instance.mjs';
import { measureOffline } from './offline.mjs';
import { measureOpening } from './opening.mjs';
import { measurePages } from './pages.mjs';
import { measureRates } from './rates.mjs';
import { measureStart } from './start.mjs';
import { measureVault } from './vault.mjs';
import { measureWeaving } from './weaving.mjs';

const measurements = {
  rates: measureRates,
  burns: measureBurns,
  book: measureBook,
  growth: measureGrowth,
  due: measureDueAtOnce,
  counting: measureCounting,
  start: measureStart,
  'first-start': measureFirstStart,
  pages: measurePages,
  opening: measureOpening,
  vault: measureVault,
  offline: measureOffline,
  imports: measureImports,
  files: measureFiles,
  holders: measureHolders,
  weaving: measureWeaving,
  ark: measureArk,
};
const asked = process.argv.slice(2);
const unknown = asked.filter((name) => !Object.hasOwn(measurements, name));
if (unknown.length > 0)
  throw new Error(`no measurement is called ${unknown.join(', ')}: ${Object.keys(measurements).join(', ')}`);

const sections = [];
const failed = [];
for (const [name, measure] of Object.entries(measurements)) {
  if (asked.length > 0 && !asked.includes(name)) continue;
  process.stdout.write(`Measuring ${name}… `);
  const began = performance.now();
  // What the others have found in a quarter of an hour is not lost with it; the page is written only by a whole run.
  await measure().then(
    (rows) => sections.push(...rows),
    (error) => {
      failed.push(name);
      process.stdout.write(`failed: ${error.stack ?? error}\n`);
    },
  );
  process.stdout.write(`${Math.round((performance.now() - began) / 1000)} s\n`);
}

const row = ({ what, measured, target, met }) =>
  `| ${what} | ${measured} | ${target} | ${met ? 'met' : '**missed**'} |`;
const table = ['| what | measured | target | |', '|---|---|---|---|', ...sections.map(row)].join('\n');

process.stdout.write(`${table}\n`);
if (failed.length > 0)
  throw new Error(`not measured: ${failed.join(', ')}. docs/performance.md is as it was`);
if (asked.length > 0) process.exit();

const machine = `${cpus().length} cores (${cpus()[0]?.model.trim()}), ${Math.round(totalmem() / 2 ** 30)} GiB, Node ${process.versions.node}`;
writeFileSync(
  join(root, 'docs', 'performance.md'),
  `# Performance

This page is written by \`npm run bench\` (see \`bench/\`). Figures are medians of several rounds in one run on one
machine; rates are given as a share of what a bare Hono route with the same Kysely statement reaches on the same
database file, measured in turns with ours, because machines differ and are noisy. The bare route builds and prepares its
statement anew for each request, as Kysely does by itself; ours keeps hot statements compiled and prepared, which is how it
can come out ahead.

Measured on ${machine}, embedded database.
Machines of one name differ by half: the limits in milliseconds are those of one on which a bare page took 52 ms and the
bare route created 2,100 memories a second. The rows about the landing and about creating a memory say what this one did.

${table}

- *Create and read*: ten connections over loopback, the load generator on the same machine. Ours does what the bare
  route leaves out: the session, the contract's checks, the security headers, the metrics.
- *Counted for its quota*: the same server in turns with the triggers of \`usage\` and without them.
- *A note that burns*: a ghost that is read once, over ten connections. The bare route beside it keeps each note in a file
  and removes it, without flushing either to the disk; ours is on the disk before it is answered, and a burned one is
  overwritten there. Links are sealed over ten connections as well.
- *Rows of each kind*: memories, relationships, myths, ghosts, links and scrolls of one account. *An empty vault’s* is
  what the same request costs on a second server, in a vault without any row, in turns with the first; 3,000 requests warm
  each of them up. *Stalls* are the longest
  time for which a timer of the thread that answers had to wait, in a minute with one sweep and one heartbeat. All
  scrolls are in their warning window; in the first minute it is written down when each is to be looked at next.
- *Letters due at once*: of 200 authors, a hundred each. One tick is the time from the first release to the last, divided
  by the ticks that it took; what is asked for meanwhile, again and again, is the dashboard's summary.
- *Server CPU*: the process's own CPU time divided by the requests it answered in the rounds above.
- *First 200*: from the start of the process, on a database that exists already, until \`/healthz\` answers.
- *First start*: \`npm start\` in a fresh clone with an empty cache of npm, in turns with \`npm create vite\` of a React
  template, \`npm install\` and \`npm run build\`. Both wait for the package registry.
- *On the wire*: bytes of the answers' bodies as they were sent (brotli), counted by the browser.
- *First load*: with the headers of the answers. What the page fetches by itself afterwards is what looks at the vault’s book.
- *LCP*: largest contentful paint over loopback in headless Chromium, without throttling. *A bare page* has one heading and
  no file besides; it is opened in turns with the landing.
- *Second visit*: on a device of one owner, whose service worker keeps the app; where nothing is slowed down, in turns with a bare page. The
  largest paint is the line to write in, which stands in the document ([decision 217](decisions/0217-the-desk-stands-in-the-document.md)); the
  app takes its place some 40 ms later. It waits, for some 12 ms of these, until the browser has told of that paint: one whose element is replaced
before is seen all the same, at 112 ms in the median either way, and counted as the later one.
- *From the address to …*: from the navigation in an empty cache, everything pressed as soon as it is there. *Slow 4G*: 150 ms
  of latency, 1.6 Mbit/s, as Chromium emulates it, and a quarter of the CPU.
- *Ten thousand memories*: from the press on the chamber's door, as soon as it is there, until every title and text is opened and searchable; the
  frame gap is the longest time between two animation frames on that way, a search included. *Without the app*: the same
  pages fetched one after the other and parsed, and as many records of that size decrypted.
- *The server killed*: from the press on the chamber's door in a page that stands open, and from the address of a page that is opened anew on
  a device that keeps its lists, until all ten thousand are listed, and until a search has found one.
- *An Ark*: opened from the disk by its 24 words.
- *10,000 messages imported*: from the choice of a chat's file until the last of its thousand memories is sealed; the
  frame gap as above. *A zip of 500 MB* is almost all video, which is not read.
- *Photographs and files*: a form that may have some fetches 5.8 KB with its field. The choice of a first file fetches 6.2 KB more and the
  worker that seals, 1.4 KB; that of a first picture up to 4.4 KB besides, 12.1 KB in all. An entry that has some fetches 8.3 KB with
  its reader, of which what keeps files on a device is 2.5 KB, and the look at a first picture up to 10.4 KB (wanted: 12 KB for each
  of these). The recorder is 3.4 KB of its own. The first load has the names of their parts.
- *A file of 2 GiB*: from its choice until the form says that it is ready, which is one reading and one sealing of it, in
  headless Chromium with the server on the same machine; and from the press on Download until it is whole on the page's own
  disk. A *bare PUT* sends as many bytes from the same page, in pieces as large and as many at once, to a server that writes each to
  the disk, before and after. What the page holds is the heap of JavaScript and the buffers outside of it, without those of the worker that
  seals, which has two blocks of 8 MiB and what it reads ahead; what the server has is
  VmHWM of the system, the program itself included. Each byte is sealed once and hashed twice on its way
  ([decision 214](decisions/0214-a-file-is-sealed-once-and-how-far-is-kept.md)). Debian's Chromium computes AES and SHA-256 in software: sealing
  and hashing take some nine milliseconds of processor a megabyte, a bare PUT four, and both cores are busy with either. So no more than 0.3 to
  0.4 of a bare PUT can be had there; AES of the same processor's own, which other builds use, is fifteen times as fast.
- *50,000 token accounts*: the holders of a token on a local chain, one owner an account, read by the built server's
  thread; chain and reader are processes of their own. Stalls are what a timer of the thread that answers requests has
  to wait for. Those without a reading are the machine's.
- *A story woven*: the Loom in Node, after the first story, which loads its dictionaries.

## Where the time of a call goes

Microseconds of the server's thread for a request, by part, waiting for the disk included (\`node bench/profile.mjs\`, 29 November 2026, beside other
work: read them as shares).

| part | create a memory | read a memory | create a note | burn a note | reserve a link | seal a link |
|---|---|---|---|---|---|---|
| SQLite: statements, triggers, and waiting for the disk | 219 | 43 | 335 | 600 | 204 | 265 |
| Node: HTTP, streams, sockets | 85 | 114 | 135 | 117 | 91 | 90 |
| collecting garbage | 41 | 17 | 56 | 46 | 32 | 44 |
| routes, session, headers, counting | 33 | 20 | 37 | 21 | 22 | 32 |
| Hono | 26 | 30 | 30 | 41 | 22 | 30 |
| the call itself | 28 | 13 | 29 | 34 | 14 | 25 |
| Kysely | 6 | 4 | 17 | 21 | 5 | 15 |
| Node and the system, outside of JavaScript | 14 | 4 | 13 | 10 | 11 | 14 |
| schemas, other packages, the database's door | 10 | 4 | 16 | 3 | 6 | 9 |

So what was missed among them is the database's. Burning a note overwrites what was written before it answers, while the bare route beside it
only unlinks a file. Without SQLite a burn costs 0.29 ms here, of which Node and Hono, which any route has, are 0.16: the 0.20 ms that were wanted
leave SQLite 40 microseconds, a sixth of what one row with its triggers takes.

A cold start compiles its modules for 15 % of its time, runs them for a quarter, and opens the database and compares it with its migrations for a
tenth; a tenth is Node's own beginning, and 7 % are garbage. On Node 20 nothing that was compiled can be kept between two starts; without white space
the same program, a quarter shorter, compiles no faster (tried).

Of the other rows that were missed:

- *A memory with its entry*: the entry is a second row, with its own counting and its place among the account's changes. It takes a quarter more of
  SQLite, half as much again of reading the request, whose header is longer, and a third more garbage; the statement is kept compiled.
- *Memory in use*: 48 MiB are pages of Node's own program, and 44 what the server has at its start; a load adds sixteen to twenty, for the heap and
  SQLite's cache.
- *The book of 10,000 rows*: half of it, 27 ms, is one SHA-256 for each row, 16 read what was written, 11 compare.
- *Beside 10,000 accounts*: as in an empty vault; this machine takes 0.31 ms for either.
- *The first load* is one file of 93 KB, of which React DOM is 63 %, the query cache a tenth, and all that is ours a quarter.
- *First start*: the yardstick installs and builds less than a tenth of what this one does. *Second start*: npm's own beginning is 0.2 s, that of Node
  for the comparison of the sources 0.1 s, and the rest a cold start.
`,
);
