import type { AccountEvent } from '../core/hooks.ts'
import { TEST_PATH } from '../settings/path-rules.ts'
import type { ClockTime, MailQuery, TestLogin, TestService } from './client-types.ts'
import type { TestLetter } from './mailbox.ts'
import type { TestUser } from './new-users.ts'
import { SPACE_HEADER } from './space-settings.ts'

/** A call that the test service refused. Its message says why. */
export class TestServiceError extends Error {
  /** The status of the answer. */
  readonly status: number

  constructor(message: string, status: number) {
    super(message)
    this.name = 'TestServiceError'
    this.status = status
  }
}

type Addresses = Pick<TestService, 'url' | 'api' | 'pages' | 'mailbox'>

const LETTER_WITHIN = '5s'

/**
 * Connects to a test service that another process has started, such as `latchkey test --port 9100`.
 * With a name it is the space of that name.
 */
export async function connectTestService(url: string, space?: string): Promise<TestService> {
  return clientOf(url, space, async () => {})
}

/** A client of one space. `end` is what `stop` does. */
export async function clientOf(
  first: string,
  space: string | undefined,
  end: () => Promise<void>,
): Promise<TestService> {
  const inSpace = space === undefined ? {} : { [SPACE_HEADER]: space }
  const found = await request<Addresses>(`${first.replace(/\/$/, '')}${TEST_PATH}`, 'GET', inSpace)
  const { url, api, pages, mailbox } = found
  const call = <T>(method: string, path: string, body?: unknown): Promise<T> =>
    request<T>(`${url}${TEST_PATH}${path}`, method, {}, body)
  const post = <T>(path: string, body: unknown = {}): Promise<T> => call<T>('POST', path, body)
  const mail = (query: MailQuery = {}) => call<TestLetter[]>('GET', `mail${queryOf(query)}`)
  const clock = (body: object) => post<{ now: string }>('clock', body).then(timeIn)

  return {
    url,
    api,
    pages,
    mailbox,
    headers: inSpace,
    users: ((input: object = {}) => post('users', input)) as TestService['users'],
    user: (input = {}) => post<TestUser>('users', input),
    login: (input) => post<TestLogin>('login', input),
    mail,
    async letter(query = {}) {
      const newest = (await mail({ wait: LETTER_WITHIN, ...query })).at(-1)
      if (newest) return newest
      throw new TestServiceError(`No letter came: ${JSON.stringify(query)}`, 404)
    },
    totp: async (user) =>
      (await call<{ code: string }>('GET', `totp/${encodeURIComponent(user)}`)).code,
    clock: {
      now: () => call<{ now: string }>('GET', 'clock').then(timeIn),
      advance: (by) => clock({ advance: by }),
      set: (at) => clock({ set: textOf(at) }),
      freeze: (at) => clock({ freeze: at === undefined ? true : textOf(at) }),
      run: () => clock({ run: true }),
    },
    idp: (name) => ({
      next: (login) => post(`idp/${encodeURIComponent(name)}/next`, login).then(nothing),
    }),
    faults: {
      add: (fault) => post('faults', fault).then(nothing),
      clear: () => call('DELETE', 'faults').then(nothing),
    },
    events: (query = {}) => call<AccountEvent[]>('GET', `events${queryOf(query)}`),
    resetLimits: () => post('limits/reset').then(nothing),
    snapshot: async () => (await post<{ id: string }>('snapshot')).id,
    restore: (id) => post('restore', { id }).then(nothing),
    reset: () => post('reset').then(nothing),
    space: (name) => clientOf(first, name, async () => {}),
    stop: end,
  }
}

const nothing = (): void => {}

const timeIn = ({ now }: { now: string }): Date => new Date(now)

const textOf = (at: ClockTime): string => (at instanceof Date ? at.toISOString() : at)

function queryOf(query: object): string {
  const given = Object.entries(query).filter(([, value]) => value !== undefined)
  return given.length === 0 ? '' : `?${new URLSearchParams(given)}`
}

async function request<T>(url: string, method: string, headers: object, body?: unknown) {
  const response = await fetch(url, {
    method,
    headers: { ...headers, ...(body !== undefined && { 'content-type': 'application/json' }) },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })
  const answer = (await response.json()) as T & { detail?: string }
  if (response.ok) return answer as T
  throw new TestServiceError(answer.detail ?? JSON.stringify(answer), response.status)
}
