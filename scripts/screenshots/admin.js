import { execFileSync } from 'node:child_process'
import { totpCode } from '../torture/parts/totp.js'

const NAMES = ['Ada Lovelace', 'Grace Hopper', 'Alan Turing', 'Barbara Liskov', 'Edsger Dijkstra']
const MORE = ['Frances Allen', 'Donald Knuth', 'Radia Perlman', 'Ken Thompson', 'Margaret Hamilton']

/** Users to look at, and an operator. Returns the cookie of the operator's session. */
export async function fillAdmin({ program, folder, env, origin, password }) {
  const run = (args, input) =>
    execFileSync(process.execPath, [program, 'user', ...args], { cwd: folder, env, input })
  const create = (name, ...more) =>
    run(['create', '--username', name, '--email', `${name}@example.com`, ...more], password)

  for (const whole of [...NAMES, ...MORE]) {
    const [first, last] = whole.split(' ')
    const name = `${first}.${last}`.toLowerCase()
    create(name, '--password-stdin', ...(first < 'F' ? ['--verified'] : []))
    run(['set', name, `first_name=${first}`, `last_name=${last}`])
  }
  run(['set', 'grace.hopper', 'is_staff=true', 'groups=support'])
  run(['set', 'ada.lovelace', 'groups=beta'])
  run(['deactivate', 'alan.turing'])
  create('operator', '--password-stdin', '--verified')
  run(['set', 'operator', 'is_superuser=true'])
  return logIn(origin, password)
}

/** Sets up the second factor of the operator. */
async function logIn(origin, password) {
  const jar = new Map()
  async function call(method, path, body) {
    const answer = await fetch(`${origin}/admin/api/${path}`, {
      method,
      headers: {
        origin,
        'content-type': 'application/json',
        'x-csrftoken': jar.get('latchkey_admin_csrf') ?? '',
        cookie: [...jar].map((pair) => pair.join('=')).join('; '),
      },
      ...(body && { body: JSON.stringify(body) }),
    })
    for (const line of answer.headers.getSetCookie()) {
      const [, name, value] = /^([^=]+)=([^;]*)/.exec(line) ?? []
      jar.set(name, value)
    }
    return answer.json()
  }
  await call('POST', 'login/', { username: 'operator', password })
  const { secret, activation_token } = await call('GET', 'mfa/totp/activate/')
  await call('POST', 'mfa/totp/activate/', { activation_token, code: totpCode(secret) })
  return { name: 'latchkey_admin', value: jar.get('latchkey_admin'), url: `${origin}/admin/` }
}
