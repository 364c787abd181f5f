// What lies between a page and its server in a web test: the page's cookies, and a line that can be cut, delayed or
// answered by the test. Nothing leaves the process.
import { ORIGIN } from './origin.ts';

/** A server in this process, such as a Hono app. */
interface Server {
  request(request: Request): Response | Promise<Response>;
}

/** Sees a request before the server does. `forward` lets it through; what is returned is what the page is answered. */
export type Interceptor = (request: Request, forward: () => Promise<Response>) => Promise<Response>;

export interface Network {
  /** The page's `fetch`. */
  fetch: typeof fetch;
  /** Cookies by their names, as the server set them. */
  cookies: Map<string, string>;
  /** Cuts the line, or mends it. */
  cut(on?: boolean): void;
  /** Puts something between the page and the server. Returns how to take it away. */
  intercept(interceptor: Interceptor): () => void;
  /** Method and path of every request so far. */
  asked: string[];
  /** How many requests are on their way. */
  underway(): number;
  /** Resolves when nothing is on its way. */
  idle(): Promise<void>;
}

/** What a browser's fetch throws when it reaches nobody. */
export const unreachable = () => new TypeError('Failed to fetch');

/** A request that is aborted ends at once, whatever the server still does with it. */
function endOf(signal: AbortSignal | null | undefined): Promise<never>[] {
  if (!signal) return [];
  return [
    new Promise((_, reject) => {
      signal.addEventListener('abort', () => reject(signal.reason), { once: true });
    }),
  ];
}

/** What has not come yet of an answer ends with its request, too. */
function endWith(response: Response, signal: AbortSignal | null | undefined): Response {
  if (!signal || !response.body) return response;
  return new Response(response.body.pipeThrough(new TransformStream(), { signal }), response);
}

export function createNetwork(server: Server): Network {
  const cookies = new Map<string, string>();
  const asked: string[] = [];
  const interceptors = new Set<Interceptor>();
  const underway = new Set<Promise<unknown>>();
  let isCut = false;

  function keepCookies(response: Response): void {
    for (const line of response.headers.getSetCookie()) {
      const [pair = '', ...attributes] = line.split(';').map((part) => part.trim());
      const [name = '', value = ''] = pair.split(/=(.*)/s);
      if (attributes.some((attribute) => /^max-age=0$/i.test(attribute))) cookies.delete(name);
      else cookies.set(name, value);
    }
  }

  async function exchange(input: RequestInfo | URL, init: RequestInit = {}): Promise<Response> {
    const request = new Request(new URL(String(input), ORIGIN), init);
    request.headers.set('host', new URL(ORIGIN).host);
    request.headers.set('sec-fetch-site', 'same-origin');
    if (cookies.size > 0)
      request.headers.set('cookie', [...cookies].map((pair) => pair.join('=')).join('; '));
    asked.push(`${request.method} ${new URL(request.url).pathname}`);
    const forward = async () => {
      if (isCut) throw unreachable();
      const response = await server.request(request);
      keepCookies(response);
      return response;
    };
    const answer = [...interceptors].reduceRight<() => Promise<Response>>(
      (next, interceptor) => () => interceptor(request, next),
      forward,
    );
    return answer();
  }

  return {
    fetch(input, init) {
      const whole = exchange(input as URL, init).then((response) => endWith(response, init?.signal));
      const answer = Promise.race([whole, ...endOf(init?.signal)]);
      const settled = answer.catch(() => {}).finally(() => underway.delete(settled));
      underway.add(settled);
      return answer;
    },
    cookies,
    cut(on = true) {
      isCut = on;
    },
    intercept(interceptor) {
      interceptors.add(interceptor);
      return () => void interceptors.delete(interceptor);
    },
    asked,
    underway: () => underway.size,
    async idle() {
      while (underway.size > 0) await Promise.all(underway);
    },
  };
}

/** Puts something between a page and one kind of call, once. `forward` lets it through. */
export function interceptOnce(
  network: Network,
  path: RegExp,
  answer: (forward: () => Promise<Response>) => Promise<Response>,
): void {
  const take = network.intercept((request, forward) => {
    if (!path.test(`${request.method} ${new URL(request.url).pathname}`)) return forward();
    take();
    return answer(forward);
  });
}

/** Lets the next call of a kind arrive, such as `/POST .*redeem$/`, and loses the answer to it. */
export const loseAnswer = (network: Network, path: RegExp): void =>
  interceptOnce(network, path, async (forward) => {
    await forward();
    throw unreachable();
  });
