import { startHttpServer } from '../torture/parts/http-server.js'

/** Which services are asked, in order. The first answer that is not 401 counts. */
const RULES = {
  django: () => ['django'],
  latchkey: () => ['latchkey'],
  reads: (isRead) => (isRead ? ['latchkey', 'django'] : ['django']),
  closed: (isRead) => (isRead ? ['latchkey', 'django'] : []),
}

/** The proxy in front of both services, with the rules of the guide. It says who has answered. */
export async function startProxy() {
  let origins = {}
  let rule = RULES.django
  const { port, stop } = await startHttpServer(async (request, response) => {
    const chunks = []
    for await (const chunk of request) chunks.push(chunk)
    const isRead = request.method === 'GET' || request.method === 'HEAD'
    const names = rule(isRead)
    if (names.length === 0) {
      response.writeHead(503, { 'retry-after': '60' }).end()
      return
    }
    let reply
    let by
    for (by of names) {
      reply = await pass(origins[by], request, Buffer.concat(chunks))
      if (reply.status !== 401) break
    }
    const headers = { 'x-answered-by': by, 'set-cookie': reply.headers.getSetCookie() }
    for (const name of ['content-type', 'location', 'retry-after']) {
      if (reply.headers.has(name)) headers[name] = reply.headers.get(name)
    }
    response.writeHead(reply.status, headers).end(Buffer.from(await reply.arrayBuffer()))
  })

  return {
    origin: `http://127.0.0.1:${port}`,
    connect: (more) => {
      origins = { ...origins, ...more }
    },
    follow: (name) => {
      rule = RULES[name]
    },
    stop,
  }
}

function pass(origin, { method, url, headers }, body) {
  const { host, connection, 'content-length': _, ...rest } = headers
  return fetch(new URL(url, origin), {
    method,
    headers: { ...rest, 'x-forwarded-for': '203.0.113.7', 'x-forwarded-host': host },
    ...(body.length > 0 && { body }),
    redirect: 'manual',
    signal: AbortSignal.timeout(30_000),
  })
}
