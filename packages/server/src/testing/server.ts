import { once } from 'node:events'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { FastifyBaseLogger } from 'fastify'
import { isLoopback } from '../kernel/hosts.ts'
import { TEST_PATH } from '../settings/path-rules.ts'
import type { SettingsInput } from '../settings/settings-input.ts'
import { addressesOf, answerTo, buildControlApi } from './control-api.ts'
import { TestRefusal } from './refusal.ts'
import type { Space } from './space.ts'
import { commonOf, SPACE_HEADER } from './space-settings.ts'
import { createSpaces, FIRST } from './spaces.ts'

type Needs = {
  readonly settings: SettingsInput
  /** The users of the seed. */
  readonly seed: readonly unknown[]
  /** 0: a free one. */
  readonly port: number
  readonly log: FastifyBaseLogger
}

export type TestServer = Awaited<ReturnType<typeof startTestServer>>

/**
 * Starts the test service. Every space has a port of its own, so that links in letters, redirects of
 * providers and cookies work without a header. The first port leads to all spaces by the header.
 */
export async function startTestServer({ settings, seed, port, log }: Needs) {
  const servers: Server[] = []
  const asked = new WeakMap<IncomingMessage, Space>()
  const spaces = createSpaces({ common: commonOf(settings), seed, log, listen })

  async function listen(name: string): Promise<number> {
    // The service answers requests without a host itself.
    const server = createServer({ requireHostHeader: false }, (request, response) => {
      answer(name, request, response).catch((error) => {
        const { status, body } = answerTo(error)
        if (status === 500) log.error({ err: error }, 'the test service has failed')
        send(response, status, body)
      })
    })
    server.on('clientError', (error, socket) => {
      control.then(
        (api) => api.server.emit('clientError', error, socket),
        () => socket.destroy(),
      )
    })
    // Node would end idle connections after five seconds. A test that stood still for as long, and then
    // used its connection again, would see a reset.
    server.keepAliveTimeout = 0
    server.listen(name === FIRST ? port : 0, '127.0.0.1')
    await once(server, 'listening')
    servers.push(server)
    return (server.address() as AddressInfo).port
  }

  async function answer(own: string, request: IncomingMessage, response: ServerResponse) {
    const named = request.headers[SPACE_HEADER.toLowerCase()]
    const space = await spaces.find(typeof named === 'string' && named !== '' ? named : own)
    const [path = ''] = (request.url ?? '').split('?')
    if (`${path}/`.startsWith(TEST_PATH)) {
      refuseForeign(request)
      asked.set(request, space)
      return (await control).routing(request, response)
    }
    space.answer(request, response)
  }

  async function stop(): Promise<void> {
    for (const server of servers) {
      server.close()
      server.closeAllConnections()
    }
    await spaces.close()
    const api = await control.catch(() => null)
    await api?.close()
  }

  // A request may come before it is built.
  const control = spaces.find(FIRST).then(({ service }) =>
    buildControlApi(service, ({ raw }) => {
      const space = asked.get(raw)
      if (!space) throw new Error('The request has no space.')
      return space
    }),
  )
  try {
    await control
    return { ...addressesOf(await spaces.find(FIRST)), stop }
  } catch (error) {
    await stop()
    throw error
  }
}

/** A page from elsewhere must not reach the test service under a name that leads to this machine. */
function refuseForeign({ headers }: IncomingMessage): void {
  const host = `http://${headers.host}`
  if (URL.canParse(host) && isLoopback(new URL(host).hostname)) return
  throw new TestRefusal('Call the test service as localhost or 127.0.0.1.', 403)
}

function send(response: ServerResponse, status: number, body: object): void {
  if (response.headersSent) response.destroy()
  else response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
}
