// The whisper: one audio track that every visitor may hear and the administrator may replace.
import * as z from 'zod/mini';
import { call } from '../http/call.ts';
import { clear } from '../http/field-classes.ts';
import { timestamp } from '../http/wire.ts';

/** The largest track, in bytes. */
export const WHISPER_AUDIO_MAX = 20 * 1024 * 1024;

export const whisperAudio = {
  /** The track that plays now. Its entity tag changes with it, so that `v` is for caches that do not ask. */
  current: call({
    method: 'GET',
    path: '/api/whisper-audio/current',
    access: 'anyone',
    query: z.object({
      v: z.optional(
        clear('when the whisper was last replaced, as a page knows it', z.string().check(z.maxLength(32))),
      ),
    }),
    file: { class: 'clear', says: 'the whisper that an administrator has put here' },
  }),
  /** Puts another track in place of the present one, which stays until the new one is complete. */
  upload: call({
    method: 'POST',
    path: '/api/whisper-audio/upload',
    access: 'admin',
    upload: {
      field: 'whisperAudio',
      maxBytes: WHISPER_AUDIO_MAX,
      class: 'clear',
      says: 'the whisper that an administrator has put here',
    },
    reply: z.object({
      contentType: clear('what kind of audio the whisper is', z.string().check(z.maxLength(64))),
      bytes: clear('how large the whisper is', z.int().check(z.minimum(0))),
      replacedAt: clear('when the whisper was replaced', timestamp),
    }),
  }),
};
