// Receives a body byte for byte, for a handler that checks its sender's signature over the bytes: few of them at a time,
// because they are received before that can be checked.
import type { Context } from 'hono';
import type { RawBody } from '../../shared/http/call.ts';
import type { Deps } from '../deps.ts';
import { AppError } from '../errors.ts';
import { addressBucket, clientAddress } from './client-address.ts';
import { type Receiving, receiveBody } from './received.ts';
import { inTime } from './uploads.ts';

/** How many raw bodies of one call are received at a time by this process, and how many of them from one address. */
export interface RawBodyLimits {
  atOnce: number;
  perAddress: number;
}

/** Of the largest ones they take 16 MB together, and twice as much for a moment. */
const rawBodyLimits: RawBodyLimits = { atOnce: 32, perAddress: 8 };

/** The same of bodies in a format of ours. One service may send fifty at once, and each has 256 KiB at most. */
export const signedBodyLimits: RawBodyLimits = { atOnce: 64, perAddress: 64 };

/** After how many seconds somebody may try again whose body made room. */
const SOON = 10;

/**
 * Receives raw bodies. Beyond the number the one that began first makes room, of the same address where that has too many:
 * whoever sends slowly shuts out nobody, since what others send is there at once.
 */
export function rawBodyReader(
  { config, uploads }: Pick<Deps, 'config' | 'uploads'>,
  { type, maxBytes }: Pick<RawBody, 'type' | 'maxBytes'>,
  { atOnce, perAddress }: RawBodyLimits = rawBodyLimits,
) {
  /** In the order in which they began. */
  const inside = new Map<Receiving, string>();

  function makeRoom(bucket: string): void {
    const sameAddress = [...inside].filter(([, other]) => other === bucket);
    const [first] = sameAddress.length >= perAddress ? sameAddress : inside.size >= atOnce ? inside : [];
    if (!first) return;
    inside.delete(first[0]);
    first[0].giveUp(
      new AppError('busy', 'This server is busy. Please send it again in a few seconds.', SOON),
    );
  }

  return {
    expectType: (c: Context) => expectType(c, type),
    /**
     * @returns the bytes, as they were sent
     * @throws AppError `busy` where it had to make room, and as `receiveBody`
     */
    async read(c: Context): Promise<Buffer> {
      const bucket = addressBucket(clientAddress(config, c));
      makeRoom(bucket);
      const body = receiveBody(c, maxBytes);
      inside.set(body, bucket);
      try {
        return await inTime(body, uploads);
      } finally {
        inside.delete(body);
      }
    },
  };
}

/** @throws AppError `wrong-type` */
export function expectType(c: Context, type: string): void {
  const sent = c.req.header('content-type')?.split(';')[0]?.trim().toLowerCase();
  if (sent !== type) throw new AppError('wrong-type', `Send the content type ${type}.`);
}
