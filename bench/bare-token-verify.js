// For comparison: node:http and node:crypto, checking an HS256 token as `POST token/verify/` does.
import { createHmac, createSecretKey, timingSafeEqual } from 'node:crypto'
import { createServer } from 'node:http'

const key = createSecretKey(process.env.SECRET_KEY, 'utf8')

const server = createServer((request, response) => {
  const chunks = []
  request.on('data', (chunk) => chunks.push(chunk))
  request.on('end', () => {
    const { token } = JSON.parse(Buffer.concat(chunks).toString())
    response.statusCode = isGood(token) ? 200 : 401
    response.setHeader('Content-Type', 'application/json; charset=utf-8')
    response.end('{}')
  })
})

function isGood(token) {
  const [header, payload, signature] = token.split('.')
  const expected = createHmac('sha256', key).update(`${header}.${payload}`).digest()
  if (!timingSafeEqual(expected, Buffer.from(signature, 'base64url'))) return false
  const { alg } = JSON.parse(Buffer.from(header, 'base64url').toString())
  const { exp } = JSON.parse(Buffer.from(payload, 'base64url').toString())
  return alg === 'HS256' && exp * 1000 > Date.now()
}

server.listen(0, '127.0.0.1', () => {
  process.stdout.write(`http://127.0.0.1:${server.address().port}/auth/\n`)
})
