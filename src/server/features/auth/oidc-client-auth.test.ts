import { getRequestListener } from '@hono/node-server';
import { expect, it } from 'vitest';
import { oauthErrorOf } from './oidc-client-auth.ts';

it('reads the code of an answer that was fetched once a server listens', async () => {
  getRequestListener(() => new Response());
  const response = await fetch('data:application/json,{"error":"invalid_grant"}');
  expect(response).not.toBeInstanceOf(Response);
  expect(await oauthErrorOf({ response })).toBe('invalid_grant');
});

it('reads the code of an answer that the library left unread, as often as it is asked', async () => {
  const response = Response.json({ error: 'invalid_grant' }, { status: 401 });
  expect(await oauthErrorOf({ response })).toBe('invalid_grant');
  expect(await oauthErrorOf({ response })).toBe('invalid_grant');
});
