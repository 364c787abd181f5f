// A test server whose language model is a stand-in over HTTP.
import { createStoryWriter } from '../server/adapters/story-writer.ts';
import { readConfig } from '../server/config.ts';
import type { InstanceOptions } from './instance.ts';
import type { StoryService } from './story-service.ts';

/** What a server needs to ask the stand-in for stories. */
export function withModel({ url }: Pick<StoryService, 'url'>): InstanceOptions {
  const env = { LLM_BASE_URL: url, LLM_MODEL: 'llama3' };
  return { env, deps: { storyWriter: createStoryWriter(readConfig(env)) } };
}
