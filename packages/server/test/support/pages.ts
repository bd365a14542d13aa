import type { Reply } from './client.ts'

export const BROWSER = { headers: { accept: 'text/html' } }
export const FORM = 'application/x-www-form-urlencoded'

/** What a page tells its script. */
export function factsIn({ body }: Reply): Record<string, unknown> {
  const json = /<script type="application\/json" id="facts">(.*?)<\/script>/s.exec(String(body))
  return JSON.parse(json?.[1] ?? 'null')
}
