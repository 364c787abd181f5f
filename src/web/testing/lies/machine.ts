// The lie machine: a journey is recorded once, as the real server answers it, and then walked again and again by the real
// web code before a server that repeats those answers with one lie in them.
import { createHash } from 'node:crypto';
import { fireEvent } from '@testing-library/dom';
import { unzipSync } from 'fflate';
import { vi } from 'vitest';
import { BOOK_HEADER } from '../../../shared/http/call.ts';
import type { TestInstance } from '../../../testing/instance.ts';
import { ANSWERED_WITHIN } from '../../../vault/api/in-background.ts';
import { toasts } from '../../ui/toast-store.ts';
import { type Browser, closeBrowsers, openBrowser } from '../browser.tsx';
import { unreachable } from '../network.ts';
import { callOf } from './fields.ts';
import { type Json, type Lie, type LieKind, type Path, withLie } from './kinds.ts';
import { type Observation, type Piece, readPage } from './observing.ts';
import { WAITING } from './said.ts';
import type { Inhabitant } from './world.ts';

/**
 * One thing that a person does. What is not there cannot be done: there the journey ends. `elsewhere` is done before the
 * real server, while the journey is recorded; afterwards its answers are what they were then.
 */
export type Step =
  | { open: string | (() => Promise<string>) }
  | { elsewhere: () => Promise<void> }
  | { press: RegExp }
  | { fill: RegExp; text: string }
  | { choose: RegExp; value: string }
  | { tick: RegExp }
  /** A file field is known by its label for screen readers: what is pressed is a button beside it. */
  | { attach: RegExp; file: { name: string; text: string } };

export interface Journey {
  name: string;
  /** The calls whose answers are lied about here. */
  about: readonly string[];
  /** Those of them that the server refuses. */
  refused?: readonly string[];
  /**
   * - `own`: her own browser, which holds the key.
   * - `locked`: her own browser, from which the key is gone.
   * - `new`: her session in a browser that has never seen her key.
   * - `stranger`: somebody else's, without a session.
   */
  browser: 'own' | 'locked' | 'new' | 'stranger';
  /** Whose journey it is, where it is not hers: that of an administrator, who has linked a wallet. */
  who?: 'administrator';
  /** Lies that are always told together, beside those that are drawn: each its call, its path and its kind. */
  together?: readonly (readonly LieName[])[];
  steps(of: Inhabitant): Step[];
}

interface Answer {
  status: number;
  headers: [string, string][];
  body: string;
}

export type LieName = readonly [call: string, path: Path, kind: LieKind];

/** A journey as it went with the truth. */
export interface Recording {
  journey: Journey;
  honest: Observation;
  /** What was answered, by method, path and query, in order. */
  answers: ReadonlyMap<string, Answer[]>;
  /** The first JSON that each call of the contract answered, and the status it came with. */
  truths: ReadonlyMap<string, { status: number; body: Json }>;
}

/** What is done to the answers of one call. */
export interface Tampering {
  call: string;
  /** `text` stands there in place of JSON. `silence`: there is no answer at all. */
  change(
    body: Json,
    status: number,
  ): { body: Json; status: number } | { text: string; status: number } | 'silence';
}

export const lying = (call: string, lies: readonly Lie[]): Tampering => ({
  call,
  change: (body, status) => ({ body: lies.reduce(withLie, body), status }),
});

let busy = 0;
/** How often WebCrypto was asked for anything. */
let begun = 0;
let instrumented = false;

/** Counts what WebCrypto is at: a page that waits for it is not done. */
function watchCrypto(): void {
  if (instrumented) return;
  instrumented = true;
  const { subtle } = crypto;
  for (const name of [
    'encrypt',
    'decrypt',
    'sign',
    'verify',
    'digest',
    'deriveKey',
    'deriveBits',
    'importKey',
    'exportKey',
    'generateKey',
  ] as const) {
    const real = subtle[name].bind(subtle) as (...args: unknown[]) => Promise<unknown>;
    Object.defineProperty(subtle, name, {
      configurable: true,
      value: (...args: unknown[]) => {
        busy += 1;
        begun += 1;
        return real(...args).finally(() => {
          busy -= 1;
        });
      },
    });
  }
}

