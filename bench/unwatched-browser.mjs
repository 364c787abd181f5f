// A Chromium that watches no network. Playwright has the browser copy each body that a page sends, which takes a hundred times as
// long as sending it: where large bodies are measured, a page is driven over the bare protocol instead.
import { spawn } from 'node:child_process';
import { CHROMIUM_FLAGS } from '../scripts/chromium.mjs';
import { findChromium } from '../scripts/find-programs.mjs';

const WITHIN = 5 * 60_000;

/**
 * One page of a Chromium with the profile of a folder, which another one may have filled.
 * @source the Chrome DevTools Protocol, over a pipe: messages of JSON, each ended by a zero byte
 */
export async function openUnwatched(profile) {
  const flags = ['--headless', '--no-first-run', '--password-store=basic', '--remote-debugging-pipe'];
  const child = spawn(findChromium(), [...CHROMIUM_FLAGS, ...flags, `--user-data-dir=${profile}`], {
    stdio: ['ignore', 'ignore', 'ignore', 'pipe', 'pipe'],
  });
  const [, , , input, output] = child.stdio;
  const waiting = new Map();
  let [count, said] = [0, ''];
  output.on('data', (chunk) => {
    const messages = (said + chunk).split('\0');
    said = messages.pop();
    for (const message of messages) {
      const { id, result, error } = JSON.parse(message);
      const { resolve, reject } = waiting.get(id) ?? {};
      waiting.delete(id);
      if (error) reject?.(new Error(error.message));
      else resolve?.(result);
    }
  });
  const call = (method, params = {}, sessionId = undefined) =>
    new Promise((resolve, reject) => {
      count += 1;
      waiting.set(count, { resolve, reject });
      input.write(`${JSON.stringify({ id: count, method, params, sessionId })}\0`);
    });
  const { targetId } = await call('Target.createTarget', { url: 'about:blank' });
  const { sessionId } = await call('Target.attachToTarget', { targetId, flatten: true });
  const send = (method, params) => call(method, params, sessionId);

  /** What an expression of the page gives, awaited. */
  async function evaluate(expression) {
    const { result, exceptionDetails } = await send('Runtime.evaluate', {
      expression,
      awaitPromise: true,
      returnByValue: true,
      userGesture: true,
    });
    if (exceptionDetails) throw new Error(exceptionDetails.exception?.description ?? exceptionDetails.text);
    return result.value;
  }

  /** Waits until an expression of the page holds. */
  async function until(expression) {
    const end = performance.now() + WITHIN;
    while (!(await evaluate(expression).catch(() => false))) {
      if (performance.now() > end) throw new Error(`never: ${expression}`);
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  }

  const found = (selector, text) =>
    `[...document.querySelectorAll(${JSON.stringify(selector)})].find((one) => (one.ariaLabel ?? one.textContent).includes(${JSON.stringify(text)}))`;

  return {
    send,
    evaluate,
    until,
    /** Waits for an element by a part of its label or its text, and presses it. */
    async press(selector, text) {
      await until(`${found(selector, text)} !== undefined`);
      await evaluate(`${found(selector, text)}.click()`);
    },
    /** Waits for a field, and types into it. */
    async type(selector, text) {
      await until(`document.querySelector(${JSON.stringify(selector)}) !== null`);
      await evaluate(`document.querySelector(${JSON.stringify(selector)}).focus()`);
      await send('Input.insertText', { text });
    },
    async choose(selector, file) {
      const { root } = await send('DOM.getDocument');
      const { nodeId } = await send('DOM.querySelector', { nodeId: root.nodeId, selector });
      await send('DOM.setFileInputFiles', { nodeId, files: [file] });
    },
    async close() {
      const ended = new Promise((resolve) => child.once('exit', resolve));
      await call('Browser.close');
      await ended;
    },
  };
}
