// A chain of our own: Solana's token programs in this process, behind JSON-RPC on a port of 127.0.0.1. It is for tests
// and for trying things out, and no part of what people run.
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createFaults, type Fault, type Faults } from './faults.ts';
import { type Ledger, type Mint, type MintOptions, openLedger } from './ledger.ts';
import { createMethods } from './methods.ts';
import { type Planted, plantAccounts } from './planting.ts';
import { printJson, RpcError } from './wire.ts';

export interface LocalChainOptions extends MintOptions {
  /** 0, or none, for a spare one. */
  port?: number;
  /** What else the port answers: by path, from the JSON of a POST to JSON. */
  control?: (chain: LocalChain) => Promise<Control>;
}

export type Control = Record<string, (body: unknown) => Promise<{ status: number; answer: object }>>;

export interface LocalChain extends Omit<Ledger, 'svm' | 'slot' | 'advance'> {
  /** Of the RPC. */
  url: string;
  /** The first mint. */
  mint: Mint;
  plant(mint: Mint, accounts: Iterable<Planted>): void;
  /** How often each method was called. */
  calls: Map<string, number>;
  /** What the last call said about who makes it. */
  authorization(): string | undefined;
  faults: Faults;
  /** Resolves once a client waits for an answer that hangs; `left` does when that client has gone. */
  hanging(): Promise<{ left: Promise<unknown> }>;
  close(): Promise<void>;
}

/** @throws the error of `listen`, such as EADDRINUSE */
export async function startLocalChain(options: LocalChainOptions = {}): Promise<LocalChain> {
  const { port = 0, control, ...mintOptions } = options;
  const ledger = await openLedger();
  const call = createMethods(ledger);
  const faults = createFaults();
  const calls = new Map<string, number>();
  let routes: Control = {};
  let onHanging = newHanging();
  let authorization: string | undefined;

  // The list of tens of thousands of accounts takes this chain longer to print than anybody to read it.
  const printed = new Map<string, string>();
  let printedAt = 0n;
  function resultOf(method: string, params: readonly unknown[]): string {
    if (printedAt !== ledger.slot()) printed.clear();
    printedAt = ledger.slot();
    const key = JSON.stringify([method, params]);
    const known = printed.get(key);
    if (known !== undefined) return known;
    const result = printJson(call(method, params));
    printed.set(key, result);
    return result;
  }

  async function answerCall(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { id, method, params } = parseCall(await textOf(request));
    authorization = request.headers.authorization;
    calls.set(method, (calls.get(method) ?? 0) + 1);
    const fault = faults.take(method);
    if (fault !== null && typeof fault === 'object' && 'status' in fault) {
      response.writeHead(fault.status, fault.headers).end();
      return;
    }
    if (fault === 'hangs') return hang(response);
    const body = `{"jsonrpc":"2.0",${outcomeOf(method, params, fault)},"id":${printJson(id)}}`;
    sendBody(response, body, fault);
  }

  function outcomeOf(method: string, params: readonly unknown[], fault: Fault | null): string {
    try {
      if (fault !== null && typeof fault === 'object') {
        if ('error' in fault) return `"error":${printJson(fault.error)}`;
        if ('result' in fault) return `"result":${printJson(fault.result)}`;
        if ('missing' in fault) {
          const list = call(method, params) as unknown[];
          return `"result":${printJson(list.slice(0, list.length - fault.missing))}`;
        }
      }
      return `"result":${resultOf(method, params)}`;
    } catch (error) {
      const code = error instanceof RpcError ? error.code : -32603;
      return `"error":${printJson({ code, message: error instanceof Error ? error.message : 'Internal error' })}`;
    }
  }

  function sendBody(response: ServerResponse, body: string, fault: Fault | null): void {
    if (fault === 'garbage') {
      response
        .writeHead(200, { 'content-type': 'text/html' })
        .end('<!doctype html><title>Maintenance</title>');
      return;
    }
    const half = body.slice(0, body.length / 2);
    const length = Buffer.byteLength(fault === 'cut' ? half : body);
    response.writeHead(200, { 'content-type': 'application/json', 'content-length': length });
    if (fault === 'hangs in its answer') {
      response.write(half);
      hang(response);
    } else if (fault === 'drops') {
      response.write(half, () => response.destroy());
    } else {
      response.end(fault === 'cut' ? half : body);
    }
  }

  function hang(response: ServerResponse): void {
    onHanging.resolve({ left: once(response, 'close') });
  }

  async function answerControl(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const route = Object.hasOwn(routes, request.url ?? '') ? routes[request.url ?? ''] : undefined;
    // A page in a browser can send no other kind of body without asking first.
    const isJson = request.headers['content-type'] === 'application/json';
    const { status, answer } =
      route && isJson
        ? await route(JSON.parse(await textOf(request)))
        : { status: 404, answer: { error: 'There is nothing here.' } };
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(answer));
  }

  const server = createServer((request, response) => {
    // A provider's address may hold a key.
    const [path] = (request.url ?? '').split('?');
    const answering = path === '/' ? answerCall(request, response) : answerControl(request, response);
    answering.catch(() => response.headersSent || response.writeHead(400).end());
  });
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');

  const { svm: _, slot: __, advance: ___, ...operations } = ledger;
  const chain: LocalChain = {
    ...operations,
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    mint: await ledger.createMint(mintOptions),
    plant: (mint, accounts) => plantAccounts(ledger, mint, accounts),
    calls,
    authorization: () => authorization,
    faults: {
      ...faults,
      clear: () => {
        onHanging = newHanging();
        faults.clear();
      },
    },
    hanging: () => onHanging.promise,
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
  routes = (await control?.(chain)) ?? {};
  return chain;
}

interface Hanging {
  promise: Promise<{ left: Promise<unknown> }>;
  resolve(client: { left: Promise<unknown> }): void;
}

function newHanging(): Hanging {
  let resolve: Hanging['resolve'] = () => {};
  const promise = new Promise<{ left: Promise<unknown> }>((settle) => {
    resolve = settle;
  });
  return { promise, resolve };
}

interface Call {
  id: unknown;
  method: string;
  params: readonly unknown[];
}

function parseCall(text: string): Call {
  const { id, method, params = [] } = JSON.parse(text);
  if (typeof method !== 'string' || !Array.isArray(params)) throw new TypeError('This is no call.');
  return { id, method, params };
}

async function textOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString();
}
