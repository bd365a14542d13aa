import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { dirname, join } from 'node:path'
import { createInterface } from 'node:readline/promises'
import { fileURLToPath } from 'node:url'
import { end } from '../../run-program.js'
import { endpointsOf } from './generate.js'

const HOST = fileURLToPath(new URL('./host.js', import.meta.url))

/** Where requests go: both listeners of the service, and every mount of a program that embeds it. */
export async function openTargets({ client, deployment, server, atTheEnd }) {
  const [{ url }] = deployment.instances
  const { adminUrl, settings } = deployment
  const documents = [new URL('openapi.json', url), new URL('/admin/api/openapi.json', adminUrl)]
  const [ofPublic, ofAdmin] = await Promise.all(
    documents.map(async (address) => {
      const headers = { authorization: `Bearer ${deployment.adminKey}` }
      const { body } = await client.get(address, { headers })
      return endpointsOf(body)
    }),
  )
  const host = await startHost(server, settings)
  atTheEnd(host.stop)
  const mounts = Object.entries(host.urls).map(([name, origin]) => ({
    ...{ name: `mount ${name}`, origin, endpoints: [...ofPublic, ...ofAdmin] },
  }))
  return {
    pids: [deployment.instances[0].pid, host.pid],
    targets: [
      { name: 'public', origin: new URL(url).origin, endpoints: ofPublic },
      { name: 'admin', origin: adminUrl, endpoints: ofAdmin },
      ...mounts,
    ],
  }
}

async function startHost(server, settings) {
  const library = join(dirname(server), '../dist/index.js')
  const child = spawn(process.execPath, [HOST, library, JSON.stringify(settings)], {
    env: { PATH: process.env.PATH },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const lines = createInterface({ input: child.stdout })
  const exit = once(child, 'exit').then(() => {
    throw new Error('The program that embeds the service did not start.')
  })
  const [line] = await Promise.race([once(lines, 'line'), exit])
  // Its end is expected from now on.
  exit.catch(() => {})
  return {
    pid: child.pid,
    urls: JSON.parse(line),
    stop: () => end(child),
  }
}
