import { setTimeout as pause } from 'node:timers/promises'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { TEST_PATH } from '../settings/path-rules.ts'
import { type Form, type IdentityProvider, OAuthError } from './identity-provider.ts'
import { TestRefusal } from './refusal.ts'
import type { Space } from './space.ts'

type SpaceOf = (request: FastifyRequest) => Space

/** The endpoints of the providers that the test service plays, and what sets their next answer. */
export function addIdentityProviders(app: FastifyInstance, spaceOf: SpaceOf): void {
  const at = `${TEST_PATH}idp/:name`
  const formOf = (input: unknown) => input as Form

  app.post(`${at}/next`, async (request) => {
    const { claims, error, delayMs } = providerOf(request).setNext(request.body ?? {})
    return error === null ? { claims, delay: delayMs / 1000 } : { error, delay: delayMs / 1000 }
  })
  app.get(`${at}/.well-known/openid-configuration`, async (request) =>
    providerOf(request).discovery(),
  )
  app.get(`${at}/jwks`, async (request) => providerOf(request).jwks())
  app.get(`${at}/authorize`, async (request, reply) =>
    reply.redirect(providerOf(request).authorize(formOf(request.query))),
  )
  app.post(`${at}/token`, (request, reply) =>
    speakingOAuth(reply, async () => {
      const { exchange } = providerOf(request)
      const { delayMs, body } = exchange(request.headers, formOf(request.body ?? {}))
      if (delayMs > 0) await pause(delayMs)
      return body
    }),
  )
  app.get(`${at}/userinfo`, (request, reply) =>
    speakingOAuth(reply, async () => providerOf(request).userinfo(request.headers)),
  )

  function providerOf(request: FastifyRequest): IdentityProvider {
    const { name } = request.params as { name: string }
    const { providers } = spaceOf(request)
    const provider = providers.get(name)
    if (provider) return provider
    const names = [...providers.keys()]
    const known = names.length > 0 ? `These have it: ${names.join(', ')}.` : 'None has it.'
    throw new TestRefusal(
      `No provider "${name.slice(0, 40)}" has the server_url "test:". ${known}`,
      404,
    )
  }
}

async function speakingOAuth(reply: FastifyReply, work: () => Promise<object>): Promise<object> {
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof OAuthError)) throw error
    reply.status(error.status)
    return { error: error.message }
  }
}
