// The description of the doors of a gateway, www/public/openapi.json, as a page of the documentation.

interface Schema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly items?: Schema;
  readonly oneOf?: readonly Schema[];
  readonly anyOf?: readonly Schema[];
  readonly enum?: readonly unknown[];
}

interface Parameter {
  readonly $ref?: string;
  readonly name?: string;
  readonly in?: string;
  readonly required?: boolean;
  readonly schema?: Schema;
  readonly description?: string;
}

interface Body {
  readonly $ref?: string;
  readonly description?: string;
  readonly content?: Readonly<Record<string, { readonly schema?: Schema }>>;
}

interface Operation {
  readonly tags: readonly string[];
  readonly summary: string;
  readonly description?: string;
  readonly security?: readonly object[];
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: Body;
  readonly responses: Readonly<Record<string, Body>>;
}

interface Description {
  readonly info: { readonly description: string };
  readonly tags: readonly { readonly name: string; readonly description: string }[];
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>> & { readonly parameters?: readonly Parameter[] }>>;
  readonly components: { readonly [kind: string]: Readonly<Record<string, object>> } & { readonly schemas: Readonly<Record<string, Schema>> };
}

/** The methods with a section of their own; OPTIONS is answered at every path. */
const METHODS = ['get', 'post', 'put', 'delete'];

/** The name at the end of a reference. */
const nameOf = ($ref: string): string => $ref.slice($ref.lastIndexOf('/') + 1);

/** A schema in words. */
function typeOf({ $ref, type, items, oneOf, anyOf, enum: words }: Schema = {}): string {
  if ($ref !== undefined) return `[${nameOf($ref)}](#${nameOf($ref).toLowerCase()}-schema)`;
  if (words !== undefined) return words.map((word) => `\`${word}\``).join(', ');
  if (items !== undefined) return `list of ${typeOf(items)}`;
  const choices = oneOf ?? anyOf;
  return choices === undefined ? [type ?? 'any'].flat().join(' or ') : [...new Set(choices.map(typeOf))].join(' or ');
}

const table = (head: string, rows: readonly (readonly string[])[]): string =>
  rows.length === 0
    ? ''
    : `| ${head} |\n${head.replaceAll(/[^|]+/g, '---')}\n${rows.map((row) => `| ${row.map((cell) => cell.replace(/\s*\n\s*/g, ' ').replaceAll('|', '\\|')).join(' | ')} |`).join('\n')}`;

/** The page, as Markdown. */
export function described({ info, tags, paths, components }: Description): string {
  /** What a part is, wherever it is defined. */
  const found = <Part extends { readonly $ref?: string }>(part: Part): Part =>
    part.$ref === undefined ? part : ((components[part.$ref.split('/').at(-2) ?? '']?.[nameOf(part.$ref)] ?? part) as Part);
  const contentOf = ({ content = {} }: Body): string =>
    Object.entries(content)
      .map(([kind, { schema }]) => `\`${kind}\`: ${typeOf(schema)}`)
      .join('; ');
  const operation = (
    method: string,
    path: string,
    { summary, description = '', security = [], parameters = [], requestBody, responses }: Operation,
  ): string[] => [
    `### ${method.toUpperCase()} ${path}`,
    `${summary}. ${security.length === 0 ? 'No key is needed.' : security.some((one) => Object.keys(one).length === 0) ? 'A key may be given.' : 'A key is needed.'}`,
    description,
    table(
      'parameter | in | value | what it is',
      [...(paths[path]?.parameters ?? []), ...parameters]
        .map(found)
        .map((one) => [`\`${one.name}\`${one.required ? ', needed' : ''}`, one.in ?? '', typeOf(one.schema), one.description ?? '']),
    ),
    requestBody === undefined ? '' : `Body: ${contentOf(found(requestBody))}`,
    table(
      'status | answer | body',
      Object.entries(responses).map(([status, given]) => [status, found(given).description ?? '', contentOf(found(given))]),
    ),
  ];
  const operations = Object.entries(paths).flatMap(([path, item]) =>
    METHODS.flatMap((method) => (item[method] === undefined ? [] : [{ tag: item[method].tags[0], text: operation(method, path, item[method]) }])),
  );
  return [
    '# The doors of a gateway',
    `${info.description}\n\nThis page is made of [openapi.json](../openapi.json), the description as OpenAPI 3.1.`,
    ...tags.flatMap(({ name, description }) => [`## ${name}`, description, ...operations.flatMap(({ tag, text }) => (tag === name ? text : []))]),
    '## Schemas',
    ...Object.entries(components.schemas).flatMap(([name, schema]) => [`### ${name} (schema)`, `\`\`\`json\n${JSON.stringify(schema, null, 2)}\n\`\`\``]),
  ]
    .filter((part) => part !== '')
    .join('\n\n');
}
