// How this server shows its client secret to a provider: the ways in the order in which they are tried, and which error
// a provider answered. Neither a secret nor what a provider says beside the error's code is ever logged.
import type * as Client from 'openid-client';

/**
 * The ways of showing the secret: those that the provider names first, HTTP Basic before the body. Providers that name
 * one and take the other are common, so the other one follows.
 * @param supported `token_endpoint_auth_methods_supported`; without it a provider takes Basic (RFC 8414, 2)
 */
export function waysToShow(
  client: typeof Client,
  secret: string | null,
  supported: readonly string[] | undefined,
): Client.ClientAuth[] {
  if (secret === null) return [client.None()];
  const basic = { name: 'client_secret_basic', show: showByBasic(secret) };
  const post = { name: 'client_secret_post', show: client.ClientSecretPost(secret) };
  const isPostAlone = supported?.includes(post.name) && !supported.includes(basic.name);
  return (isPostAlone ? [post, basic] : [basic, post]).map(({ show }) => show);
}

/**
 * RFC 6749, 2.3.1 has both halves form-encoded. The library also writes `-`, `_` and `.` as `%2D`, `%5F` and `%2E`, and
 * providers that decode nothing, of which there are some, then refuse every secret with a hyphen. As browsers encode a
 * form, these three stay as they are, and a provider that does decode reads the same.
 */
function showByBasic(secret: string): Client.ClientAuth {
  return (_server, { client_id }, _body, headers) => {
    const pair = `${formEncoded(client_id)}:${formEncoded(secret)}`;
    headers.set('authorization', `Basic ${Buffer.from(pair).toString('base64')}`);
  };
}

const formEncoded = (text: string) => new URLSearchParams([['', text]]).toString().slice(1);

/** The codes of RFC 6749, RFC 6750 and OpenID Connect Core. What else stands there may be anybody's text. */
const CODES = new Set([
  'access_denied',
  'account_selection_required',
  'consent_required',
  'insufficient_scope',
  'interaction_required',
  'invalid_client',
  'invalid_grant',
  'invalid_request',
  'invalid_scope',
  'invalid_token',
  'login_required',
  'server_error',
  'temporarily_unavailable',
  'unauthorized_client',
  'unsupported_grant_type',
  'unsupported_response_type',
]);

/** Whether a provider did not take the client for who it says it is. Glewlwyd says so with the second code. */
export const refusesClient = (code: string | null) =>
  code === 'invalid_client' || code === 'unauthorized_client';

/** The code of OAuth that a provider refused with; null where it named none, or none that is known. */
export async function oauthErrorOf(error: unknown): Promise<string | null> {
  const { error: named, response } = error as { error?: unknown; response?: unknown };
  const code = named ?? (isResponse(response) ? await codeIn(response) : undefined);
  return typeof code === 'string' && CODES.has(code) ? code : null;
}

/** By its shape: a server that has begun to listen has put another `Response` in the place of the one that `fetch` gives. */
const isResponse = (value: unknown): value is Response =>
  typeof value === 'object' && value !== null && 'bodyUsed' in value && 'clone' in value;

/** With a challenge in its headers the library leaves the body of an answer unread. A copy is read: who asks again finds it. */
async function codeIn(response: Response): Promise<unknown> {
  if (response.bodyUsed) return undefined;
  const body: unknown = await response
    .clone()
    .json()
    .catch(() => null);
  return typeof body === 'object' && body !== null && 'error' in body ? body.error : undefined;
}