/** Long enough for a timer of no time, an answer of the server, and what React does with it. */
const turn = () => new Promise<void>((resolve) => setTimeout(() => setImmediate(resolve), 0));
/** For how many turns nothing may happen before a page counts as done, and while it says that it waits for something. */
const QUIET = 5;
const PATIENCE = 40;
const FIRST_TRIES = 50;
const FIRST_PAUSE = 100;
const saysThatItWaits = () =>
  document.querySelector('[aria-busy="true"]') !== null ||
  [...document.querySelectorAll('[role="status"]')].some(({ textContent }) => WAITING.test(textContent));

/** Enough of the page, and of what it does beside, to see that something goes on. */
const glance = ({ network }: Browser) =>
  `${network.asked.length} ${begun} ${document.body.getElementsByTagName('*').length} ${document.body.textContent}`;

/**
 * Waits until nothing is on its way and nothing changes any more. What nobody on the page waits for, such as the comparison
 * with the book, asks the server or WebCrypto with every step that takes time: it is not over before neither is asked.
 */
async function untilQuiet(browser: Browser, silence: Silence): Promise<void> {
  let last = '';
  for (let quiet = 0; quiet < (saysThatItWaits() ? PATIENCE : QUIET); ) {
    if (silence.calls() === 0) await browser.network.idle();
    else if (browser.network.underway() <= silence.calls()) silence.pass();
    await turn();
    const now = glance(browser);
    quiet = now === last && busy === 0 ? quiet + 1 : 0;
    last = now;
    if (quiet !== QUIET) continue;
    // What is loaded only now goes on in the turn after.
    await vi.dynamicImportSettled();
    await turn();
    if (glance(browser) !== now || busy > 0) quiet = 0;
  }
}

/** Calls that are not answered, and what the page waits for meanwhile: no test waits for it. */
interface Silence {
  keep(request: Request): Promise<never>;
  calls(): number;
  /** As much time passes as a page waits for an answer. */
  pass(): void;
  end(): void;
}

function keepSilence(): Silence {
  const kept = new Set<() => void>();
  const waiting = new Map<unknown, () => void>();
  const { setTimeout: wait, clearTimeout: stop } = globalThis;
  const held = {
    setTimeout(work: () => void, time = 0, ...others: []) {
      if (time !== ANSWERED_WITHIN) return wait(work, time, ...others);
      const name = {};
      waiting.set(name, work);
      return name;
    },
    clearTimeout(name: NodeJS.Timeout) {
      if (!waiting.delete(name)) stop(name);
    },
  };
  Object.assign(globalThis, held);
  return {
    keep: ({ signal }) =>
      new Promise<never>((_, reject) => {
        const end = () => {
          kept.delete(end);
          reject(unreachable());
        };
        kept.add(end);
        signal.addEventListener('abort', end);
      }),
    calls: () => kept.size,
    pass() {
      const due = [...waiting.values()];
      waiting.clear();
      for (const work of due) work();
    },
    end() {
      for (const end of [...kept]) end();
      Object.assign(globalThis, { setTimeout: wait, clearTimeout: stop });
    },
  };
}

const tidy = (text: string) => text.replace(/\s+/g, ' ').trim();
const nameOf = (element: Element) => tidy(element.getAttribute('aria-label') ?? element.textContent ?? '');

/** Where a person would act: within the dialog on top, if there is one. */
function place(): ParentNode {
  const dialogs = [...document.querySelectorAll('[role="dialog"], [role="alertdialog"]')];
  return dialogs.at(-1) ?? document;
}

const controls = (selector: string, name: RegExp) =>
  [...place().querySelectorAll(selector)].filter(
    (element) => name.test(nameOf(element)) && !element.matches(':disabled, [aria-disabled="true"]'),
  );

