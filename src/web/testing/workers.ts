// Workers of the app in a web test: the same functions, called where they are asked for.
import { afterEach, beforeEach } from 'vitest';
import type { GrayImage } from '../../ark/paper/gray.ts';
import type { WeaveRequest, Weaving } from '../../loom/loom.ts';
import type { BlockToSeal, SealingReply } from '../../vault/files/sealed-blocks.ts';
import type { OpenedPage, OpeningRequest } from '../../vault/opening/opening-work.ts';
import type { ArchiveReply, ArchiveRequest, Reading } from '../chambers/settings/archive/archive-job.ts';
import type { ArkReply, ArkRequest } from '../chambers/settings/archive/ark-job.ts';
import type { ImportProgress, ImportRequest } from '../imports/import-messages.ts';
import type { PaperReadingReply, PaperReadingRequest } from '../imports/paper-session.ts';
import type { StrengthReply, StrengthRequest } from '../strength/strength-worker.ts';
import type { PaperReply, PaperRequest } from '../vault/entries/paper/paper-job.ts';
import type { StretchReply, StretchRequest } from '../vault/key/argon2-worker.ts';
import { setLight, stretchForeignHere, stretchHere } from './stretching.ts';

/** Has passphrases stretched in no time in the tests of a file: what is stretched is not what they are about. */
export function stretchLightly(): void {
  beforeEach(() => setLight(true));
  afterEach(() => setLight(false));
}

type Work = (request: never, tell: (progress: unknown) => void) => Promise<unknown>;

/** `begin` makes the work of a worker that remembers what it was asked. */
const works: { url: RegExp; work?: Work; begin?: () => Work }[] = [
  {
    url: /argon2-worker/,
    work: async ({ passphrase, salt, params, foreignLength }: StretchRequest): Promise<StretchReply> => ({
      ok: true,
      stretched: await (foreignLength === undefined
        ? stretchHere(passphrase, salt, params)
        : stretchForeignHere(passphrase, salt, params, foreignLength)),
    }),
  },
  {
    url: /archive-worker/,
    begin() {
      const answer = import('../chambers/settings/archive/archive-job.ts').then((job) =>
        job.createArchiveSession(),
      );
      let last: Promise<unknown> = Promise.resolve();
      return (request: ArchiveRequest, tell: (reading: Reading) => void): Promise<ArchiveReply> => {
        const reply = last.then(async () => (await answer)(request, tell));
        last = reply;
        return reply;
      };
    },
  },
  {
    url: /sealing-worker/,
    begin() {
      const work = import('../../vault/files/sealed-blocks.ts').then((blocks) => blocks.createSealingWork());
      return async (request: BlockToSeal): Promise<SealingReply> => (await work)(request);
    },
  },
  {
    url: /ark-worker/,
    async work(request: ArkRequest): Promise<ArkReply> {
      const { workAtArk } = await import('../chambers/settings/archive/ark-job.ts');
      return workAtArk(request);
    },
  },
  {
    url: /loom-worker/,
    async work(request: WeaveRequest): Promise<Weaving> {
      const { weave } = await import('../../loom/loom.ts');
      return weave(request);
    },
  },
  {
    url: /import-worker/,
    begin() {
      const answer = import('../imports/import-session.ts').then((session) => session.createImportSession());
      let last: Promise<unknown> = Promise.resolve();
      return (request: ImportRequest, tell: (progress: ImportProgress) => void) => {
        const reply = last.then(async () => (await answer)(request, tell));
        last = reply;
        return reply;
      };
    },
  },
  {
    url: /opening-worker/,
    async work(request: OpeningRequest): Promise<OpenedPage | null> {
      const { openPage } = await import('../../vault/opening/opening-work.ts');
      return openPage(request).catch(() => null);
    },
  },
  {
    url: /paper-worker/,
    async work(request: PaperRequest): Promise<PaperReply> {
      const { workAtPaper } = await import('../vault/entries/paper/paper-job.ts');
      return workAtPaper(request);
    },
  },
  {
    url: /paper-reading-worker/,
    begin() {
      const answer = import('../imports/paper-session.ts').then((session) =>
        session.createPaperSession(openGraymap),
      );
      return async (request: PaperReadingRequest): Promise<PaperReadingReply> => (await answer)(request);
    },
  },
  {
    url: /strength-worker/,
    async work({ passphrase, known }: StrengthRequest): Promise<StrengthReply> {
      const { judgePassphrase } = await import('../strength/judge.ts');
      return judgePassphrase(passphrase, known);
    },
  },
];

/** Pixels of a graymap (PGM): the DOM of a web test opens no pictures. */
async function openGraymap(picture: Blob): Promise<GrayImage | null> {
  const bytes = new Uint8Array(await picture.arrayBuffer());
  const [head, width, height] =
    /^P5 (\d+) (\d+) 255\n/.exec(String.fromCharCode(...bytes.slice(0, 32))) ?? [];
  if (head === undefined) return null;
  return { width: Number(width), height: Number(height), luma: bytes.slice(head.length) };
}

/** Stands in for `Worker`. One that is not known here cannot be loaded, as a page would find it. */
export class WorkerHere {
  onmessage: ((message: { data: unknown }) => void) | null = null;
  onerror: (() => void) | null = null;
  private readonly work: Work | undefined;
  private ended = false;

  constructor(url: string | URL) {
    const known = works.find((one) => one.url.test(String(url)));
    this.work = known?.begin?.() ?? known?.work;
  }

  postMessage(request: unknown): void {
    const tell = (progress: unknown) => this.ended || this.onmessage?.({ data: { progress } });
    const answer =
      this.work?.(request as never, tell) ?? Promise.reject(new Error('there is no such worker'));
    answer.then(
      (data) => this.ended || this.onmessage?.({ data }),
      () => this.ended || this.onerror?.(),
    );
  }

  terminate(): void {
    this.ended = true;
  }
}
