// The whisper: anyone may hear it, by ranges of bytes, and an administrator may replace it. Its content is kept in memory by
// its digest, so that the database is asked for it once and not for every range.
import type { Hono } from 'hono';
import { whisperAudio } from '../../../shared/nouns/whisper-audio.ts';
import { audioTypeOf } from '../../adapters/audio-type.ts';
import { iso } from '../../db/times.ts';
import type { Deps } from '../../deps.ts';
import { AppError } from '../../errors.ts';
import { answerRange } from '../../http/ranged-answer.ts';
import { route } from '../../http/route.ts';
import { replaceWhisper, sha256Of, whisperContent, whisperNow } from './store.ts';

interface Track {
  contentType: string;
  sha256: string;
  content: Uint8Array;
}

export function whisperAudioRoutes(app: Hono, deps: Deps): void {
  const current = trackKeeper(deps);

  route(app, deps, whisperAudio.current, async ({ c }) => {
    const { contentType, sha256, content } = await current();
    const tag = `"${sha256}"`;
    // Kept by browsers, and never used without asking whether it is still the one.
    const headers = { 'Cache-Control': 'no-cache', 'Content-Type': contentType };
    return answerRange(c, { tag, length: content.length, headers }, (first, last) =>
      inPieces(content.subarray(first, last + 1)),
    );
  });

  route(app, deps, whisperAudio.upload, async ({ file }) => {
    const type = audioTypeOf(file);
    if (!type) throw new AppError('not-audio');
    const { content_type, replaced_at } = await replaceWhisper(deps, file, type.contentType);
    return { contentType: content_type, bytes: file.length, replacedAt: iso(replaced_at) };
  });
}

/** @returns how to get the track that plays now: the administrator's, or the one that comes with the program */
function trackKeeper(deps: Pick<Deps, 'db' | 'web'>): () => Promise<Track> {
  const ours: Track = {
    contentType: 'audio/mpeg',
    sha256: sha256Of(deps.web.whisper),
    content: deps.web.whisper,
  };
  let kept: { sha256: string; content: Promise<Uint8Array | null> } | null = null;

  async function contentOf(sha256: string): Promise<Uint8Array | null> {
    // Many may ask at the same moment, and one of them fetches.
    if (kept?.sha256 !== sha256) kept = { sha256, content: whisperContent(deps, sha256) };
    const { content } = kept;
    const forget = () => {
      if (kept?.content === content) kept = null;
    };
    const found = await content.catch((error: unknown) => {
      forget();
      throw error;
    });
    if (!found) forget();
    return found;
  }

  return async () => {
    for (;;) {
      const row = await whisperNow(deps);
      if (!row) return ours;
      const content = await contentOf(row.sha256);
      // Where it was replaced between the two statements, the next round finds the new one.
      if (content) return { contentType: row.content_type, sha256: row.sha256, content };
    }
  };
}

const PIECE = 64 * 1024;

/** Sends a piece when the one before was read, so that a client that does not read holds no more than one. */
function inPieces(content: Uint8Array): ReadableStream<Uint8Array> {
  let at = 0;
  return new ReadableStream<Uint8Array>(
    {
      pull(controller) {
        if (at < content.length) controller.enqueue(content.slice(at, at + PIECE));
        at += PIECE;
        if (at >= content.length) controller.close();
      },
    },
    { highWaterMark: 0 },
  );
}
