import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Identity } from '../features/users/identity.ts'
import { Problem } from '../problems.ts'
import type { Authenticate } from './authenticate.ts'
import type { Endpoint } from './endpoint.ts'
import { bodyOrRefusal, inspectFields } from './fields.ts'
import { refuseOtherMethods, spellings } from './paths.ts'
import type { Throttle } from './throttle.ts'

type Needs = {
  authenticate: Authenticate
  /** Null where no rate is set. */
  throttle: Throttle | null
  addressOf(request: FastifyRequest): string
}

const CALLER = Symbol('caller')
type Caller = { identity: Identity | null; address: string }

/** The steps of every request, in the order of the contract. */
export function registerEndpoints(
  app: FastifyInstance,
  endpoints: readonly Endpoint[],
  { authenticate, throttle, addressOf }: Needs,
): void {
  app.decorateRequest(CALLER)

  for (const endpoint of endpoints) {
    const limit = endpoint.throttle === 'auth_service' ? throttle : null
    const goodStatus = Math.min(...Object.keys(endpoint.replies).map(Number))
    for (const url of spellings(endpoint.path)) {
      app.route({
        method: endpoint.method,
        url,
        schema: { response: responseSchemas(endpoint) },
        // Before the body is parsed, or even read.
        async onRequest(request) {
          const address = addressOf(request)
          const identity = await authenticate(request, endpoint.access)
          if (limit) await limit(identity, address)
          request.setDecorator<Caller>(CALLER, { identity, address })
        },
        handler: (request, reply) => handle(endpoint, request, reply.status(goodStatus)),
        ...errorHandler(endpoint),
      })
    }
  }
  for (const [path, methods] of methodsByPath(endpoints)) refuseOtherMethods(app, path, methods)
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
  const caller = request.getDecorator<Caller>(CALLER)
  const body = await readBody(endpoint, request, caller)
  const params = request.params as Record<string, string>
  return reply.send(await endpoint.handle({ body, params, request, reply, ...caller }))
}

async function readBody({ body, check }: Endpoint, request: FastifyRequest, caller: Caller) {
  if (!body) return {}
  // No body is an empty object; `null`, as JSON, is a body.
  const { body: sent = {} } = request
  const { values, faults } = inspectFields(body, sent)
  const more = check ? await check({ body: values, ...caller }) : {}
  return bodyOrRefusal({ values, faults: { ...faults, ...more } })
}

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
