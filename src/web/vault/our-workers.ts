// Workers of this house: the page's one Trusted Types policy lets their scripts through and nothing else.

interface ScriptPolicy {
  createScriptURL(url: string): string;
}

let policy: ScriptPolicy | null | undefined;

/** Workers that the build has made of our own sources; `?worker&url` gives their addresses. */
const OURS = import.meta.env.DEV
  ? /^\/[\w/-]+-worker\.ts\?[\w=&-]+$/
  : /^\/assets\/[\w-]+-worker-[\w-]+\.js$/;

function trusted(url: string): string {
  const factory = (
    window as { trustedTypes?: { createPolicy(name: string, rules: ScriptPolicy): ScriptPolicy } }
  ).trustedTypes;
  policy ??=
    factory?.createPolicy('latebra', {
      createScriptURL: (wanted) => {
        if (!OURS.test(wanted)) throw new TypeError('not a script of this house');
        return wanted;
      },
    }) ?? null;
  return policy?.createScriptURL(url) ?? url;
}

/**
 * Has one request answered by a worker that lives no longer than that.
 * @param url what `?worker&url` gave
 * @throws Error when the worker cannot be loaded or fails
 */
export async function inWorker<Request, Reply>(url: string, request: Request): Promise<Reply> {
  const worker = new Worker(trusted(url), { type: 'module' });
  try {
    return await new Promise<Reply>((resolve, reject) => {
      worker.onmessage = ({ data }: MessageEvent<Reply>) => resolve(data);
      worker.onerror = () => reject(new Error('a worker has failed'));
      worker.postMessage(request);
    });
  } finally {
    worker.terminate();
  }
}
