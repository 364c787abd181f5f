// The promise, watched from outside: a unique word typed into every field that the contract classes as sealed is in
// no request, no file of the data folder and no log line, in no encoding.
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { Locator, Page } from '@playwright/test';
import { contractRows } from '../src/shared/http/contract.ts';
import { type FieldClass, fieldsOf } from '../src/shared/http/field-classes.ts';
import { beginResealing, changeKey, writeNewWords } from './another-key.ts';
import { expect, type TestInstance, test } from './instance.ts';
import {
  answerQuestions,
  beginByPassphrase,
  keepWords,
  openMemoryVault,
  pressEscape,
  readMemory,
  sealMemory,
} from './rites.ts';
import { deliver, makeWebhook } from './webhooks.ts';

const resealedFields = [
  'entries[].title',
  'entries[].encryptedContent',
  'entries[].details',
  'entries[].personName',
  'entries[].encryptedContent',
  'entries[].details',
  'entries[].title',
  'entries[].encryptedContent',
  'entries[].details',
  'entries[].question1',
  'entries[].question2',
  'entries[].question3',
  'entries[].encryptedSecret',
  'entries[].name',
  'entries[].details',
  'entries[].title',
  'entries[].encryptedContent',
];

/** The last of them and the first are choices, not words. */
const storyFields = ['storyType', 'sourceContent', 'personName', 'relationshipDuration', 'emotionalTone'];

