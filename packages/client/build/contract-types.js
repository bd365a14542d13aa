/** Writes types for an OpenAPI document. `npm run docs` puts them into `src/contract.ts`. */
export function contractTypes({ paths, components }) {
  const { schemas } = components
  const named = new Map(Object.entries(schemas).map(([name, one]) => [JSON.stringify(one), name]))

  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => printOperation(method, path, operation)),
  )
  // Schemas of errors are left out: `src/read-answer.ts` reads every error body.
  const text = operations.join('\n')
  const used = Object.keys(schemas).filter((name) => new RegExp(`\\b${name}\\b`).test(text))
  return `// Generated from openapi.json by \`npm run docs\`. Do not edit.

${used.map((name) => `export type ${name} =${lead(printShape(schemas[name]))}`).join('\n\n')}

/** The body and the answer of every endpoint. */
export interface Contract {
${text}
}
`

  function printOperation(method, path, { operationId, summary, requestBody, responses }) {
    // Each provider has its own path. In the client, the provider is a parameter.
    const [, provider] = /^social\w+_(.+)$/.exec(operationId) ?? []
    const general = provider ? path.replace(provider, '{provider}') : path
    return [
      `  /** ${summary} */`,
      `  '${method.toUpperCase()} ${general.slice(1)}': {`,
      ...printBody(method, requestBody),
      `    answer: ${printAnswer(responses)}`,
      '  }',
    ].join('\n')
  }

  function printBody(method, body) {
    const schema = body?.content['application/json'].schema
    if (schema) return [`    body: ${print(schema, '    ')}${body.required ? '' : ' | undefined'}`]
    return method === 'get' || method === 'delete' ? [] : ['    body: undefined']
  }

  function printAnswer(responses) {
    const good = Object.entries(responses).filter(([status]) => status.startsWith('2'))
    const kinds = good.map(([, { content }]) => {
      const schema = content?.['application/json']?.schema ?? content?.['text/html']?.schema
      return schema ? print(schema, '    ') : 'undefined'
    })
    return [...new Set(kinds)].join(' | ')
  }

  /** A schema with a name is printed as that name, also if it is a copy of it. */
  function print(schema, indent) {
    const name = schema.$ref?.split('/').at(-1) ?? named.get(JSON.stringify(schema))
    return name ?? printShape(schema, indent)
  }

  function printShape(schema, indent = '') {
    const { type, anyOf, items, properties } = schema
    if ('const' in schema) return printValue(schema.const)
    if (schema.enum) return schema.enum.map(printValue).join(' | ')
    if (anyOf) return printUnion(anyOf, indent)
    if (type === 'array') return `Array<${print(items, indent)}>`
    if (type === 'integer') return 'number'
    if (type !== 'object') return type ?? 'unknown'
    if (properties) return printObject(properties, schema.required, indent)
    const [values] = Object.values(schema.patternProperties ?? {})
    return values ? `Record<string, ${print(values, indent)}>` : 'object'
  }

  /** Each member excludes the fields of the others, so that a field tells the members apart. */
  function printUnion(members, indent) {
    if (!members.every(({ properties }) => properties)) {
      return members.map((one) => print(one, indent)).join(' | ')
    }
    const every = new Set(members.flatMap(({ properties }) => Object.keys(properties)))
    const inner = `${indent}  `
    const shapes = members.map(({ properties, required }) => {
      const missing = [...every].filter((name) => !(name in properties))
      return `\n${inner}| ${printObject(properties, required, inner, missing)}`
    })
    return shapes.join('')
  }

  function printObject(properties, required = [], indent = '', missing = []) {
    const lines = [
      ...Object.entries(properties).map(
        ([name, one]) =>
          `${name}${required.includes(name) ? '' : '?'}: ${print(one, `${indent}  `)}`,
      ),
      ...missing.map((name) => `${name}?: never`),
    ]
    if (lines.length === 0) return 'Record<string, never>'
    return `{\n${lines.map((line) => `${indent}  ${line}\n`).join('')}${indent}}`
  }
}

/** A union starts on its own line. */
const lead = (text) => (text.startsWith('\n') ? text : ` ${text}`)

const printValue = (value) =>
  typeof value === 'string' ? `'${value.replaceAll("'", "\\'")}'` : JSON.stringify(value)
