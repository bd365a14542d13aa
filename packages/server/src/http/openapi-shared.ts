export type Operation = { responses: Record<string, object>; [key: string]: unknown }
/** By path, then by method in lower case. */
export type Paths = Record<string, Record<string, Operation>>

const NAMES: Readonly<Record<string, string>> = {
  401: 'NotAuthenticated',
  403: 'CsrfFailed',
  404: 'NotFound',
  413: 'BodyTooLarge',
  415: 'UnsupportedMediaType',
  429: 'Throttled',
  500: 'InternalError',
  503: 'Unavailable',
}

/** For each status, the most frequent response is moved to the components and referred to. */
export function shareResponses(paths: Paths): { paths: Paths; responses: Record<string, object> } {
  const responses: Record<string, object> = {}
  const nameOf = new Map<string, string>()
  for (const [status, name] of Object.entries(NAMES)) {
    const usual = mostFrequent(
      operationsIn(paths).flatMap(({ responses }) => responses[status] ?? []),
    )
    if (!usual) continue
    responses[name] = usual
    nameOf.set(JSON.stringify(usual), name)
  }

  const shared = mapValues(paths, (operations) =>
    mapValues(operations, (operation) => ({
      ...operation,
      responses: mapValues(operation.responses, (response) => {
        const name = nameOf.get(JSON.stringify(response))
        return name ? { $ref: `#/components/responses/${name}` } : response
      }),
    })),
  )
  return { paths: shared, responses }
}

const operationsIn = (paths: Paths) => Object.values(paths).flatMap((each) => Object.values(each))

function mostFrequent(responses: readonly object[]): object | undefined {
  const alike = new Map<string, object[]>()
  for (const response of responses) {
    const text = JSON.stringify(response)
    alike.set(text, [...(alike.get(text) ?? []), response])
  }
  return [...alike.values()].toSorted((a, b) => b.length - a.length)[0]?.[0]
}

const mapValues = <T, U>(record: Record<string, T>, change: (value: T) => U): Record<string, U> =>
  Object.fromEntries(Object.entries(record).map(([key, value]) => [key, change(value)]))
