// Turns a schema of the contract into rows for people: a field's path, what it may hold, whether it may be absent.

const BASE64URL = '/^[A-Za-z0-9_-]+$/';
const BASE64 = /\[A-Za-z0-9\+\/\]\{4\}/;
const FINGERPRINT = '/^[0-9a-f]{16}$/';

/**
 * @param schema a schema of zod/mini
 * @param {{ get(schema: object): { class: string, says: string } | undefined }} fieldMeta the classes of fields
 * @returns {{ path: string, type: string, absent: string, class: string, says: string }[]}
 */
export function fieldRows(schema, fieldMeta, path = '', absent = []) {
  const { def } = schema._zod;
  switch (def.type) {
    case 'optional':
      return fieldRows(def.innerType, fieldMeta, path, [...absent, 'may be absent']);
    case 'nullable':
      return fieldRows(def.innerType, fieldMeta, path, [...absent, 'may be null']);
    case 'default':
      return fieldRows(def.innerType, fieldMeta, path, [...absent, `${def.defaultValue} when absent`]);
  }
  const meta = fieldMeta.get(schema);
  if (!meta && def.shape) {
    return Object.entries(def.shape).flatMap(([name, child]) =>
      fieldRows(child, fieldMeta, path ? `${path}.${name}` : name, path ? absent : []),
    );
  }
  if (!meta && def.element) {
    const most = (def.checks ?? []).find(({ _zod }) => _zod.def.check === 'max_length')?._zod.def.maximum;
    return fieldRows(def.element, fieldMeta, `${path}[]`, [...absent, ...(most ? [`at most ${most}`] : [])]);
  }
  if (!meta && def.discriminator) {
    return def.options.flatMap((option) => {
      const { [def.discriminator]: name, ...rest } = option._zod.def.shape;
      const when = `when \`${def.discriminator}\` is ${quoted(name._zod.def.values[0])}`;
      return Object.entries(rest).flatMap(([field, child]) =>
        fieldRows(child, fieldMeta, `${path}.${field}`, [...absent, when]),
      );
    });
  }
  if (!meta && def.options?.every((option) => option._zod.def.shape)) {
    return def.options.flatMap((option, i) => {
      const fields = Object.entries(option._zod.def.shape);
      const literals = fields.filter(([, child]) => child._zod.def.type === 'literal');
      const when = literals.map(([name, { _zod }]) => `when \`${name}\` is ${quoted(_zod.def.values[0])}`);
      return fields
        .filter(([name]) => !literals.some(([literal]) => literal === name))
        .flatMap(([name, child]) => {
          const isCommon = def.options.every((other) => other._zod.def.shape[name] === child);
          if (isCommon && i > 0) return [];
          return fieldRows(child, fieldMeta, `${path}.${name}`, [...absent, ...(isCommon ? [] : when)]);
        });
    });
  }
  return [
    {
      path,
      type: typeOf(def, meta?.class),
      absent: absent.join(', '),
      class: meta?.class ?? '',
      says: meta?.says ?? '',
    },
  ];
}

/** The object that a reply is, or is a list of, below what may be null or absent. */
export function shapeIn(schema) {
  const { def } = schema._zod;
  if (def.innerType) return { ...shapeIn(def.innerType), orNull: def.type === 'nullable' };
  if (def.element) return { ...shapeIn(def.element), list: true };
  return { shape: schema, list: false, orNull: false };
}

function typeOf(def, fieldClass) {
  const checks = (def.checks ?? []).map((check) => check._zod.def);
  switch (def.type) {
    case 'string':
      return stringType(def, checks, fieldClass);
    case 'number':
      return isWhole(def, checks) ? `whole number${range(checks)}` : `number${numberRange(checks)}`;
    case 'boolean':
      return 'true or false';
    case 'enum':
      return `one of ${Object.values(def.entries).map(quoted).join(', ')}`;
    case 'literal':
      return def.values.map(quoted).join(' or ');
    case 'union':
      if (fieldClass === 'wrapped') return 'a wrap ([formats](formats.md#wrap))';
      if (def.discriminator) return 'object';
      return def.options.map((option) => typeOf(option._zod.def, fieldClass)).join(' or ');
    case 'pipe':
      return typeOf(def.in._zod.def, fieldClass);
    case 'record':
    case 'object':
      return 'object';
    default:
      throw new Error(`the documentation has no words for a schema of type ${def.type}`);
  }
}

function stringType(def, checks, fieldClass) {
  if (def.format === 'datetime') return 'time';
  const find = (check) => checks.find((candidate) => candidate.check === check);
  const pattern = String(find('string_format')?.pattern ?? '');
  const length = find('length_equals')?.length;
  const longest = find('max_length')?.maximum;
  const atMost = longest ? `, at most ${longest.toLocaleString('en-GB')} characters` : '';
  if (fieldClass === 'sealed') return `ciphertext${atMost}`;
  if (pattern === BASE64URL) return `base64url of ${Math.floor((length * 3) / 4)} bytes`;
  if (BASE64.test(pattern)) return `base64${atMost}`;
  if (pattern === FINGERPRINT) return '16 hex characters';
  return pattern ? `string that matches \`${pattern.slice(1, -1)}\`` : `string${atMost}`;
}

function range(checks) {
  const least = checks.find(({ check }) => check === 'greater_than');
  const most = checks.find(({ check }) => check === 'less_than');
  const from = least && (least.inclusive ? least.value : least.value + 1);
  const to = most && (most.inclusive ? most.value : most.value - 1);
  if (from === undefined) return to === undefined ? '' : ` up to ${to}`;
  return to === undefined ? ` from ${from}` : ` from ${from} to ${to}`;
}

/** `z.int()` has the format in itself, and `z.number().check(z.int())` among its checks. */
const isWhole = (def, checks) =>
  [def, ...checks].some(({ check, format }) => check === 'number_format' && /int/.test(format));

function numberRange(checks) {
  const said = (kind, inclusive, exclusive) => {
    const found = checks.find(({ check }) => check === kind);
    return found ? ` ${found.inclusive ? inclusive : exclusive} ${found.value}` : '';
  };
  const least = said('greater_than', 'from', 'above');
  const most = said('less_than', 'up to', 'below');
  return least + most;
}

const quoted = (value) => `\`${JSON.stringify(value)}\``;
