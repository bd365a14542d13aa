import { onTestFinished } from 'vitest'
import type { Scope } from '../../src/core/identity.ts'
import { buildAdminApp } from '../../src/server/build-app.ts'
import type { UncheckedSettings } from '../../src/settings/settings.ts'
import type { User } from '../../src/storage/schema.ts'
import { transaction } from '../../src/storage/transaction.ts'
import { createDocumentCheck } from './against-the-document.ts'
import { type CallOptions, createClient } from './client.ts'
import { codeOf } from './mfa.ts'
import { PASSWORD, type StartedAuth, startAuth } from './start-auth.ts'

export const ADMIN_ORIGIN = 'http://localhost:8001'
export const ADMIN_MODULES = ['registration', 'social', 'mfa', 'passkeys', 'pages', 'admin']

type Flags = { superuser?: boolean; staff?: boolean }

/** A service with the admin API on a listener of its own. */
export async function startAdmin(
  input: UncheckedSettings = {},
  options?: Parameters<typeof startAuth>[1],
) {
  const started = await startAuth({ MODULES: ADMIN_MODULES, ...input }, options)
  const { auth } = started
  const admin = auth.admin
  const app = await buildAdminApp(auth)
  if (!admin || !app) throw new Error('The module admin is off.')
  await app.ready()
  onTestFinished(() => app.close())
  const settings = { ...admin.settings, AUTH_PREFIX: '/admin/api/' }
  const check = createDocumentCheck(admin.endpoints, settings, JSON.stringify(['admin', input]))
  const newVisitor = () => createClient(app, '/admin/api/', check, new Map())

  /** An operator, with a proved address. */
  async function createOperator(username: string, flags: Flags = { superuser: true }) {
    const email = `${username}@example.com`
    const user = await started.createUser({ username, email, verified: true })
    await setFlags(started, user, flags)
    return started.findUser(username)
  }

  return { ...started, admin, adminApp: app, newVisitor, createOperator }
}

export type StartedAdmin = Awaited<ReturnType<typeof startAdmin>>
export type AdminBrowser = ReturnType<StartedAdmin['newVisitor']>

/** Past the rules of operations, which have their own tests. */
export async function setFlags({ db }: Pick<StartedAuth, 'db'>, { id }: User, flags: Flags) {
  await db
    .updateTable('users')
    .set({ is_superuser: flags.superuser ? 1 : 0, is_staff: flags.staff ? 1 : 0 })
    .where('id', '=', id)
    .execute()
}

/** What the script of the admin pages adds to a request that changes something. */
export const sent = (
  browser: AdminBrowser,
  more: Record<string, string> = {},
  origin = ADMIN_ORIGIN,
): CallOptions => ({
  headers: {
    'x-csrftoken': browser.cookie('latchkey_admin_csrf'),
    origin,
    ...more,
  },
})

export const passwordOf = (username: string) => ({ username, password: PASSWORD })

/** Logs an operator in who has no second factor yet, and sets up an authenticator app. */
export async function setUpApp(started: StartedAdmin, username: string, origin = ADMIN_ORIGIN) {
  const browser = started.newVisitor()
  await browser.post('login/', passwordOf(username), sent(browser, {}, origin))
  const { body } = await browser.get('mfa/totp/activate/')
  const { secret, activation_token } = body as { secret: string; activation_token: string }
  const code = codeOf(started, secret)
  const reply = await browser.post(
    'mfa/totp/activate/',
    { activation_token, code },
    sent(browser, {}, origin),
  )
  if (reply.status !== 200) throw new Error(`Not set up: ${JSON.stringify(reply.body)}`)
  return { browser, secret }
}

/** Logs an operator in with password and app. The clock moves, since a code works once. */
export async function logInAdmin(started: StartedAdmin, username: string, secret: string) {
  const browser = started.newVisitor()
  started.clock.advance(60_000)
  const first = await browser.post('login/', passwordOf(username), sent(browser))
  const { ephemeral_token } = first.body as { ephemeral_token: string }
  const code = codeOf(started, secret)
  const reply = await browser.post('mfa/verify/', { ephemeral_token, code }, sent(browser))
  return { browser, reply, first }
}

/** An admin key, past the command that makes one. */
export async function createOperatorKey(
  { auth, handle }: StartedAdmin,
  scopes: readonly Scope[],
  expiresAt: number | null = null,
): Promise<string> {
  const given = { name: scopes.join(' '), scopes, createdBy: 'test', expiresAt }
  const { secret } = await transaction(handle, (tx) => auth.services.adminKeys.add(given, tx))
  return secret
}
