import { freePort } from '../../free-port.js'
import { startHaproxy } from './haproxy.js'
import { startHttpServer } from './http-server.js'

/**
 * HAProxy leads to the server that calls itself the primary, and cuts connections to one that no longer
 * does. The question is asked over HTTP, as Patroni answers it at `/primary`.
 */
export async function startPrimaryProxy(pair, folder) {
  const ports = [pair.primary, pair.standBy]
  const checks = await Promise.all(ports.map((port) => startCheck(pair, port)))
  const port = await freePort()
  const proxy = await startHaproxy(
    folder,
    `defaults
  mode tcp
  timeout connect 2s
  timeout client 30m
  timeout server 30m
listen postgres
  bind 127.0.0.1:${port}
  option httpchk GET /primary
  default-server inter 500ms fall 1 rise 1 on-marked-down shutdown-sessions
${ports.map((one, i) => `  server s${i} 127.0.0.1:${one} check port ${checks[i].port}`).join('\n')}
`,
  )
  return {
    url: pair.urlOf(port),
    async stop() {
      for (const check of checks) check.stop()
      await proxy.stop()
    },
  }
}

const startCheck = (pair, port) =>
  startHttpServer(async (_, response) => {
    response.writeHead((await pair.isPrimary(port)) ? 200 : 503).end()
  })
