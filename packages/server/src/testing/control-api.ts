import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import Fastify from 'fastify'
import { asRefusal } from '../http/error-handler.ts'
import { goneSignal } from '../http/request.ts'
import { isoTime } from '../kernel/clock.ts'
import { EVENT_KINDS } from '../kernel/event-kinds.ts'
import { isObject, outlineOf, parseJson } from '../kernel/json-object.ts'
import { LETTER_NAMES } from '../kernel/letter-names.ts'
import { NO_LOG } from '../server/request-log.ts'
import { serverOptions } from '../server/server-options.ts'
import { TEST_PATH } from '../settings/path-rules.ts'
import { turnClock } from './clock.ts'
import { addIdentityProviders } from './control-idp.ts'
import { readChoice, readDuration, readObject, readText } from './input.ts'
import { testLogin } from './logins.ts'
import { addUsers } from './new-users.ts'
import { TestRefusal } from './refusal.ts'
import type { Space } from './space.ts'
import { totpOf } from './totp.ts'

/** What one request asks of a space. */
export type Asked = {
  readonly space: Space
  readonly request: FastifyRequest
  readonly reply: FastifyReply
  readonly body: unknown
  readonly query: unknown
}

type Handle = (asked: Asked) => unknown

/** A thousand users fit in. */
const BODY_LIMIT = 4 * 1024 * 1024
/** Deeper values would overflow the stack where they are turned into text. */
const DEPTH_MAX = 32
const WAIT_MAX = 60_000

const routes: Readonly<Record<string, Handle>> = {
  'GET ': ({ space }) => addressesOf(space),

  async 'POST users'({ space, body }) {
    const add = () => addUsers(space, [body].flat())
    const made = Array.isArray(body) ? await space.allOrNothing(add) : (await add())[0]
    await space.settle()
    return made
  },

  'POST login': ({ space, body }) => testLogin(space, body),

  async 'GET mail'({ space, query, reply }) {
    const given = readObject(query, ['to', 'kind', 'after', 'wait'], 'the query')
    const to = given.to === undefined ? undefined : readText(given.to, 'to').toLowerCase()
    const kind = given.kind === undefined ? undefined : readChoice(given.kind, 'kind', LETTER_NAMES)
    const question = questionIn(given, reply)
    await space.settle()
    return space.mailbox.letters.ask({
      ...question,
      matches: (one) =>
        (to === undefined || one.to.toLowerCase() === to) &&
        (kind === undefined || one.kind === kind),
    })
  },

  async 'GET events'({ space, query, reply }) {
    const given = readObject(query, ['type', 'after', 'wait'], 'the query')
    const type = given.type === undefined ? undefined : readChoice(given.type, 'type', EVENT_KINDS)
    const question = questionIn(given, reply)
    await space.settle()
    return space.events.ask({
      ...question,
      matches: (one) => type === undefined || one.type === type,
    })
  },

  'GET totp/:pk': ({ space, request }) => totpOf(space, (request.params as { pk: string }).pk),

  'GET clock': ({ space }) => shownClock(space),
  async 'POST clock'({ space, body }) {
    turnClock(space.clock, body)
    await space.settle({ sweeps: true })
    return shownClock(space)
  },

  'GET faults': ({ space }) => space.faults.list(),
  'POST faults'({ space, body }) {
    space.faults.set(body)
    return space.faults.list()
  },
  'DELETE faults'({ space }) {
    space.faults.clear()
    return space.faults.list()
  },

  async 'POST limits/reset'({ space, body }) {
    readObject(body, [])
    await space.service.services.limits.forgetAll()
    return {}
  },

  async 'POST snapshot'({ space, body }) {
    readObject(body, [])
    await space.settle()
    return { id: await space.snapshot() }
  },
  async 'POST restore'({ space, body }) {
    await space.restore(readText(readObject(body, ['id']).id, 'id'))
    return {}
  },
  async 'POST reset'({ space, body }) {
    readObject(body, [])
    await space.reset()
    return {}
  },
}

