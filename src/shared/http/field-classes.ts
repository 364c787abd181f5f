// Every field that crosses the wire belongs to one class, and the class says who can read it.
// The canary test, the route audit and the page "What this server can see" are all made from these classes.
import * as z from 'zod/mini';

/**
 * - `sealed`: free text that only the vault's owner can open; on the wire it is ciphertext.
 * - `wrapped`: key material that is useless without a secret the server never sees.
 * - `public`: public keys, signatures, fingerprints, salts and random identifiers.
 * - `credential`: proves who somebody is; used once or kept only as a hash.
 * - `clear`: the server reads and stores it as it is.
 * - `disclosed`: text of the author's that they chose to send in the clear to a party that was named to them, as for a
 *   transcription. The server passes it on and stores none of it.
 * - `arriving`: text from another program that the owner lets in. The server reads it once, seals it to the vault at once
 *   and keeps only the ciphertext, which it cannot open: zero-access, not end-to-end.
 * - `message`: what the server says itself (error texts, health words); never about an entry's words.
 */
export type FieldClass =
  | 'sealed'
  | 'wrapped'
  | 'public'
  | 'credential'
  | 'clear'
  | 'disclosed'
  | 'arriving'
  | 'message';

/** What a field's class is, and in `says` what a person is told about it. */
export interface FieldMeta {
  class: FieldClass;
  says: string;
}

export const fieldMeta = z.registry<FieldMeta>();

function classed<T extends z.core.$ZodType>(schema: T, meta: FieldMeta): T {
  // A schema instance carries one class; a clone keeps a shared building block from being classed twice.
  const own = z.clone(schema) as T;
  fieldMeta.add(own, meta);
  return own;
}

/**
 * An opaque, non-blank string that carries ciphertext.
 * @param says what a person writes there, in words
 * @param max the longest ciphertext accepted, in characters of base64
 */
export function sealed(says: string, max: number) {
  const schema = z.string('This field is missing.').check(
    z.refine((value) => value.trim() !== '', 'This field is blank.'),
    z.maxLength(max, 'This is longer than the vault keeps in one entry.'),
  );
  return classed(schema, { class: 'sealed', says });
}

export function wrapped<T extends z.core.$ZodType>(says: string, schema: T): T {
  return classed(schema, { class: 'wrapped', says });
}

/** Named `open` because `public` is a reserved word: anyone may know it. */
export function open<T extends z.core.$ZodType>(says: string, schema: T): T {
  return classed(schema, { class: 'public', says });
}

export function credential<T extends z.core.$ZodType>(says: string, schema: T): T {
  return classed(schema, { class: 'credential', says });
}

export function clear<T extends z.core.$ZodType>(says: string, schema: T): T {
  return classed(schema, { class: 'clear', says });
}

/**
 * @param says what a person sends there, in words
 * @param to who reads it, as the screen names them before it is sent
 */
export function disclosed<T extends z.core.$ZodType>(says: string, to: string, schema: T): T {
  return classed(schema, disclosedAs(says, to));
}

/** The same of what is no field of a schema, such as a file. */
export const disclosedAs = (says: string, to: string): FieldMeta => ({
  class: 'disclosed',
  says: `${says}, which you send to ${to}`,
});

export function arriving<T extends z.core.$ZodType>(says: string, schema: T): T {
  return classed(schema, { class: 'arriving', says });
}

export function message<T extends z.core.$ZodType>(says: string, schema: T): T {
  return classed(schema, { class: 'message', says });
}

/** One leaf of a schema: its dotted path and its class, or `null` where nobody gave it one. */
export interface Field {
  path: string;
  meta: FieldMeta | null;
}

type AnyDef = {
  type: string;
  shape?: Record<string, z.core.$ZodType>;
  innerType?: z.core.$ZodType;
  element?: z.core.$ZodType;
  options?: readonly z.core.$ZodType[];
};

/** Lists every field of a schema, down through objects, arrays, unions and optional or nullable wrappers. */
export function fieldsOf(schema: z.core.$ZodType, path = ''): Field[] {
  const meta = fieldMeta.get(schema);
  if (meta) return [{ path, meta }];
  const def = schema._zod.def as AnyDef;
  if (def.shape) {
    return Object.entries(def.shape).flatMap(([name, child]) =>
      fieldsOf(child, path ? `${path}.${name}` : name),
    );
  }
  if (def.innerType) return fieldsOf(def.innerType, path);
  if (def.element) return fieldsOf(def.element, `${path}[]`);
  if (def.options) return def.options.flatMap((option) => fieldsOf(option, path));
  return [{ path, meta: null }];
}
