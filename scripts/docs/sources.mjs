// What the generated documents are made from. Loaded through Vite, in one graph, because Node 20 reads no TypeScript
// and because a field's class is looked up by the identity of its schema.
export { variables } from '../../src/server/config.ts';
export { ACCOUNT_HEADER, BOOK_HEADER, CONTRACT_HEADER } from '../../src/shared/http/call.ts';
export { contractRows } from '../../src/shared/http/contract.ts';
export { errorCodes } from '../../src/shared/http/error-codes.ts';
export { fieldMeta, fieldsOf } from '../../src/shared/http/field-classes.ts';
export { PAGE_MAX } from '../../src/shared/http/wire.ts';
export { besideTheCalls, whatTheServerSees } from '../../src/shared/server-sees.ts';
export { leftOutSentence, refusalSentence } from '../../src/web/chambers/imports/sentences.ts';
export { foreignFiles } from '../../src/web/imports/foreign-files.ts';
export { formatNames } from '../../src/web/imports/imported-entry.ts';
export { expectedCounts, expectedRefusals } from '../../src/web/imports/testing/expected-counts.ts';
export { attackClasses } from '../../src/web/testing/lies/attacks.ts';
export { gains } from '../../src/web/testing/lies/gains.ts';
export { callsNotTried } from '../../src/web/testing/lies/not-tried.ts';
export { publishedAttacks } from '../../src/web/testing/lies/published.ts';
export { believedIn } from '../../src/web/testing/lies/verdicts.ts';
