import { afterAll, beforeAll, expect, it } from 'vitest';
import { describeOnEachEngine } from '../../../testing/engines.ts';
import { failure, openTestInstance, type TestInstance } from '../../../testing/instance.ts';
import { answerQuestions, signUpByPassphrase } from '../../../testing/people.ts';

const answers = { question1: 'c2VhbGVkMQ==', question2: 'c2VhbGVkMg==', question3: 'c2VhbGVkMw==' };

describeOnEachEngine('the three questions', (engine) => {
  let instance: TestInstance;
  beforeAll(async () => {
    instance = await openTestInstance({ engine });
  });
  afterAll(() => instance.close());

  it('are answered with the fields of the specification alone, and the server opens', async () => {
    const person = await signUpByPassphrase(instance);
    const response = await person.request('POST', '/api/onboarding', { body: answers });
    expect(response.status).toBe(201);
    expect(await response.json()).toEqual({ onboardingComplete: true });
    expect(await (await person.request('GET', '/api/auth/user')).json()).toMatchObject({
      onboardingComplete: true,
    });
  });

  it('are answered once: the second answers are refused and the first ones kept', async () => {
    const person = await signUpByPassphrase(instance);
    await person.request('POST', '/api/onboarding', { body: answers });
    const again = await person.request('POST', '/api/onboarding', {
      body: { ...answers, question1: 'bmV3' },
    });
    expect(await failure(again)).toEqual({ status: 409, code: 'already-onboarded' });
    const kept = await instance.deps.db.selectFrom('onboarding_answers').select('question1').execute();
    expect(kept.map(({ question1 }) => question1)).not.toContain('bmV3');
  });

  it('are answered once when ten answers come at once', async () => {
    const person = await signUpByPassphrase(instance);
    const send = () => person.request('POST', '/api/onboarding', { body: answers });
    const statuses = (await Promise.all(Array.from({ length: 10 }, send))).map(({ status }) => status);
    expect(statuses.sort()).toEqual([201, ...Array(9).fill(409)]);
  });

  it('can be reread by whoever has answered them, as they were sealed', async () => {
    const person = await signUpByPassphrase(instance);
    const reread = async () => (await person.request('GET', '/api/onboarding')).json();
    expect(await reread()).toBeNull();
    const seal = { sealId: 'A'.repeat(22), keyFingerprint: '0123456789abcdef' };
    await person.request('POST', '/api/onboarding', { body: { ...answers, ...seal } });
    const createdAt = new Date(instance.clock.now()).toISOString();
    expect(await reread()).toEqual({ ...answers, ...seal, createdAt });
    const stranger = await signUpByPassphrase(instance);
    expect(await (await stranger.request('GET', '/api/onboarding')).json()).toBeNull();
  });

  it.each([
    ['a missing answer', { question2: undefined }],
    ['a blank answer', { question3: ' \n' }],
    ['an endless answer', { question1: 'A'.repeat(128 * 1024 + 1) }],
  ])('refuse %s', async (_, fields) => {
    const person = await signUpByPassphrase(instance);
    const response = await person.request('POST', '/api/onboarding', { body: { ...answers, ...fields } });
    expect(response.status).toBe(422);
    await answerQuestions(person);
  });
});
