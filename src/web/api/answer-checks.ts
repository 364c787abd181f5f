// What can be seen of an answer alone: whether it is about what was asked for, and says what was sent. A server that mixes
// things up, or lies, is refused here, for every call of the contract at once.
import type * as z from 'zod/mini';
import type { CallShape } from '../../shared/http/call.ts';
import { fieldMeta } from '../../shared/http/field-classes.ts';
import { answerRefused } from '../../vault/api/api-error.ts';

interface Asked {
  params?: Readonly<Record<string, string>>;
  query?: Readonly<Record<string, unknown>>;
  body?: unknown;
}

const ANOTHER_ROW = 'The server answered with another entry than was asked for. It is not shown.';
const MIXED_LIST =
  'The server answered with a list in which an entry stands twice, or in a wrong place. It is not shown.';
const ANOTHER_TEXT =
  'The server answered with something else than was sent. Whether that was kept is not known: look at the list again.';

type Row = Record<string, unknown>;
const isRow = (value: unknown): value is Row =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/**
 * @param args what the call was made with (`params`, `query`, `body`)
 * @param reply what was answered, as the contract has it
 * @throws ApiError when the answer is about something else, in a sentence for people
 */
export function checkAnswer(row: CallShape, args: object, reply: unknown): void {
  const asked: Asked = args;
  if (Array.isArray(reply)) checkList(reply.filter(isRow), asked);
  checkNested(reply);
  if (!isRow(reply)) return;
  for (const [name, value] of Object.entries(asked.params ?? {}))
    if (Object.hasOwn(reply, name) && String(reply[name]) !== value) throw answerRefused(ANOTHER_ROW);
  if (isRow(asked.body) && row.reply) checkEcho(row.reply, asked.body, reply);
}

/** What a row is known by: two of one list have none of it in common. */
function checkOnce(rows: readonly Row[]): void {
  for (const name of ['id', 'sealId', 'publicId']) {
    const values = rows.flatMap((row) => row[name] ?? []);
    if (new Set(values).size < values.length) throw answerRefused(MIXED_LIST);
  }
}

/** The same of the lists within rows, such as a letter's recipients: what is done for one must not be done for another. */
function checkNested(value: unknown): void {
  if (Array.isArray(value)) for (const one of value) checkNested(one);
  if (!isRow(value)) return;
  for (const within of Object.values(value)) {
    if (Array.isArray(within)) checkOnce(within.filter(isRow));
    checkNested(within);
  }
}

/** No row stands twice, and a page holds rows of ever smaller numbers, below the one that it was asked for by. */
function checkList(rows: readonly Row[], { query }: Asked): void {
  checkOnce(rows);
  if (query?.limit === undefined) return;
  let above = Number(query.before ?? Number.POSITIVE_INFINITY);
  for (const { id } of rows) {
    if (typeof id !== 'number') return;
    if (id >= above) throw answerRefused(MIXED_LIST);
    above = id;
  }
}

type Def = { shape?: Record<string, z.core.$ZodType>; innerType?: z.core.$ZodType; type?: string };
const defOf = (schema: z.core.$ZodType) => schema._zod.def as Def;

/** What is within `nullable` and its like, which carry no class of their own. */
const bareOf = (schema: z.core.$ZodType): z.core.$ZodType => {
  const { innerType } = defOf(schema);
  return innerType && !fieldMeta.has(schema) ? bareOf(innerType) : schema;
};

const isMoment = (value: unknown) => typeof value === 'string' && /^\d{4}-\d\d-\d\dT.*Z$/.test(value);
const isSameMoment = (one: unknown, other: unknown) => Date.parse(String(one)) === Date.parse(String(other));

/**
 * What the server keeps as it was sent, it answers as it was sent: ciphertext, the number of its seal, its key, a choice, a
 * moment that was chosen.
 */
function checkEcho(schema: z.core.$ZodType, sent: Row, reply: Row): void {
  const { shape = {} } = defOf(bareOf(schema));
  // What can be locked and was sent without a lock comes back with its words.
  const mayWithhold = !Object.hasOwn(reply, 'timeLockUntil') || typeof sent.timeLockUntil === 'string';
  for (const [name, field] of Object.entries(shape)) {
    const [before, after] = [sent[name], reply[name]];
    if (before === undefined || before === null || name === 'version') continue;
    const kind = bareOf(field);
    const isSealed = fieldMeta.get(kind)?.class === 'sealed';
    const isKept =
      isSealed ||
      name === 'sealId' ||
      name === 'keyFingerprint' ||
      /^(enum|number|boolean)$/.test(defOf(kind).type ?? '');
    // Words are withheld while a lock holds and until they are read, and what belongs to them with them.
    const isWithheld = mayWithhold && isSealed && after === null && reply.encryptedContent === null;
    if (isWithheld || !(isKept || isMoment(before))) continue;
    if (before !== after && !(isMoment(before) && isSameMoment(before, after)))
      throw answerRefused(ANOTHER_TEXT);
  }
}
