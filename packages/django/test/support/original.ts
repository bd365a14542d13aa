import { type Heard, startLoopbackServer } from '../../../server/test/support/loopback-server.ts'

type Answered = { status: number; body?: unknown; headers?: Record<string, string | string[]> }

export type Original = { url: string; heard: readonly Heard[] }

const PAGE = '\n<!doctype html>\n<html lang="en"><head><title>Not Found</title></head></html>'
const required = (...names: string[]) =>
  Object.fromEntries(names.map((name) => [name, ['This field is required.']]))
const detail = (status: number, text: string, headers = {}): Answered => ({
  status,
  body: { detail: text },
  headers,
})
const CHALLENGE = { 'www-authenticate': 'Token' }
const COOKIES = [
  'csrftoken=x; Max-Age=31449600; Path=/; SameSite=Lax',
  'sessionid=y; HttpOnly; Max-Age=1209600; Path=/; SameSite=Lax',
]

/** A stand-in that answers as dj-rest-auth with its defaults has been seen to. */
export async function startOriginal(changes: Record<string, Answered> = {}): Promise<Original> {
  const { url, heard } = await startLoopbackServer(({ method, path, body, headers }, response) => {
    const call = { method, path: path.slice('/auth/'.length), body, headers }
    const answer = changes[`${method} ${call.path}`] ?? answerOf(call)
    const isText = typeof answer.body === 'string'
    const type = isText ? 'text/html; charset=utf-8' : 'application/json'
    response.writeHead(answer.status, { 'content-type': type, ...answer.headers })
    response.end(isText ? answer.body : JSON.stringify(answer.body))
  })
  return { url: `${url}/auth/`, heard }
}

type Asked = Pick<Heard, 'method' | 'path' | 'body' | 'headers'>

function answerOf(call: Asked): Answered {
  const { method, path, body, headers } = call
  const authorization = String(headers.authorization ?? '')
  if (authorization === `Token ${'0'.repeat(40)}`) return detail(401, 'Invalid token.', CHALLENGE)
  switch (path) {
    case 'user/':
      return authorization.startsWith('Token ')
        ? { status: 200, body: ADA }
        : detail(401, 'Authentication credentials were not provided.', CHALLENGE)
    case 'login/':
      return method === 'GET'
        ? detail(405, 'Method "GET" not allowed.', { allow: 'POST, OPTIONS' })
        : logIn(call)
    case 'login':
      return { status: 500, body: PAGE }
    case 'logout/':
      return detail(200, 'Successfully logged out.')
    case 'password/change/':
      return detail(401, 'Authentication credentials were not provided.', CHALLENGE)
    case 'password/reset/':
      if (body === '{}') return { status: 400, body: required('email') }
      return body.includes('@')
        ? detail(200, 'Password reset e-mail has been sent.')
        : { status: 400, body: { email: ['Enter a valid email address.'] } }
    case 'password/reset/confirm/':
      return body === '{}'
        ? { status: 400, body: required('new_password1', 'new_password2', 'uid', 'token') }
        : { status: 400, body: { uid: ['Invalid value'] } }
    case 'registration/':
      return { status: 400, body: required('username', 'email', 'password1', 'password2') }
    case 'registration/verify-email/':
      return detail(404, 'Not found.')
    default:
      return { status: 404, body: PAGE }
  }
}

const ADA = { pk: 1, username: 'ada', email: '', first_name: '', last_name: '' }

function logIn({ body, headers }: Asked): Answered {
  const general = (text: string) => ({ status: 400, body: { non_field_errors: [text] } })
  if (headers['content-type'] === 'text/plain') {
    return detail(415, 'Unsupported media type "text/plain" in request.')
  }
  if (body === '{bad') {
    return detail(400, 'JSON parse error - Expecting property name enclosed in double quotes')
  }
  if (body === '{}') return { status: 400, body: required('password') }
  if (body === '[1]') return general('Invalid data. Expected a dictionary, but got list.')
  const { username, password } = JSON.parse(body)
  if (typeof password !== 'string') {
    const wrong = ['Not a valid string.']
    return { status: 400, body: { username: wrong, password: wrong } }
  }
  if (!username) return general('Must include either "username" or "email" and "password".')
  if (username !== 'ada') return general('Unable to log in with provided credentials.')
  return { status: 200, body: { key: 'c6'.repeat(20) }, headers: { 'set-cookie': COOKIES } }
}
