// Workers of this server: the page's one Trusted Types policy lets their scripts through and nothing else.

interface ScriptPolicy {
  createScriptURL(url: string): string;
}

let policy: ScriptPolicy | null | undefined;

/** Workers that the build has made of our own sources, of which `?worker&url` gives the addresses, and public/service-worker.js. */
const OURS = import.meta.env.DEV
  ? /^\/[\w/-]+-worker\.(?:ts\?[\w=&-]+|js)$/
  : /^\/(?:assets\/[\w-]+-worker-[\w-]+|service-worker)\.js$/;

/** A worker's address as the page's policy lets it through. @throws TypeError for any other address */
export function trusted(url: string): string {
  const factory = (
    window as { trustedTypes?: { createPolicy(name: string, rules: ScriptPolicy): ScriptPolicy } }
  ).trustedTypes;
  policy ??=
    factory?.createPolicy('latebra', {
      createScriptURL: (wanted) => {
        if (!OURS.test(wanted)) throw new TypeError('not a script of this server');
        return wanted;
      },
    }) ?? null;
  return policy?.createScriptURL(url) ?? url;
}

/** A worker that stays: questions are answered in the order in which they are asked. */
export interface Asked<Request, Reply> {
  /** @throws Error when the worker cannot be loaded, fails, or is closed before it has answered */
  ask(request: Request): Promise<Reply>;
  close(): void;
}

/** What a worker posts beside its reply, to say how far it has come. */
export interface Progress<How> {
  progress: How;
}

const isProgress = (data: unknown): data is Progress<never> =>
  typeof data === 'object' && data !== null && 'progress' in data;

/**
 * Starts a worker.
 * @param url what `?worker&url` gave
 * @param tell is called with each progress that it posts; a reply has no member of that name
 */
export function askWorker<Request, Reply, How = never>(
  url: string,
  tell?: (how: How) => void,
): Asked<Request, Reply> {
  const worker = new Worker(trusted(url), { type: 'module' });
  const waiting: { resolve: (reply: Reply) => void; reject: (error: Error) => void }[] = [];
  let failed: Error | null = null;
  function end(error: Error): void {
    failed ??= error;
    worker.terminate();
    for (const { reject } of waiting.splice(0)) reject(failed);
  }
  worker.onmessage = ({ data }: MessageEvent<Reply | Progress<How>>) => {
    if (isProgress(data)) tell?.(data.progress);
    else waiting.shift()?.resolve(data as Reply);
  };
  worker.onerror = () => end(new Error('a worker has failed'));
  return {
    ask: (request) =>
      new Promise((resolve, reject) => {
        if (failed) return reject(failed);
        waiting.push({ resolve, reject });
        worker.postMessage(request);
      }),
    close: () => end(new Error('a worker was closed')),
  };
}

/**
 * Has one request answered by a worker that lives no longer than that.
 * @param url what `?worker&url` gave
 * @param options `signal` ends the worker at once, in the middle of whatever it does
 * @throws Error when the worker cannot be loaded or fails, or was ended
 */
export async function inWorker<Request, Reply, How = never>(
  url: string,
  request: Request,
  { signal, tell }: { signal?: AbortSignal; tell?: (how: How) => void } = {},
): Promise<Reply> {
  signal?.throwIfAborted();
  const worker = askWorker<Request, Reply, How>(url, tell);
  signal?.addEventListener('abort', worker.close, { once: true });
  try {
    return await worker.ask(request);
  } finally {
    signal?.removeEventListener('abort', worker.close);
    worker.close();
  }
}
