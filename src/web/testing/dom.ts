// The environment of the web tests: Node with a DOM of happy-dom's. What the server of a test shares with the page stays
// Node's own (fetch and its objects, addresses, streams, Web Crypto), because both run in this one process.
import { GlobalWindow } from 'happy-dom';
import { type Environment, populateGlobal } from 'vitest/runtime';
import { ORIGIN } from './origin.ts';

/** What happy-dom has too, and Node keeps. */
const NODES = [
  'fetch',
  'Request',
  'Response',
  'Headers',
  'FormData',
  'Blob',
  'File',
  'URL',
  'URLSearchParams',
  'AbortController',
  'AbortSignal',
  'ReadableStream',
  'WritableStream',
  'TransformStream',
  'TextEncoder',
  'TextDecoder',
  'MessageChannel',
  'MessagePort',
  'crypto',
  'performance',
  'queueMicrotask',
];

const dom: Environment = {
  name: 'dom',
  // The modules of a server are loaded as well.
  viteEnvironment: 'ssr',
  setup(global) {
    // Files that follow each other in one process share the window, as their modules do.
    if (!('happyDOM' in global)) openWindow(global);
    return { teardown() {} };
  },
};

function openWindow(global: Record<string, unknown>): void {
  // Days are told in the time zone of whoever looks.
  process.env.TZ = 'Europe/Berlin';
  const own = NODES.map((name) => [name, Object.getOwnPropertyDescriptor(global, name)] as const);
  const window = new GlobalWindow({
    url: ORIGIN,
    width: 1440,
    height: 900,
    settings: {
      // A page that leaves stays where it is; tests look at where it wanted to go.
      navigation: { disableMainFrameNavigation: true, disableFallbackToSetURL: true },
      disableComputedStyleRendering: true,
    },
  });
  populateGlobal(global, window, { bindFunctions: true });
  for (const [name, descriptor] of own) if (descriptor) Object.defineProperty(global, name, descriptor);
}

export default dom;
