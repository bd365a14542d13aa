import type { FastifyInstance, FastifyReply, FastifyRequest, onRequestHookHandler } from 'fastify'
import type { Identity } from '../core/identity.ts'
import type { ClientLimits, Throttle } from '../core/limits.ts'
import { Problem } from '../kernel/problems.ts'
import type { Authenticate } from './authenticate.ts'
import type { Endpoint } from './endpoint.ts'
import { bodyOrRefusal, inspectFields } from './fields.ts'
import { goneSignal } from './gone.ts'
import { refuseOtherMethods, spellings } from './paths.ts'

type Needs = {
  authenticate: Authenticate
  /** Null where no rate is set. */
  throttle: Throttle | null
  clientLimits: ClientLimits
  addressOf(request: FastifyRequest): string
}

const CALLER = Symbol('caller')
type Caller = { identity: Identity | null; address: string }

/** The steps of every request, in the order of the contract. */
export function registerEndpoints(
  app: FastifyInstance,
  endpoints: readonly Endpoint[],
  needs: Needs,
): void {
  app.decorateRequest(CALLER)

  for (const endpoint of endpoints) {
    const goodStatus = Math.min(...Object.keys(endpoint.replies).map(Number))
    for (const url of spellings(endpoint.path)) {
      app.route({
        method: endpoint.method,
        url,
        schema: { response: responseSchemas(endpoint) },
        // Before the body is parsed, or even read.
        onRequest: admission(endpoint, needs),
        handler: (request, reply) => handle(endpoint, request, reply.status(goodStatus)),
        ...errorHandler(endpoint),
      })
    }
  }
  for (const [path, methods] of methodsByPath(endpoints)) refuseOtherMethods(app, path, methods)
}

/**
 * Who calls, and whether they may now. Where neither needs a lookup, the request does not wait: the
 * hook calls back instead of returning a promise, and Fastify takes either.
 */
function admission({ access, throttle, limit }: Endpoint, needs: Needs): onRequestHookHandler {
  const { authenticate, clientLimits, addressOf } = needs
  const general = throttle === 'auth_service' ? needs.throttle : null

  return (request, _reply, done) => {
    const address = addressOf(request)
    const found = authenticate(request, access)
    if (found === null && general === null && !limit) {
      request.setDecorator<Caller>(CALLER, { identity: null, address })
      return done()
    }
    return admitLater(request, address, found)
  }

  async function admitLater(
    request: FastifyRequest,
    address: string,
    found: ReturnType<Authenticate>,
  ) {
    const identity = await found
    await general?.(identity, address)
    if (limit) await clientLimits(limit, address)
    request.setDecorator<Caller>(CALLER, { identity, address })
  }
}

/** Throws on to the one place where a refusal becomes an answer. */
function errorHandler({ onRefusal }: Endpoint) {
  if (!onRefusal) return {}
  return {
    errorHandler(error: unknown, request: FastifyRequest, reply: FastifyReply) {
      if (error instanceof Problem) onRefusal({ request, reply, refusal: error })
      throw error
    },
  }
}

async function handle(endpoint: Endpoint, request: FastifyRequest, reply: FastifyReply) {
  const { values, faults } = inspectBody(endpoint, request)
  const { identity, address } = request.getDecorator<Caller>(CALLER)
  // Made only for those who ask: most requests are answered before anybody could go.
  const client = {
    identity,
    address,
    get gone() {
      return goneSignal(reply)
    },
  }
  const more = endpoint.check ? await endpoint.check(Object.assign(client, { body: values })) : {}
  const body = bodyOrRefusal({ values, faults: { ...faults, ...more } })
  const params = request.params as Record<string, string>
  const call = Object.assign(client, { body, params, request, reply })
  return reply.send(await endpoint.handle(call))
}

/** No body is an empty object; `null`, as JSON, is a body. */
function inspectBody({ body }: Endpoint, { body: sent = {} }: FastifyRequest) {
  return body ? inspectFields(body, sent) : NOTHING
}

const NOTHING = { values: {}, faults: {} }

function responseSchemas({ replies }: Endpoint) {
  return Object.fromEntries(Object.entries(replies).filter(([, schema]) => schema !== null))
}

function methodsByPath(endpoints: readonly Endpoint[]): Map<string, string[]> {
  const methods = new Map<string, string[]>()
  for (const { path, method } of endpoints) {
    const known = methods.get(path) ?? ['OPTIONS']
    methods.set(path, [...known, ...(method === 'GET' ? ['GET', 'HEAD'] : [method])])
  }
  return methods
}
