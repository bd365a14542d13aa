import { Readable } from 'node:stream'
import type { FastifyInstance, FastifyReply, FastifyRequest, onRequestHookHandler } from 'fastify'
import type { Identity } from '../core/identity.ts'
import type { Languages } from '../core/languages.ts'
import type { ClientLimits, Throttle } from '../core/limits.ts'
import type { Turn } from '../crypto/password-hash/hash-slots.ts'
import { type Fault, Problem, problem } from '../kernel/problems.ts'
import { sendJson } from './answer-headers.ts'
import type { Authenticate } from './authenticate.ts'
import { BODY_LIMIT } from './body-limits.ts'
import type { AfterBody } from './csrf.ts'
import type { Access, Call, Documented, Endpoint } from './endpoint.ts'
import { bodyOrRefusal, type Fields, inspectFields } from './fields.ts'
import type { FreshnessRules } from './freshness.ts'
import { spellings } from './paths.ts'
import { goneSignal } from './request.ts'
import { serialiserOf } from './serialise.ts'

export type EndpointNeeds<Caller> = {
  authenticate: Authenticate<Caller>
  freshness: FreshnessRules<Caller>
  /** Null for a program. */
  userIdOf(caller: Caller): number | null
  /** Null if no rate is set. */
  throttle: Throttle<Caller> | null
  clientLimits: ClientLimits
  languages: Languages
  addressOf(request: FastifyRequest): string
}

const ADMITTED = Symbol('admitted')
type Faults = Record<string, readonly Fault[]>
type BodyCheck = Parameters<AfterBody>[0]
type Admitted<Caller = unknown> = {
  /** An identity, or another kind of caller that the handler knows. */
  identity: Caller | null
  /** Of the CSRF token of a form, and of the field that replaces a fresh login. */
  bodyChecks: readonly BodyCheck[]
}

/** Turns endpoints into routes. The steps of a request are here, in the order of the contract. */
export function registerEndpoints<Caller = Identity>(
  app: FastifyInstance,
  endpoints: readonly Endpoint<Caller>[],
  needs: EndpointNeeds<Caller>,
): void {
  app.decorateRequest(ADMITTED)

  for (const endpoint of endpoints) {
    const goodStatus = Math.min(...Object.keys(endpoint.replies).map(Number))
    const answer = answering(endpoint, needs)
    for (const url of spellings(app, endpoint.path)) {
      app.route({
        method: endpoint.method,
        url,
        bodyLimit: BODY_LIMIT,
        // Runs before the body is read, so that a refused request costs little.
        onRequest: admission(endpoint, needs),
        handler: (request, reply) => answer(request, reply.status(goodStatus)),
        ...errorHandler(endpoint),
      })
    }
  }
}

/**
 * Authenticates the caller and counts the limits. If neither needs a lookup, the hook calls back at
 * once instead of returning a promise, so the request does not wait. Fastify accepts both.
 *
 * A stale credential is refused as early as an invalid one. So it costs as little, and does not use
 * up the limit that the user needs to authenticate again.
 */
function admission<Caller>(
  endpoint: Endpoint<Caller>,
  needs: EndpointNeeds<Caller>,
): onRequestHookHandler {
  const { freshness, throttle, limit } = endpoint
  const { authenticate, clientLimits, addressOf } = needs
  const refuseStale = needs.freshness(freshness)
  const general = throttle === 'auth_service' ? needs.throttle : null

  return (request, _reply, done) => {
    const bodyChecks: BodyCheck[] = []
    const found = authenticate(request, endpoint, (check) => bodyChecks.push(check))
    if (found === null && general === null && !limit) {
      request.setDecorator<Admitted>(ADMITTED, { identity: null, bodyChecks })
      return done()
    }
    return admitLater(request, found, bodyChecks)
  }

  async function admitLater(
    request: FastifyRequest,
    found: ReturnType<Authenticate<Caller>>,
    bodyChecks: BodyCheck[],
  ) {
    const identity = await found
    if (identity) refuseStale?.(identity, (check) => bodyChecks.push(check))
    // Waiting for nothing would take a turn, too.
    if (general) await general(identity, addressOf(request))
    if (limit) await clientLimits(limit, addressOf(request))
    request.setDecorator<Admitted>(ADMITTED, { identity, bodyChecks })
  }
}

/** Throws the error again: `error-handler.ts` turns it into the answer. */
function errorHandler({ onRefusal }: Documented) {
  if (!onRefusal) return {}
  return {
    errorHandler(error: unknown, request: FastifyRequest, reply: FastifyReply) {
      if (error instanceof Problem) onRefusal({ request, reply, refusal: error })
      throw error
    },
  }
}

