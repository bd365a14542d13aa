// A program that embeds the service in every way there is, each with its admin API, for the proof `hostile`.
// Prints the addresses as one line of JSON.
import { once } from 'node:events'
import { createServer } from 'node:http'
import { createRequire } from 'node:module'
import { Readable } from 'node:stream'
import { pathToFileURL } from 'node:url'

const [, , library, settings] = process.argv
const { createAuth } = await import(pathToFileURL(library))
const require = createRequire(new URL('../../../packages/server/package.json', import.meta.url))
// Those that the package is tested with.
const [express, fastify] = ['express', 'fastify'].map((name) => require(name))

const open = () => createAuth(JSON.parse(settings))

/** A handler of `fetch` behind `node:http`, as an adapter does it. */
const fromFetch = (answer) => async (request, response) => {
  const hasBody = !['GET', 'HEAD'].includes(request.method)
  const headers = new Headers()
  for (const [name, value] of Object.entries(request.headers)) headers.set(name, String(value))
  let asked
  try {
    const url = new URL(request.url, 'http://localhost:8000')
    const body = hasBody ? Readable.toWeb(request) : undefined
    asked = new Request(url, { method: request.method, headers, body, duplex: 'half' })
  } catch {
    // `fetch` itself refuses such a request.
    response.writeHead(400).end()
    return
  }
  try {
    const reply = await answer(asked, { address: '127.0.0.1' })
    response.writeHead(reply.status, Object.fromEntries(reply.headers))
    response.end(Buffer.from(await reply.arrayBuffer()))
  } catch {
    // The client left in the middle of its body. A client that still waits counts this as lost.
    response.destroy()
  }
}

const listen = async (server) => {
  await once(server.listen(0, '127.0.0.1'), 'listening')
  return `http://127.0.0.1:${server.address().port}`
}

const inFastify = await open()
const app = fastify()
await app.register(inFastify.fastify)
await app.register(inFastify.adminFastify)
const inExpress = await open()
const inHttp = await open()
const inFetch = await open()
const isAdmin = ({ url }) => url.startsWith('/admin')

const urls = {
  fastify: await app.listen({ port: 0, host: '127.0.0.1' }),
  express: await listen(createServer(express().use(inExpress.express).use(inExpress.adminExpress))),
  http: await listen(
    createServer((request, response) =>
      (isAdmin(request) ? inHttp.adminExpress : inHttp.express)(request, response),
    ),
  ),
  fetch: await listen(
    createServer(
      fromFetch((request, options) =>
        new URL(request.url).pathname.startsWith('/admin')
          ? inFetch.adminFetch(request, options)
          : inFetch.fetch(request, options),
      ),
    ),
  ),
}
process.stdout.write(`${JSON.stringify(urls)}\n`)