function fieldLabelled(label: RegExp): HTMLInputElement | null {
  for (const element of place().querySelectorAll('label')) {
    if (!label.test(tidy(element.textContent ?? ''))) continue;
    const field = element.control ?? document.getElementById(element.htmlFor);
    if (field && !field.matches(':disabled')) return field as HTMLInputElement;
  }
  return null;
}

/** Does one step. Returns false where that cannot be done. */
async function take(step: Step, browser: Browser, isFirst: boolean): Promise<boolean> {
  if ('open' in step) {
    await browser.open(typeof step.open === 'string' ? step.open : await step.open());
    return true;
  }
  if ('elsewhere' in step) {
    if (isFirst) await step.elsewhere();
    return true;
  }
  if ('press' in step) {
    const [control] = controls('button, a[href], [role="button"], summary', step.press);
    if (!control) return false;
    await browser.user.click(control);
    return true;
  }
  if ('attach' in step) {
    const [input] = controls('input[type="file"]', step.attach);
    if (!input) return false;
    await browser.user.upload(input as HTMLInputElement, [new File([step.file.text], step.file.name)]);
    return true;
  }
  const field = fieldLabelled('fill' in step ? step.fill : 'choose' in step ? step.choose : step.tick);
  if (!field) return false;
  if ('tick' in step) await browser.user.click(field);
  else if ('fill' in step) fireEvent.change(field, { target: { value: step.text } });
  else fireEvent.change(field, { target: { value: step.value } });
  return true;
}

/**
 * What both storages hold, but for drafts and which of them a form has: they are written some time after they were typed, perhaps
 * into the next run. And but for who is signed in: that is the very answer, with which a start without a network can do no more than
 * one that gets it.
 */
function keptNow(): string[] {
  return [localStorage, sessionStorage].flatMap((store) =>
    Object.entries({ ...store } as Record<string, string>).flatMap(([slot, text]) =>
      /^latebra\.(draft|form-slot|redemption|last-used|kept-user)/.test(slot) ? [] : `${slot} = ${text}`,
    ),
  );
}

/** Notes what is stored, also what is exchanged soon after; drafts are not. A store binds its own methods when they are used. */
function watchKeeping(): { seen: string[]; stop: () => void } {
  const seen: string[] = [];
  const spies = [localStorage, sessionStorage].map((store) => {
    const setItem = store.setItem.bind(store);
    return vi.spyOn(store, 'setItem').mockImplementation((slot, text) => {
      if (slot.startsWith('latebra.draft')) return;
      setItem(slot, text);
      if (!slot.startsWith('latebra.form-slot')) seen.push(`${slot} = ${text}`);
    });
  });
  return {
    seen,
    stop: () => {
      for (const spy of spies) spy.mockRestore();
    },
  };
}

/**
 * Gives the same bytes wherever a journey asks for as many, in whatever order: so that two runs can be compared to the
 * letter. Another journey, and another person, has others.
 */
function sameBytes(seed: string): () => void {
  const spy = vi.spyOn(crypto, 'getRandomValues').mockImplementation((array) => {
    if (!array) return array;
    const bytes = new Uint8Array(array.buffer, array.byteOffset, array.byteLength);
    const block = createHash('sha512').update(`${seed} ${bytes.length}`).digest();
    for (let i = 0; i < bytes.length; i += 1) bytes[i] = block[i % block.length] ?? 0;
    return array;
  });
  return () => spy.mockRestore();
}

/** Has a page do at once what it does when it has nothing else to do: after a second it would be another step's. */
function idleAtOnce(): () => void {
  vi.stubGlobal('requestIdleCallback', (work: () => void) => setTimeout(work, 0));
  vi.stubGlobal('cancelIdleCallback', (id: NodeJS.Timeout) => clearTimeout(id));
  return () => {
    Reflect.deleteProperty(globalThis, 'requestIdleCallback');
    Reflect.deleteProperty(globalThis, 'cancelIdleCallback');
  };
}

