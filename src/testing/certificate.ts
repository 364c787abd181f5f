// A certificate such as makers put into authenticators: valid in every respect but that nobody has ever heard of them.
import { generateKeyPairSync, type KeyObject, sign } from 'node:crypto';

const der = (tag: number, ...parts: Buffer[]): Buffer => {
  const body = Buffer.concat(parts);
  const length = body.length < 128 ? [body.length] : [0x82, body.length >> 8, body.length & 0xff];
  return Buffer.concat([Buffer.from([tag, ...length]), body]);
};
const SEQUENCE = 0x30;
const SET = 0x31;
const sequence = (...parts: Buffer[]) => der(SEQUENCE, ...parts);
const integer = (n: number) => der(0x02, Buffer.from([n]));
const oid = (...bytes: number[]) => der(0x06, Buffer.from(bytes));
const time = (text: string) => der(0x18, Buffer.from(text));
const bits = (content: Buffer) => der(0x03, Buffer.from([0]), content);

const ECDSA_SHA256 = sequence(oid(0x2a, 0x86, 0x48, 0xce, 0x3d, 0x04, 0x03, 0x02));

/** One attribute of a name, such as 6 for a country (X.520: 2.5.4.n). */
const attribute = (n: number, text: string) =>
  der(SET, sequence(oid(0x55, 0x04, n), der(n === 6 ? 0x13 : 0x0c, Buffer.from(text))));

/** The certificate in DER, and the key that belongs to it. */
export function anAuthenticatorCertificate(): { certificate: Buffer; privateKey: KeyObject } {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  // What WebAuthn asks of attestation certificates: country, organisation, this very unit, a common name.
  const name = sequence(
    attribute(6, 'SE'),
    attribute(10, 'A Maker'),
    attribute(11, 'Authenticator Attestation'),
    attribute(3, 'An Authenticator'),
  );
  const notAnAuthority = sequence(oid(0x55, 0x1d, 0x13), der(0x04, sequence()));
  const body = sequence(
    der(0xa0, integer(2)),
    integer(1),
    ECDSA_SHA256,
    name,
    sequence(time('20200101000000Z'), time('20990101000000Z')),
    name,
    publicKey.export({ type: 'spki', format: 'der' }),
    der(0xa3, sequence(notAnAuthority)),
  );
  const signature = sign('sha256', body, privateKey);
  return { certificate: sequence(body, ECDSA_SHA256, bits(signature)), privateKey };
}
