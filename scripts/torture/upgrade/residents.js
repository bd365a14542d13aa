import { setTimeout } from 'node:timers/promises'
import { createApi } from '../parts/api.js'
import { PASSWORD } from '../parts/visitors.js'

const CLIENTS = 2
const PAUSE_MS = 50
const NEXT_PASSWORD = 'Oo-7788-zz-lantern'
/** Some change their password, the others log in again. */
const NEW_PASSWORD = 3

/** Clients of one instance, who make one account after the other and use it. They know what was acknowledged. */
export function startResidents(url, prefix) {
  const api = createApi(url)
  const accounts = []
  const wrong = []
  let isOver = false

  async function live(client) {
    for (let n = 0; !isOver; n++) {
      await liveOnce(`${prefix}c${client}n${n}`, n % NEW_PASSWORD === 0)
      await setTimeout(PAUSE_MS)
    }
  }

  async function liveOnce(username, isWorried) {
    const passwords = { password1: PASSWORD, password2: PASSWORD }
    const form = { username, email: `${username}@example.com`, ...passwords }
    const { key: token } = (await expect(201, 'POST registration/', { body: form })) ?? {}
    if (!token) return
    const account = { username, token, name: '', password: PASSWORD }
    accounts.push(account)
    const body = { first_name: `Name of ${username}` }
    if (await expect(200, 'PATCH user/', { token, body })) account.name = body.first_name
    await expect(200, 'GET user/', { token })
    if (isWorried) await changePassword(account)
    else await expect(200, 'POST login/', { body: { username, password: PASSWORD } })
  }

  async function changePassword(account) {
    const body = { new_password1: NEXT_PASSWORD, new_password2: NEXT_PASSWORD }
    if (await expect(200, 'POST password/change/', { token: account.token, body })) {
      account.password = NEXT_PASSWORD
    }
  }

  async function expect(status, request, options) {
    const [method, path] = request.split(' ')
    const reply = await api[method.toLowerCase()](path, options)
    if (reply.status === status) return reply.body
    wrong.push({ request, status: reply.status, text: reply.text.slice(0, 200), at: Date.now() })
    return null
  }

  const living = Promise.all(Array.from({ length: CLIENTS }, (_, client) => live(client)))
  return {
    async stop() {
      isOver = true
      await living
      api.close()
      return { accounts, wrong }
    },
  }
}

/** What of these accounts is not as it was acknowledged, in words. */
export async function lostAmong(accounts, url) {
  const api = createApi(url)
  const lost = []
  for (const { username, token: first, name, password } of accounts) {
    const login = await api.post('login/', { body: { username, password } })
    if (login.status !== 200) lost.push(`${username}: password`)
    // A new password ends the logins before it.
    const token = password === PASSWORD ? first : login.body?.key
    const { body: user } = await api.get('user/', { token })
    if (user?.username !== username) lost.push(`${username}: token`)
    else if (name && user.first_name !== name) lost.push(`${username}: name`)
  }
  api.close()
  return lost
}
