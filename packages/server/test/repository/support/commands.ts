/** A line of a shell: words, and what is piped into them. */
export type Command = { readonly words: readonly string[]; readonly input: string }

/** What a document shows: a command and, in comments below it, its answer. */
export type Shown = { readonly line: string; readonly answer: string | undefined }

export const shownIn = (text: string): readonly Shown[] =>
  text
    .replaceAll(/\\\n\s*/g, '')
    .split('\n')
    .flatMap((line, index, lines) => {
      if (line === '' || line.startsWith('#')) return []
      const next = lines[index + 1]
      return [{ line, answer: next?.startsWith('# ') ? next.slice(2) : undefined }]
    })

/** Reads the part of the shell's language that the documents use, and nothing else. */
export function commandOf(line: string, variables: Record<string, string>): Command {
  const [first = '', second] = line.split(' | ')
  if (second === undefined) return { words: wordsOf(first, variables), input: '' }
  const [name, input = '', ...more] = wordsOf(first, variables)
  if (name !== 'printf' || more.length > 0) throw new Error(`Only printf is piped: ${line}`)
  return { words: wordsOf(second, variables), input }
}

function wordsOf(text: string, variables: Record<string, string>): string[] {
  const parts = [...text.matchAll(/'([^']*)'|"((?:[^"\\]|\\.)*)"|([^\s'"]+)/g)]
  return parts.map(([, single, double, plain]) => {
    if (single !== undefined) return single
    const given = double?.replaceAll(/\\(.)/g, '$1') ?? plain ?? ''
    return given.replaceAll(/\$([A-Z]+)/g, (_, name: string) => {
      const value = variables[name]
      if (value === undefined) throw new Error(`Nothing has given a value to $${name}`)
      return value
    })
  })
}

/** The request that curl sends. An option that is not known here is a mistake of the document. */
export function requestOf(words: readonly string[]): Request {
  const headers = new Headers()
  let method: string | undefined
  let body: string | undefined
  let url = ''
  const rest = words.values()
  const value = (): string => rest.next().value ?? ''
  for (const word of rest) {
    if (word === '-s') continue
    if (word === '-X') method = value()
    else if (word === '-d') body = value()
    else if (word === '-H') {
      const [name = '', content = ''] = value().split(/: (.*)/s)
      headers.set(name, content)
    } else if (/^http:/.test(word)) url = word
    else throw new Error(`curl ${word}: not known`)
  }
  if (body !== undefined && !headers.has('content-type')) {
    headers.set('content-type', 'application/x-www-form-urlencoded')
  }
  return new Request(url, {
    method: method ?? (body === undefined ? 'GET' : 'POST'),
    headers,
    body: body ?? null,
  })
}
