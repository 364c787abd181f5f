// What the generated documents are made from. Loaded through Vite, in one graph, because Node 20 reads no TypeScript
// and because a field's class is looked up by the identity of its schema.
export { variables } from '../../src/server/config.ts';
export { ACCOUNT_HEADER } from '../../src/shared/call.ts';
export { contractRows } from '../../src/shared/contract.ts';
export { errorCodes } from '../../src/shared/error-codes.ts';
export { fieldMeta, fieldsOf } from '../../src/shared/field-classes.ts';
export { besideTheCalls, whatTheServerSees } from '../../src/shared/server-sees.ts';
export { PAGE_MAX } from '../../src/shared/wire.ts';