/** Checks the body, runs the handler, and sends what it returns. */
function answering<Caller>(endpoint: Endpoint<Caller>, needs: EndpointNeeds<Caller>) {
  const mayHaveBody = endpoint.method !== 'GET'
  const refuseStale = needs.freshness(endpoint.freshness)
  const serialisers = new Map(
    Object.entries(endpoint.replies).map(([status, schema]) => [
      Number(status),
      schema && serialiserOf(schema),
    ]),
  )

  return async (request: FastifyRequest, reply: FastifyReply) => {
    const admitted = request.getDecorator<Admitted<Caller>>(ADMITTED)
    for (const check of admitted.bodyChecks) check(request.body)
    // A client may take half a minute to send its body. Its credential may have been ended meanwhile.
    if (mayHaveBody && admitted.identity) {
      admitted.identity = await authenticateAgain(request, admitted.identity)
    }
    const { values, faults } = inspectBody(endpoint, request)
    // The caller has the type that `authenticate` returns here. The compiler cannot see that.
    const made = new IncomingCall(admitted, request, reply, values, needs)
    const call = made as Call<Fields, Access, Caller>
    if (endpoint.guard) await endpoint.guard(call)
    // A field's own fault wins: the check did not see its value.
    const all = endpoint.check
      ? inOrderOf(endpoint.body, { ...(await endpoint.check(call)), ...faults })
      : faults
    call.body = bodyOrRefusal({ values, faults: all })
    const answer = await endpoint.handle(call)
    // Nothing, a page or a file.
    const isRaw = Buffer.isBuffer(answer) || answer instanceof Readable
    if (typeof answer !== 'object' || isRaw) return reply.send(answer)
    const serialise = serialisers.get(reply.statusCode)
    if (!serialise) throw new Error(`No answer is declared for the status ${reply.statusCode}.`)
    sendJson(reply, serialise(answer))
    // Fastify would wait for the reply, even if nothing delays it.
    return reply.sent ? undefined : reply
  }

  /**
   * If the credential has been ended, the request may have another one, which must be fresh, too. It
   * must not be another user's: the throttle has counted this one.
   */
  async function authenticateAgain(
    request: FastifyRequest,
    before: Caller & {},
  ): Promise<Caller | null> {
    const now: AfterBody = (check) => check(request.body)
    const found = await needs.authenticate(request, endpoint, now)
    if (!found) return null
    if (needs.userIdOf(found) !== needs.userIdOf(before)) {
      if (endpoint.access === 'signed-in') throw problem('not_authenticated')
      return null
    }
    refuseStale?.(found, now)
    return found
  }
}

/** The same faults in the order of the fields. Those of no field come last. */
function inOrderOf(fields: Fields = {}, faults: Faults): Faults {
  const none = Object.fromEntries(Object.keys(fields).map((name) => [name, []]))
  const all = Object.entries<readonly Fault[]>({ ...none, ...faults })
  return Object.fromEntries(all.filter(([, found]) => found.length > 0))
}

type CallNeeds = Pick<EndpointNeeds<never>, 'addressOf' | 'languages'>

/**
 * What a handler gets. It is a class because of its getters: in an object literal, V8 would make a
 * hidden class for each request, and keep the request with it until the next full collection.
 */
class IncomingCall {
  readonly identity: unknown
  readonly params: Call['params']
  readonly request: FastifyRequest
  readonly reply: FastifyReply
  body: Call['body']
  readonly #needs: CallNeeds

  constructor(
    admitted: Admitted,
    request: FastifyRequest,
    reply: FastifyReply,
    body: Call['body'],
    needs: CallNeeds,
  ) {
    this.identity = admitted.identity
    this.#needs = needs
    this.params = request.params as Call['params']
    this.request = request
    this.reply = reply
    this.body = body
  }

  get address(): string {
    return this.#needs.addressOf(this.request)
  }

  /** Made on demand, so that a handler can take it apart from the call. */
  get say(): Call['say'] {
    return (key) => String(this.#needs.languages.of(this.request).words.answers[key])
  }

  /** Made on demand: most requests are answered before a client could disconnect. */
  get turn(): Turn {
    return { client: this.address, gone: goneSignal(this.reply) }
  }
}

/** A missing body is treated as an empty object. The JSON value `null` is a body. */
function inspectBody({ body, readsBody }: Documented, { body: sent = {} }: FastifyRequest) {
  return body && !readsBody ? inspectFields(body, sent) : NOTHING
}

const NOTHING = { values: {}, faults: {} }
