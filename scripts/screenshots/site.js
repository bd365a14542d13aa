import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { freePort } from '../free-port.js'
import { end } from '../run-program.js'
import { fillAdmin } from './admin.js'

const program = fileURLToPath(new URL('../../packages/server/bin/latchkey.js', import.meta.url))
export const PASSWORD = 'a lantern in the harbour'

/** The program with everything switched on, and two users. */
export async function startSite(folder, settings = {}) {
  const port = await freePort()
  const origin = `http://localhost:${port}`
  const adminPort = await freePort()
  const adminOrigin = `http://localhost:${adminPort}`
  const app = { APP: { client_id: 'example', secret: 'example' } }
  const env = {
    PATH: process.env.PATH,
    PORT: String(port),
    SITE_NAME: 'Harbour',
    LOG_LEVEL: 'silent',
    MODULES: 'registration,social,mfa,passkeys,pages,admin',
    ADMIN_LISTEN: `127.0.0.1:${adminPort}`,
    ACCOUNT_DELETION: 'true',
    ACCOUNT_LOGIN_BY_CODE_ENABLED: 'true',
    SOCIALACCOUNT_PROVIDERS: JSON.stringify({ google: app, github: app }),
    ...settings,
  }
  const child = spawn(process.execPath, [program, 'serve', '--json'], { cwd: folder, env })
  child.stderr.pipe(process.stderr)
  await once(child.stdout, 'data')
  child.stdout.resume()

  const post = (path, body, headers = {}) =>
    fetch(`${origin}/auth/${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify(body),
    })
  /** Of all links that were mailed, the newest that has this in it. */
  async function mailedLink(part) {
    for (;;) {
      const page = await (await fetch(`${origin}/auth/dev/mailbox/`)).text()
      const links = [...page.matchAll(/href="([^"]+)"/g)].map(([, link]) => link)
      const link = links.find((one) => one.includes(part))
      if (link) return link
    }
  }

  const register = (username, headers) => {
    const email = `${username}@example.com`
    const body = { username, email, password1: PASSWORD, password2: PASSWORD }
    return post('registration/', body, headers)
  }
  await register('ada')
  // A login would void the reset link, so grace never logs in.
  await register('grace')
  await post('password/reset/', { email: 'grace@example.com' })
  const given = { program, folder, env, origin: adminOrigin, password: PASSWORD }
  const cookie = await fillAdmin(given)
  const phone = { 'user-agent': 'Mozilla/5.0 (Android 14; Mobile; rv:130.0) Firefox/130.0' }
  await post('login/', { username: 'ada.lovelace', password: PASSWORD }, phone)
  return {
    origin,
    admin: { origin: adminOrigin, cookie },
    register,
    mailedLink,
    stop: () => end(child, 'SIGTERM'),
  }
}