/** Catches what is saved. Returns what tells it, line by line. */
function watchDownloads(): () => Promise<string[]> {
  const made: Blob[] = [];
  const spy = vi.spyOn(URL, 'createObjectURL').mockImplementation((blob) => {
    made.push(blob as Blob);
    return 'blob:saved';
  });
  return async () => {
    spy.mockRestore();
    const files = await Promise.all(made.map(async (blob) => new Uint8Array(await blob.arrayBuffer())));
    return files.flatMap((bytes) =>
      Object.entries(unzipSync(bytes)).flatMap(([name, content]) =>
        new TextDecoder()
          .decode(content)
          .split('\n')
          .map((line) => `${name}: ${line}`),
      ),
    );
  };
}

interface Storages {
  local: Record<string, string>;
}

export interface Walker {
  /**
   * Walks a journey with the truth, and records it.
   * @param isCompared whether lies are compared with it, and not only its answers are wanted
   */
  record(journey: Journey, of: Inhabitant, isCompared?: boolean): Promise<Recording>;
  /** Walks it again, with lies in the answers. */
  replay(recording: Recording, of: Inhabitant, tamperings: readonly Tampering[]): Promise<Observation>;
}

/** @param kept what the browsers of those who live here hold */
export function createWalker(instance: TestInstance, kept: Storages): Walker {
  watchCrypto();

  function lay({ browser: which }: Journey, { member }: Inhabitant, browser: Browser): void {
    // What a page keeps in memory alone is found by what it has stored.
    for (const [slot, text] of Object.entries(kept.local)) localStorage.setItem(slot, text);
    browser.forgetStorage();
    localStorage.clear();
    sessionStorage.clear();
    if (which === 'stranger') return;
    for (const [name, value] of member.browser.network.cookies) browser.network.cookies.set(name, value);
    if (which === 'new') return;
    for (const [slot, text] of Object.entries(kept.local)) {
      if (which === 'locked' && slot === `latebra.vault-key:${member.user.id}`) continue;
      localStorage.setItem(slot, text);
    }
  }

  async function walk(
    journey: Journey,
    of: Inhabitant,
    answer: (request: Request, forward: () => Promise<Response>, silence: Silence) => Promise<Response>,
    isFirst: boolean,
  ): Promise<Observation> {
    const browser = openBrowser(instance);
    const silence = keepSilence();
    lay(journey, of, browser);
    const before = new Set(keptNow());
    const restoreIdle = idleAtOnce();
    const restoreBytes = sameBytes(`${journey.name} ${of.member.user.id}`);
    // What a lie makes React complain about is seen on the page.
    const { error, warn } = console;
    if (!isFirst) Object.assign(console, { error: () => {}, warn: () => {} });
    const sent: string[] = [];
    browser.network.intercept(async (request, forward) => {
      const { pathname, search } = new URL(request.url);
      const body = request.body ? await request.clone().text() : '';
      sent.push(`${request.method} ${pathname}${search}${body ? ` ${body}` : ''}`);
      // A call of its own, as it were: without an entry the change is the same.
      const entry = request.headers.get(BOOK_HEADER);
      if (entry !== null) sent.push(`${request.method} ${pathname} with entry ${entry}`);
      return answer(request, forward, silence);
    });
    const keeping = watchKeeping();
    const stages: Piece[][] = [];
    const saved = watchDownloads();
    try {
      for (const step of journey.steps(of)) {
        let taken = await take(step, browser, isFirst);
        // The first time, parts of the app are still being loaded.
        for (let tries = 0; isFirst && !taken && tries < FIRST_TRIES; tries += 1) {
          await new Promise((resolve) => setTimeout(resolve, FIRST_PAUSE));
          await untilQuiet(browser, silence);
          taken = await take(step, browser, isFirst);
        }
        if (!taken) break;
        await untilQuiet(browser, silence);
        stages.push(readPage());
      }
      const kept = [...keptNow().filter((slot) => !before.has(slot)), ...(await saved())];
      // What is sent, and what is kept, comes in an order of its own where one does not wait for the other.
      return { stages, sent: sent.sort(), kept: kept.sort(), keptMeanwhile: keeping.seen.sort() };
    } finally {
      silence.end();
      toasts.dismiss();
      await closeBrowsers();
      // What a form keeps as it closes is sealed first.
      for (let quiet = 0; quiet < 2; quiet = busy === 0 ? quiet + 1 : 0) await turn();
      keeping.stop();
      restoreBytes();
      restoreIdle();
      Object.assign(console, { error, warn });
    }
  }

  const keyOf = (request: Request) => {
    const { pathname, search } = new URL(request.url);
    return `${request.method} ${pathname}${search}`;
  };

  function replay(
    { journey, answers }: Recording,
    of: Inhabitant,
    tamperings: readonly Tampering[],
  ): Promise<Observation> {
    const asked = new Map<string, number>();
    return walk(
      journey,
      of,
      async (request, forward, silence) => {
        const key = keyOf(request);
        const nth = asked.get(key) ?? 0;
        asked.set(key, nth + 1);
        const recorded = answers.get(key);
        const answer = recorded?.[Math.min(nth, recorded.length - 1)];
        // Nothing is written but what the journey writes; what else a page wants to read, it may.
        if (!answer && request.method !== 'GET') throw unreachable();
        const truth = answer ?? (await answerOf(await forward()));
        const call = callOf(request.method, new URL(request.url).pathname);
        const own = tamperings.filter((one) => one.call === call?.name);
        const answered = own.reduce<Answer | 'silence'>(tampered, truth);
        return answered === 'silence' ? silence.keep(request) : responseOf(answered);
      },
      false,
    );
  }

  return {
    async record(journey, of, isCompared = true) {
      const answers = new Map<string, Answer[]>();
      const truths = new Map<string, { status: number; body: Json }>();
      const first = await walk(
        journey,
        of,
        async (request, forward) => {
          const response = await forward();
          const body = await response.clone().text();
          const key = keyOf(request);
          const { status } = response;
          answers.set(key, [...(answers.get(key) ?? []), { status, headers: [...response.headers], body }]);
          const call = callOf(request.method, new URL(request.url).pathname);
          if (call && !truths.has(call.name) && isJson(response.headers.get('content-type')))
            truths.set(call.name, { status, body: JSON.parse(body) as Json });
          return response;
        },
        true,
      );
      const steps = journey.steps(of).length;
      if (first.stages.length < steps) throw new Error(`${journey.name} ends after:\n${told(first)}`);
      if (!isCompared) return { journey, honest: first, answers, truths };
      // Once more, now that every part of the app is there.
      const honest = await replay({ journey, honest: first, answers, truths }, of, []);
      return { journey, honest, answers, truths };
    },
    replay,
  };
}

/** The last page of a walk, for whoever has to find out why it ended. */
const told = ({ stages }: Observation) =>
  `${stages.length} steps\n${stages
    .at(-1)
    ?.map(({ says }) => says)
    .join('\n')}`;

const isJson = (type: string | null) => type?.startsWith('application/json') ?? false;

const answerOf = async (response: Response): Promise<Answer> => ({
  status: response.status,
  headers: [...response.headers],
  body: await response.text(),
});

function responseOf({ status, headers, body }: Answer): Response {
  const kept = headers.filter(([name]) => !/^(set-cookie|content-length)$/.test(name));
  return new Response(status === 204 ? null : body, { status, headers: kept });
}

function tampered(answer: Answer | 'silence', { change }: Tampering): Answer | 'silence' {
  if (answer === 'silence') return answer;
  const type = new Map(answer.headers).get('content-type') ?? null;
  if (!isJson(type)) return answer;
  const told = change(JSON.parse(answer.body) as Json, answer.status);
  if (told === 'silence') return 'silence';
  if ('text' in told)
    return { status: told.status, headers: [['content-type', 'text/html']], body: told.text };
  return { ...answer, status: told.status, body: JSON.stringify(told.body) };
}