/** The server behind `/__test/`. It never listens: requests are passed to it. */
export async function buildControlApi(
  service: Space['service'],
  spaceOf: (request: FastifyRequest) => Space,
): Promise<FastifyInstance> {
  const options = serverOptions(service, service.log, NO_LOG)
  const app: FastifyInstance = Fastify({ ...options, bodyLimit: BODY_LIMIT })
  app.removeAllContentTypeParsers()
  app.addContentTypeParser(
    '*',
    { parseAs: 'string' },
    async (request: FastifyRequest, text: string) => readBody(request, text),
  )
  app.setErrorHandler((error, request, reply) => {
    const { status, body } = answerTo(error)
    if (status === 500) request.log.error({ err: error }, 'the test service has failed')
    return reply.status(status).send(body)
  })
  app.setNotFoundHandler((request, reply) => notFound(request, reply))

  for (const [name, handle] of Object.entries(routes)) {
    const [method = '', path = ''] = name.split(' ')
    app.route({
      method,
      url: `${TEST_PATH}${path}`,
      handler: async (request, reply) => {
        const { body = {}, query } = request
        reply.header('cache-control', 'no-store')
        return handle({ space: spaceOf(request), request, reply, body, query })
      },
    })
  }
  addIdentityProviders(app, spaceOf)
  await app.ready()
  return app
}

/** JSON, whatever the type says, or a form, which providers get. An empty body is an empty object. */
function readBody({ headers }: FastifyRequest, text: string): unknown {
  if (text.trim() === '') return {}
  const isForm = /^application\/x-www-form-urlencoded/i.test(headers['content-type'] ?? '')
  if (isForm && !/^\s*[[{]/.test(text)) return Object.fromEntries(new URLSearchParams(text))
  const body = parseJson(text)
  if (body === undefined) throw new TestRefusal('The body is not valid JSON.')
  if (outlineOf(Buffer.from(text)).depth > DEPTH_MAX) {
    throw new TestRefusal('The body is nested too deeply.')
  }
  return body
}

function questionIn(given: { after?: unknown; wait?: unknown }, reply: FastifyReply) {
  return {
    after: given.after === undefined ? undefined : readText(given.after, 'after'),
    waitMs: given.wait === undefined ? 0 : readDuration(given.wait, 'wait', WAIT_MAX),
    gone: goneSignal(reply),
  }
}

function shownClock({ clock }: Space) {
  return { now: isoTime(clock.now()), frozen: clock.isFrozen() }
}

export function addressesOf({ name, url, service }: Pick<Space, 'name' | 'url' | 'service'>) {
  const { AUTH_PREFIX, PAGES_PREFIX, MODULES } = service.settings
  const api = `${url}${AUTH_PREFIX}`
  return {
    url,
    api,
    pages: MODULES.includes('pages') ? `${url}${PAGES_PREFIX}` : null,
    test: `${url}${TEST_PATH}`,
    mailbox: `${api}dev/mailbox/`,
    pid: process.pid,
    ...(name !== '' && { space: name }),
  }
}

/** Words for the author of the test. A problem of the service keeps its body. */
export function answerTo(error: unknown): { status: number; body: object } {
  if (error instanceof TestRefusal) {
    return { status: error.status, body: { detail: error.message } }
  }
  const problem = asRefusal(error)
  if (problem?.status === 503) {
    return {
      status: 503,
      body: { detail: 'The database is down, as a fault asks for. DELETE faults takes it back.' },
    }
  }
  if (problem) return { status: problem.status, body: problem.bodyIn() }
  const { statusCode = 500, message = '' } = isObject(error) ? (error as Partial<Known>) : {}
  return statusCode < 500
    ? { status: statusCode, body: { detail: message } }
    : { status: 500, body: { detail: 'The test service has failed. Its log says why.' } }
}

type Known = { statusCode: number; message: string }

function notFound(request: FastifyRequest, reply: FastifyReply) {
  const [path = ''] = request.url.slice(TEST_PATH.length).split('?')
  const own = Object.keys(routes).map((name) => name.split(' ') as [string, string])
  const methods = own.filter(([, one]) => one === path.replace(/\/$/, '')).map(([method]) => method)
  if (methods.length > 0) {
    const detail = `${request.method} is not allowed here. Use ${methods.join(' or ')}.`
    return reply.status(405).header('allow', methods.join(', ')).send({ detail })
  }
  const known = [...new Set(own.map(([, one]) => one).filter(Boolean)), 'idp/:name/next']
  const detail = `There is nothing at this path. Below ${TEST_PATH} are ${known.join(', ')}.`
  return reply.status(404).send({ detail })
}
