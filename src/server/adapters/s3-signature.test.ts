// The examples that Amazon's documentation of S3 gives for the signature in a header.
import { expect, it } from 'vitest';
import { NO_PAYLOAD, signedHeaders } from './s3-signature.ts';

const key = {
  id: 'AKIAIOSFODNN7EXAMPLE',
  secret: 'wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY',
  region: 'us-east-1',
};
const BUCKET = 'https://examplebucket.s3.amazonaws.com';

it.each([
  {
    says: 'a range that is read',
    method: 'GET',
    path: '/test.txt',
    headers: { range: 'bytes=0-9' },
    payload: NO_PAYLOAD,
    signature: 'f0e8bdb87c964420e857bd35b5d6ed310bd44f0170aba48dd91039c6036bdb41',
  },
  {
    says: 'an object that is put',
    method: 'PUT',
    path: '/test%24file.text',
    headers: { date: 'Fri, 24 May 2013 00:00:00 GMT', 'x-amz-storage-class': 'REDUCED_REDUNDANCY' },
    payload: '44ce7dd67c959e0d3524ffac1771dfbba87d2b6b4b4e99e42034a8b803f8b072',
    signature: '98ad721746da40c64f1a55b78f14c238d841ea1380cd77a1b5971af0ece108bd',
  },
  {
    says: 'a question without a value',
    method: 'GET',
    path: '/?lifecycle',
    headers: {},
    payload: NO_PAYLOAD,
    signature: 'fea454ca298b7da1c68078a5d1bdbfbbe0d65c699e0f91ac7a200a0136783543',
  },
  {
    says: 'a list',
    method: 'GET',
    path: '/?max-keys=2&prefix=J',
    headers: {},
    payload: NO_PAYLOAD,
    signature: '34b48302e7b5fa45bde8084f4b7868a86f0a534bc59db6670ed5711ef69dc6f7',
  },
])('signs $says as Amazon does', ({ method, path, headers, payload, signature }) => {
  const request = { method, url: new URL(BUCKET + path), headers, payload, at: Date.UTC(2013, 4, 24) };
  expect(signedHeaders(request, key).authorization).toMatch(
    new RegExp(`^AWS4-HMAC-SHA256 Credential=${key.id}/20130524/us-east-1/s3/aws4_request,.*=${signature}$`),
  );
});
