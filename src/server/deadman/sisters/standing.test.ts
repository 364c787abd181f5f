// How the instances that one lists stand with it, as its administrator reads it.
import { expect, it } from 'vitest';
import type { ReplyOf } from '../../../shared/http/call.ts';
import type { sisters } from '../../../shared/nouns/sisters.ts';
import { makeAdministrator, signUpByPassphrase } from '../../../testing/people.ts';
import { aCircle, type Peer, refusal } from '../../../testing/sisters.ts';

const PATH = '/api/sisters/joined';

/** Answers this to letters alone. */
const ofLetters = (answer: ReturnType<Peer['answers']>) => (path: string) =>
  path === '/api/sisters/letters' ? answer : null;

it('says of each whether it lists this one too, and when it was reached last', async () => {
  const circle = await aCircle({ count: 5, whole: 1, wholeHome: true });
  const { instance } = circle.home.watched ?? {};
  if (!instance) throw new Error('the home is no server');
  const [one, oneSided, deaf, another, silent] = circle.sisters as [Peer, Peer, Peer, Peer, Peer];
  oneSided.answers = ofLetters(refusal('not-a-sister'));
  deaf.answers = ofLetters(refusal('sister-away'));
  another.identity = one.identity;
  silent.isUp = false;
  const person = await signUpByPassphrase(instance);
  expect((await person.request('GET', PATH)).status).toBe(403);
  await makeAdministrator(instance, person);
  const look = async () =>
    (await (await person.request('GET', PATH)).json()) as ReplyOf<typeof sisters.joined>;
  const first = await look();
  expect(first.map(({ origin, standing, reachedAt }) => [origin, standing, reachedAt !== null])).toEqual([
    [one.origin, 'joined', true],
    [oneSided.origin, 'one-sided', true],
    [deaf.origin, 'deaf', true],
    [another.origin, 'another', false],
    [silent.origin, 'silent', false],
  ]);
  // Nothing was left with them by being asked.
  const kept = await one.watched?.deps.db.selectFrom('sister_letters').select('id').execute();
  expect(kept).toEqual([]);
  one.isUp = false;
  const [gone] = await look();
  expect(gone).toMatchObject({ standing: 'silent' });
  expect(gone?.reachedAt).not.toBeNull();
  await circle.close();
});

it('takes what a proxy answers on the way for nobody’s word', async () => {
  const circle = await aCircle({ count: 5, whole: 0, wholeHome: true });
  const { instance } = circle.home.watched ?? {};
  if (!instance) throw new Error('the home is no server');
  const [forbids, conflicts, portal, alone, faulty] = circle.sisters as [Peer, Peer, Peer, Peer, Peer];
  forbids.answers = ofLetters({ status: 403, body: { error: 'Forbidden' } });
  conflicts.answers = ofLetters({ status: 409 });
  faulty.answers = ofLetters({ status: 502, body: { code: 'bad-gateway' } });
  portal.answers = () => ({ status: 404, body: { error: 'Please sign in to this network.' } });
  alone.answers = () => refusal('not-found');
  const person = await signUpByPassphrase(instance);
  await makeAdministrator(instance, person);
  const joined = (await (await person.request('GET', PATH)).json()) as ReplyOf<typeof sisters.joined>;
  expect(joined.map(({ standing }) => standing)).toEqual(['silent', 'silent', 'silent', 'another', 'silent']);
  await circle.close();
});
