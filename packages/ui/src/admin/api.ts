import { inTime, overNetwork } from '../../../client/src/in-time.ts'
import { readAnswer } from '../../../client/src/read-answer.ts'
import { auth } from '../auth.ts'
import { facts } from '../facts.ts'
import { language } from '../words.ts'

export type Query = Readonly<Record<string, string | undefined>>
type Method = 'GET' | 'POST' | 'PATCH' | 'DELETE'
type Sent = { body?: object; query?: Query; signal?: AbortSignal }

const USUAL = { 'Accept-Language': language, 'X-Error-Codes': '1' }

/** The same as in the client. A dialog stays open until its action has ended. */
const DEADLINE_MS = 30_000

const listeners = new Set<() => void>()

/** Calls the listener when the service no longer knows the session. Returns how to stop that. */
export function onEnded(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** Where the days of a list begin: as its column shows them. */
type Zone = 'utc' | 'local'

/** Days that an operator chose, as the API takes them: from their beginning to their end. */
export function withTimes({ since = '', until = '', ...rest }: Query, zone: Zone): Query {
  const timeOf = (day: string, time: string) => {
    const at = new Date(`${day}T${time}${zone === 'utc' ? 'Z' : ''}`)
    // The address may hold anything. The API says what is wrong with it.
    return Number.isNaN(at.getTime()) ? day : at.toISOString()
  }
  return { ...rest, since: timeOf(since, '00:00'), until: timeOf(until, '23:59:59.999') }
}

/** The address of an answer, for links that download it. */
export function addressOf(path: string, query: Query = {}): string {
  const given = Object.entries(query).flatMap(([name, value]) => (value ? [[name, value]] : []))
  const search = new URLSearchParams(given).toString()
  return `${facts.api}${path}${search && `?${search}`}`
}

/** Calls the admin API. A refusal is an `AuthError`. */
export function call<T>(method: Method, path: string, sent: Sent = {}): Promise<T> {
  const { body, query, signal } = sent
  const headers = { ...USUAL, ...(body && { 'Content-Type': 'application/json' }) }
  return inTime({ signal, timeout: DEADLINE_MS }, async (signal) => {
    const init = { method, signal, headers, ...(body && { body: JSON.stringify(body) }) }
    const response = await overNetwork(auth.fetch(addressOf(path, query), init))
    if (response.status === 401) for (const listener of listeners) listener()
    return (await readAnswer(response, facts.errorNames)) as T
  })
}

export const get = <T>(path: string, query?: Query, signal?: AbortSignal): Promise<T> =>
  call('GET', path, { ...(query && { query }), ...(signal && { signal }) })