/** Opens the form of a myth and types what it is made from. */
async function beginMyth(page: Page, source: string, person: string, duration: string): Promise<Locator> {
  await page.getByRole('button', { name: 'Create Sacred Myth' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Story type').selectOption({ label: 'Love Mythology' });
  await dialog.getByLabel('Person').fill(person);
  await dialog.getByLabel('For how long').fill(duration);
  await dialog.getByLabel('Source').fill(source);
  return dialog;
}

type Typist = (page: Page, instance: TestInstance, word: (field: string) => string) => Promise<void>;

/**
 * How a person comes to type into each sealed field. A call that is added to the contract without a way to reach its
 * fields here fails the first test below.
 */
const typists: Record<string, { fields: string[]; type: Typist }> = {
  'account.onboarding': {
    fields: ['question1', 'question2', 'question3'],
    type: (page, _instance, word) =>
      answerQuestions(page, [word('question1'), word('question2'), word('question3')]),
  },
  'memories.create': {
    fields: ['title', 'encryptedContent', 'details'],
    type: async (page, _instance, word) => {
      await openMemoryVault(page);
      await sealMemory(page, word('title'), word('encryptedContent'), undefined, word('details'));
      await sealMemory(page, `${word('title')} locked`, `${word('encryptedContent')} locked`, '1 day');
    },
  },
  'memories.update': {
    fields: ['title', 'encryptedContent', 'details'],
    type: async (page, _instance, word) => {
      await page
        .getByRole('main')
        .getByRole('listitem')
        .getByRole('button', { name: 'Always accessible' })
        .click();
      await page.getByRole('button', { name: 'Edit' }).click();
      await page.getByRole('textbox', { name: 'Title' }).fill(word('title'));
      await page.getByRole('textbox', { name: 'Memory' }).fill(word('encryptedContent'));
      await page.getByRole('textbox', { name: 'Tags' }).fill(word('details'));
      await page.getByRole('button', { name: 'Seal Memory' }).click();
      await expect(page.getByRole('dialog')).toBeHidden();
      await readMemory(page, word('title'), [word('encryptedContent')]);
      // A draft that is left lying about stays in this browser, sealed.
      await page.getByRole('button', { name: 'New Memory' }).click();
      await page.getByRole('textbox', { name: 'Title' }).fill(`${word('title')} draft`);
      await pressEscape(page);
    },
  },
  'relationships.create': {
    fields: ['personName', 'encryptedContent', 'details'],
    type: async (page, instance, word) => {
      await page.goto(`${instance.url}/relationship-ledger`);
      await page.getByRole('main').getByRole('button', { name: 'Record Moment' }).click();
      const dialog = page.getByRole('dialog');
      await dialog.getByLabel('Person').fill(word('personName'));
      await dialog.getByLabel('Kind').selectOption({ label: 'Confession' });
      await dialog.getByLabel('What happened').fill(word('encryptedContent'));
      await dialog.getByLabel('Tags').fill(word('details'));
      await dialog.getByRole('button', { name: 'Record Moment' }).click();
      await expect(dialog).toBeHidden();
    },
  },
  'relationships.update': {
    fields: ['personName', 'encryptedContent', 'details'],
    type: async (page, _instance, word) => {
      await page.getByRole('main').getByRole('button', { name: 'Canary-relationships' }).first().click();
      await page.getByRole('button', { name: 'Edit' }).click();
      const dialog = page.getByRole('dialog', { name: 'Edit Moment' });
      await dialog.getByLabel('Person').fill(word('personName'));
      await dialog.getByLabel('What happened').fill(word('encryptedContent'));
      await dialog.getByLabel('Tags').fill(word('details'));
      await dialog.getByRole('button', { name: 'Record Moment' }).click();
      await expect(dialog).toBeHidden();
    },
  },
  'ghosts.create': {
    fields: ['encryptedContent'],
    type: async (page, instance, word) => {
      await page.goto(`${instance.url}/ghost-mode`);
      for (const reads of ['3 readings', '1 reading']) {
        await page.getByRole('button', { name: 'Ghost Thought' }).click();
        const dialog = page.getByRole('dialog', { name: 'Ghost Thought' });
        await dialog.getByRole('textbox', { name: 'Thought' }).fill(word('encryptedContent'));
        await dialog.getByLabel('May be read').selectOption({ label: reads });
        await dialog.getByRole('button', { name: 'Seal the thought' }).click();
        await expect(dialog).toBeHidden();
      }
    },
  },
  'myths.create': {
    fields: ['title', 'encryptedContent', 'details'],
    type: async (page, instance, word) => {
      await page.goto(`${instance.url}/myth-builder`);
      const dialog = await beginMyth(page, word('source'), word('person'), word('duration'));
      // The Loom weaves here: what a story is made from is sent to nobody.
      await dialog.getByRole('button', { name: 'Make the story' }).click();
      await dialog.getByLabel('Title').fill(word('title'));
      await dialog.getByLabel('Story').fill(word('encryptedContent'));
      await dialog.getByLabel('Tags').fill(word('details'));
      await dialog.getByRole('button', { name: 'Seal Myth' }).click();
      await page.getByRole('button', { name: 'Close' }).click();
    },
  },
  'myths.update': {
    fields: ['title', 'encryptedContent', 'details'],
    type: async (page, _instance, word) => {
      await page.getByRole('main').getByRole('button', { name: 'Canary-myths' }).first().click();
      await page.getByRole('button', { name: 'Edit' }).click();
      const dialog = page.getByRole('dialog', { name: 'Edit Myth' });
      await dialog.getByLabel('Title').fill(word('title'));
      await dialog.getByLabel('Story').fill(word('encryptedContent'));
      await dialog.getByLabel('Tags').fill(word('details'));
      await dialog.getByRole('button', { name: 'Seal Myth' }).click();
      await expect(dialog).toBeHidden();
    },
  },
  // What somebody agrees to send to a model goes in one request, whatever becomes of it. That the model then has it, and
  // nothing else, is proved in server/story-traces.test.ts.
  'stories.draft': {
    fields: storyFields,
    type: async (page, _instance, word) => {
      const writer = { engine: 'model', writer: 'a model', writerId: 'a'.repeat(64), perDay: 1 };
      await page.route('**/api/story-writer', (route) => route.fulfill({ json: writer }));
      const dialog = await beginMyth(
        page,
        word('sourceContent'),
        word('personName'),
        word('relationshipDuration'),
      );
      await dialog.getByRole('radio', { name: 'A language model' }).check();
      await dialog.getByRole('checkbox', { name: /^I agree/ }).check();
      await dialog.getByRole('button', { name: 'Send the words' }).click();
      await expect(dialog.getByRole('alert')).toContainText('No language model is configured');
      await page.unroute('**/api/story-writer');
      // A draft that is left lying about stays in this browser, sealed.
      await pressEscape(page);
    },
  },
  // Programs make this call, and no screen.
  'stories.generate': {
    fields: storyFields,
    type: async (page, instance, word) => {
      const [sourceContent, personName] = [word('sourceContent'), word('personName')];
      const relationshipDuration = word('relationshipDuration');
      await page.request.post(`${instance.url}/api/myth-stories/generate`, {
        data: { storyType: 'breakup', sourceContent, personName, relationshipDuration },
      });
    },
  },
  'importWebhooks.create': {
    fields: ['name'],
    type: async (page, instance, word) => {
      await page.goto(`${instance.url}/imports`);
      await makeWebhook(page, word('name'));
      await page.getByRole('button', { name: 'Done' }).click();
    },
  },
  // Another program sends this: the words are in no request of the browser either, although it opens them afterwards.
  'importWebhooks.receive': {
    fields: [
      'type',
      'timestamp',
      'data.title',
      'data.content',
      'data.text',
      'data.happenedOn',
      'data.tags[]',
    ],
    type: async (page, instance, word) => {
      const webhook = await makeWebhook(page, 'A program');
      const data = { title: word('title'), tags: [word('tags')] };
      for (const text of [{ content: word('content') }, { content: undefined, text: word('text') }]) {
        expect(await deliver(webhook, { ...data, ...text })).toBe(204);
      }
      await page.getByRole('button', { name: 'Done' }).click();
      await page.goto(`${instance.url}/memory-vault`);
      await expect(page.getByText(word('title'))).toHaveCount(2);
    },
  },
  'shareableKeys.seal': {
    fields: ['encryptedContent', 'encryptedSecret'],
    type: async (page, instance, word) => {
      // What is shared is a memory, and its title goes along in the secret.
      await page.goto(`${instance.url}/memory-vault`);
      await sealMemory(page, word('encryptedSecret'), word('encryptedContent'));
      await page.goto(`${instance.url}/sacred-keys`);
      await page.getByRole('button', { name: 'Create Sacred Key' }).click();
      const dialog = page.getByRole('dialog');
      await dialog.getByLabel('Content type').selectOption({ label: 'Memory' });
      await dialog.getByLabel('Specific entry').selectOption({ index: 1 });
      await dialog.getByRole('button', { name: 'Create Sacred Key' }).click();
      await page.getByRole('textbox', { name: 'Link' }).inputValue();
      await page.getByRole('button', { name: 'Done' }).click();
    },
  },
  'finalBreath.create': {
    fields: ['encryptedContent'],
    type: async (page, instance, word) => {
      await page.goto(`${instance.url}/final-breath`);
      await page.getByRole('button', { name: 'Begin the Final Rite' }).click();
      await page.getByRole('textbox', { name: 'Your final breath' }).fill(word('encryptedContent'));
      await page.getByRole('button', { name: 'Seal Final Breath' }).click();
      await expect(page.getByRole('button', { name: 'Release Final Breath' })).toBeVisible();
    },
  },
  'guardianKits.create': {
    fields: ['details'],
    type: async (page, instance, word) => {
      await page.goto(`${instance.url}/settings/recovery`);
      await page.getByRole('button', { name: 'Make a kit' }).click();
      const form = page.getByRole('dialog', { name: 'Make a kit' });
      await form.getByLabel('Name of the kit').fill(word('details'));
      for (const guardian of [1, 2]) await form.getByLabel(`Guardian ${guardian}`).fill(word('details'));
      await form.getByRole('button', { name: 'Make the sheets' }).click();
      await page.getByRole('button', { name: 'I have handed them over' }).click();
    },
  },
  'legacyScrolls.create': {
    fields: ['title', 'encryptedContent', 'recipients[].encryptedName'],
    type: async (page, instance, word) => {
      await page.goto(`${instance.url}/legacy-scroll`);
      await page.getByRole('textbox', { name: 'Title' }).fill(word('title'));
      await page.getByRole('textbox', { name: 'Letter' }).fill(word('encryptedContent'));
      await page.getByRole('textbox', { name: 'Your name' }).fill(word('recipients[].encryptedName'));
      await page.getByLabel('Days without activity').fill('90');
      await page.getByRole('button', { name: 'Seal the letter' }).click();
      await page.getByRole('button', { name: 'Later' }).click();
    },
  },
  'legacyScrolls.update': {
    fields: ['title', 'encryptedContent', 'recipients[].encryptedName'],
    type: async (page, _instance, word) => {
      await page.getByRole('button', { name: /More “/ }).click();
      await page.getByRole('button', { name: /^Edit “/ }).click();
      const dialog = page.getByRole('dialog', { name: 'Edit Legacy Scroll' });
      await dialog.getByRole('textbox', { name: 'Title' }).fill(word('title'));
      await dialog.getByRole('textbox', { name: 'Letter' }).fill(word('encryptedContent'));
      await dialog.getByRole('textbox', { name: 'Your name' }).fill(word('recipients[].encryptedName'));
      await dialog.getByRole('button', { name: 'Seal the change' }).click();
      await expect(dialog).toBeHidden();
    },
  },
  'rehearsals.ask': {
    fields: ['encryptedSentence'],
    type: async (page, _instance, word) => {
      await page.getByRole('button', { name: /More “/ }).click();
      await page.getByRole('button', { name: /^Rehearse “/ }).click();
      const dialog = page.getByRole('dialog', { name: 'Rehearse' });
      await dialog.getByRole('textbox', { name: 'What they read' }).fill(word('encryptedSentence'));
      await dialog.getByRole('button', { name: 'Send the rehearsal' }).click();
      await expect(dialog).toBeHidden();
    },
  },
  // Nothing is typed here either: the book is told of what no browser has written.
  'book.append': {
    fields: ['sealed'],
    type: async (page, instance) => {
      await page.goto(`${instance.url}/book`);
      await page.getByRole('button', { name: 'Check everything now' }).click();
      const appended = page.waitForResponse(
        (response) => response.url().endsWith('/api/book') && response.request().method() === 'POST',
      );
      await page
        .getByRole('button', { name: /^Take (all )?in/ })
        .first()
        .click();
      expect((await appended).status()).toBe(204);
    },
  },
  // It follows what comes next.
  'regeneration.finish': { fields: ['bookEntry.sealed'], type: async () => {} },
  // Nothing is typed here: everything that was typed before is sealed anew.
  'regeneration.stage': {
    fields: resealedFields,
    type: async (page, instance) => {
      await page.goto(`${instance.url}/settings`);
      await beginResealing(page);
      await writeNewWords(page);
      await changeKey(page);
    },
  },
  // What was locked meanwhile opens with a key of the ring, and is sealed anew then.
  'regeneration.reseal': {
    fields: resealedFields,
    type: async (page, instance) => {
      instance.advance(25 * 60 * 60 * 1000);
      const resealed = page.waitForResponse('**/api/encryption-key/reseal');
      await page.goto(`${instance.url}/memory-vault`);
      expect((await resealed).status()).toBe(204);
    },
  },
};

const fieldsOfClass = (schema: Parameters<typeof fieldsOf>[0] | undefined, ...classes: FieldClass[]) =>
  schema
    ? fieldsOf(schema).flatMap(({ path, meta }) => (meta && classes.includes(meta.class) ? [path] : []))
    : [];
/** Fields that people send in the clear to a party that they choose: such words travel once, and are kept nowhere. */
const disclosedFields = contractRows().flatMap(({ name, row }) =>
  fieldsOfClass(row.body, 'disclosed').map((field) => `${name} ${field}`),
);

test('the canary reaches every field of every call in which people write for themselves', () => {
  const rows = contractRows().flatMap(({ name, row }) => {
    const fields = fieldsOfClass(row.body, 'sealed', 'disclosed', 'arriving');
    return fields.length > 0 ? [[name, fields]] : [];
  });
  expect(Object.fromEntries(rows)).toEqual(
    Object.fromEntries(Object.entries(typists).map(([name, { fields }]) => [name, fields])),
  );
});

/** A word as it could stand in a request, a file or a log. */
function disguises(text: string): string[] {
  const bytes = Buffer.from(text, 'utf8');
  // Base64 depends on where in a three-byte group the text begins.
  const base64 = [0, 1, 2].map((offset) => {
    const shifted = Buffer.concat([Buffer.alloc(offset), bytes]).toString('base64');
    return shifted.slice(offset === 0 ? 0 : 4, -4);
  });
  return [
    text,
    bytes.toString('hex'),
    bytes.toString('hex').toUpperCase(),
    encodeURIComponent(text),
    ...base64,
  ];
}

function filesUnder(folder: string): string[] {
  return readdirSync(folder).flatMap((name) => {
    const path = join(folder, name);
    return statSync(path).isDirectory() ? filesUnder(path) : [path];
  });
}

test('no typed word leaves the browser in any encoding, nor does the key', async ({
  page,
  instance,
  quiet,
}) => {
  quiet.expect(/status of 503/);
  const sent: string[] = [];
  page.on('request', (request) => {
    sent.push(request.url(), JSON.stringify(request.headers()), request.postData() ?? '');
  });
  let words: string[] = [];
  const canaries: string[] = [];
  const disclosed: string[] = [];
  const passphrase = 'zyxwvut passphrase canary qponm';

  await beginByPassphrase(page, instance, 'canary', passphrase);
  for (const [name, { type }] of Object.entries(typists)) {
    const word = (field: string) => {
      // As a name may be written, too.
      const canary = `Canary-${name}-${field}-ßλ`.replaceAll(/[.[\]]+/g, '-');
      const known = disclosedFields.includes(`${name} ${field}`) ? disclosed : canaries;
      if (!known.includes(canary)) known.push(canary);
      return canary;
    };
    await type(page, instance, word);
    if (name === 'account.onboarding') words = await keepWords(page);
  }
  const key = await page.evaluate(
    () => Object.entries(localStorage).find(([slot]) => slot.startsWith('latebra.vault-key'))?.[1],
  );
  expect(key).toMatch(/^[0-9a-f]{64}$/);
  await page.reload();
  await expect(page.getByRole('main').getByRole('listitem').first()).toBeVisible();

  const places = {
    requests: sent.join('\n'),
    log: instance.log.join('\n'),
    'local storage but the key slot': await page.evaluate(() =>
      Object.entries(localStorage)
        .filter(([slot]) => !slot.startsWith('latebra.vault-key'))
        .flat()
        .join('\n'),
    ),
    ...Object.fromEntries(filesUnder(instance.dataDir).map((file) => [file, readFileSync(file, 'latin1')])),
  };
  // The check itself must be able to find something: what may be seen is there.
  expect(places.requests).toContain('canary');
  expect(Object.keys(places).some((place) => place.endsWith('latebra.db'))).toBe(true);

  const rawKey = Buffer.from(key ?? '', 'hex');
  const secrets = [
    ...canaries.flatMap(disguises),
    ...disguises(passphrase),
    key ?? '',
    rawKey.toString('base64'),
    rawKey.toString('latin1'),
    words.join(' '),
  ].map((secret) => Buffer.from(secret, 'utf8').toString('latin1'));
  const inTheClear = disclosed.flatMap(disguises).map((text) => Buffer.from(text, 'utf8').toString('latin1'));
  for (const [place, content] of Object.entries(places)) {
    const forbidden = place === 'requests' ? secrets : [...secrets, ...inTheClear];
    const found = forbidden.filter((secret) => secret.length > 8 && content.includes(secret));
    expect(found, `nothing secret stands in ${place}`).toEqual([]);
  }
  expect(quiet.said).toEqual([]);
});
