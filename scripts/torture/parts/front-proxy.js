import { setTimeout } from 'node:timers/promises'
import { freePort } from '../../free-port.js'
import { startHaproxy } from './haproxy.js'

/** How often HAProxy asks `/readyz`. `SHUTDOWN_DELAY` must be longer. */
const CHECK_MS = 500
const UP_MS = 60_000

/**
 * HAProxy in front of the instances on these ports, as docs/deployment.md advises. It does not try again, so that every
 * connection that an instance refuses is seen.
 */
export async function startFrontProxy(folder, ports) {
  const [port, statusPort] = [await freePort(), await freePort()]
  const { stop } = await startHaproxy(
    folder,
    `defaults
  mode http
  retries 0
  timeout connect 5s
  timeout client 60s
  timeout server 60s
  timeout check 5s
frontend clients
  bind 127.0.0.1:${port}
  default_backend instances
backend instances
  balance roundrobin
  option httpchk GET /readyz
  default-server inter ${CHECK_MS}ms fall 1 rise 1
${ports.map((one, i) => `  server i${i} 127.0.0.1:${one} check`).join('\n')}
listen status
  bind 127.0.0.1:${statusPort}
  stats enable
  stats uri /
`,
  )

  /** The states of all instances, as HAProxy sees them. */
  async function states() {
    const csv = await fetch(`http://127.0.0.1:${statusPort}/;csv`).then((reply) => reply.text())
    const [names, ...rows] = csv.split('\n').map((line) => line.split(','))
    const at = names.indexOf('status')
    return rows.filter(([, server]) => /^i\d+$/.test(server)).map((row) => row[at])
  }

  return {
    url: `http://127.0.0.1:${port}/auth/`,
    /** Waits until requests go to all instances again. */
    async untilAllUp() {
      for (const until = performance.now() + UP_MS; performance.now() < until; ) {
        const seen = await states().catch(() => [])
        if (seen.length > 0 && seen.every((state) => state === 'UP')) return
        await setTimeout(100)
      }
      throw new Error('HAProxy does not find all instances.')
    },
    stop,
  }
}
