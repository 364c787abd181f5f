// Services that read what people say or write: they turn speech into text, and write stories.
import { apiKey, modelName, serviceUrl, wholeNumber } from './readers.ts';
import { type Environment, isSetIn, type Read, variable } from './variable.ts';

export const modelVariables = {
  STT_BASE_URL: variable({
    fallback:
      'none: recordings are transcribed by pocketsphinx where this machine has it, and otherwise by nobody',
    says: 'A service that turns speech into text: the base of an interface like OpenAI’s, such as https://stt.example.org/v1. Recordings are sent to /audio/transcriptions below it. It needs https, except on this machine and in a private network. Needs ffmpeg on the PATH.',
    read: (raw) =>
      raw === undefined ? null : serviceUrl(raw, 'the address of a service that turns speech into text'),
  }),
  STT_MODEL: variable({
    fallback: 'whisper-1',
    says: 'The model that this service is asked for.',
    read: (raw) => modelName(raw) ?? 'whisper-1',
  }),
  STT_API_KEY: variable({
    fallback: 'none',
    says: 'The secret that this service asks for, which is sent as a bearer token.',
    read: apiKey,
  }),
  LLM_BASE_URL: variable({
    fallback: 'none: the Loom makes stories in the browser, and no model reads any words',
    says: 'A language model that writes stories: the base of an interface like OpenAI’s, such as http://127.0.0.1:11434/v1 for Ollama. The words that people send for a story go to /chat/completions below it. It needs https, except on this machine and in a private network. Needs LLM_MODEL.',
    read: (raw) => (raw === undefined ? null : serviceUrl(raw, 'the address of a language model’s service')),
  }),
  LLM_MODEL: variable({
    fallback: 'none',
    says: 'The model that this service is asked for, such as llama3.1:8b. People read its name, and the service’s host, before they send their words. Required with LLM_BASE_URL.',
    read: modelName,
  }),
  LLM_API_KEY: variable({
    fallback: 'none',
    says: 'The secret that this service asks for, which is sent as a bearer token.',
    read: apiKey,
  }),
  LLM_CONCURRENCY: variable({
    fallback: '2',
    says: 'How many stories the model writes at once for this process; a few more wait in line. A model on one graphics card or processor seldom gains from more than two.',
    read: wholeNumber(1, 100, 2),
  }),
  LLM_STORIES_A_DAY: variable({
    fallback: '30',
    says: 'How many stories one account may have written in 24 hours. Stories that failed do not count.',
    read: wholeNumber(1, 10_000, 30),
  }),
  TRANSCRIPTIONS_PER_DAY: variable({
    fallback: '500',
    says: 'How many recordings the whole server transcribes in 24 hours, at least 10. Half of them are for people who are signed in, and half for everybody else. One account, and one address that is not signed in, has a tenth.',
    read: wholeNumber(10, 10_000_000, 500),
  }),
};

type ReadModels = Read<typeof modelVariables>;

export interface ModelsConfig {
  /** Null: no service is asked to turn speech into text. */
  stt: { url: URL; model: string; apiKey: string | null } | null;
  /** Null: no language model writes stories. */
  llm: { url: URL; model: string; apiKey: string | null } | null;
  /** Stories that the model writes at once for this process. */
  llmConcurrency: ReadModels['LLM_CONCURRENCY'];
  /** For each account, in 24 hours. */
  storiesADay: ReadModels['LLM_STORIES_A_DAY'];
  /** Recordings that are transcribed in 24 hours, by all servers of a database together. */
  transcriptionsPerDay: ReadModels['TRANSCRIPTIONS_PER_DAY'];
}

export const modelsOf = (values: ReadModels): ModelsConfig => ({
  stt: values.STT_BASE_URL && {
    url: values.STT_BASE_URL,
    model: values.STT_MODEL,
    apiKey: values.STT_API_KEY,
  },
  llm:
    values.LLM_BASE_URL && values.LLM_MODEL !== null
      ? { url: values.LLM_BASE_URL, model: values.LLM_MODEL, apiKey: values.LLM_API_KEY }
      : null,
  llmConcurrency: values.LLM_CONCURRENCY,
  storiesADay: values.LLM_STORIES_A_DAY,
  transcriptionsPerDay: values.TRANSCRIPTIONS_PER_DAY,
});

/** What is missing beside what was set. */
export function modelProblems(env: Environment): string[] {
  const isSet = isSetIn(env);
  const needsBase = (base: string, names: string[]) =>
    isSet(base) ? [] : names.filter(isSet).map((name) => `${base} is needed when ${name} is set.`);
  return [
    ...needsBase('STT_BASE_URL', ['STT_API_KEY']),
    ...needsBase('LLM_BASE_URL', ['LLM_MODEL', 'LLM_API_KEY']),
    ...needsBase('LLM_MODEL', ['LLM_BASE_URL']),
  ];
}
