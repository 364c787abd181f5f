// How a request to an object store of Amazon's kind is signed: "Signature Version 4", with headers. The documentation of
// Amazon S3 describes it ("Authenticating Requests: Using the Authorization Header"), and its examples are the test's vectors.
import { createHash, createHmac } from 'node:crypto';

export interface S3Key {
  id: string;
  secret: string;
  region: string;
}

export interface UnsignedRequest {
  method: string;
  url: URL;
  /** Signed as they are, in lower case; `host` and those of the signature are added. */
  headers: Readonly<Record<string, string>>;
  /** SHA-256 of the body, 64 hexadecimal digits: the store refuses every other body. */
  payload: string;
  /** Epoch milliseconds. */
  at: number;
}

/** SHA-256 of a body that has no bytes. */
export const NO_PAYLOAD = createHash('sha256').digest('hex');

/** @returns all headers of the request, the signature among them */
export function signedHeaders(request: UnsignedRequest, key: S3Key): Record<string, string> {
  const { method, url, payload, at } = request;
  const time = new Date(at).toISOString().replace(/[-:]|\.\d+/g, '');
  const scope = `${time.slice(0, 8)}/${key.region}/s3/aws4_request`;
  const headers: Record<string, string> = {
    ...request.headers,
    host: url.host,
    'x-amz-content-sha256': payload,
    'x-amz-date': time,
  };
  const names = Object.keys(headers).sort();
  const canonical = [
    method,
    url.pathname,
    canonicalQuery(url.searchParams),
    ...names.map((name) => `${name}:${headers[name]?.trim()}`),
    '',
    names.join(';'),
    payload,
  ].join('\n');
  const signed = ['AWS4-HMAC-SHA256', time, scope, sha256(canonical)].join('\n');
  const signingKey = scope.split('/').reduce<Buffer | string>(hmac, `AWS4${key.secret}`);
  const signature = hmac(signingKey, signed).toString('hex');
  const says = `Credential=${key.id}/${scope},SignedHeaders=${names.join(';')},Signature=${signature}`;
  return { ...headers, authorization: `AWS4-HMAC-SHA256 ${says}` };
}

/** The query of an address as it is signed, and as it has to be sent. */
export const canonicalQuery = (query: URLSearchParams): string =>
  [...query]
    .map(([name, value]) => `${escaped(name)}=${escaped(value)}`)
    .sort()
    .join('&');

/** Everything but the unreserved signs of RFC 3986, which encodeURIComponent leaves five more than. */
const escaped = (text: string) =>
  encodeURIComponent(text).replace(/[!'()*]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`);

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');
const hmac = (key: Buffer | string, text: string) => createHmac('sha256', key).update(text).digest();
