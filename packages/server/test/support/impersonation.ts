import type { Actor } from '../../src/features/administration/rules.ts'
import type { UncheckedSettings } from '../../src/settings/settings.ts'
import { type StartedAuth, startAuth } from './start-auth.ts'

export const REASON = 'ticket 17'
export const FROM = '192.0.2.7'
export const NOT_NOW = { detail: 'Not while impersonating.', code: 'impersonating' }

/** A service with the user Ada, and with Grace, who is staff. */
export async function startImpersonation(
  settings: UncheckedSettings = {},
  options: Parameters<typeof startAuth>[1] = {},
) {
  const started = await startAuth({ ADMIN_IMPERSONATION: true, ...settings }, options)
  return { ...started, ...(await impersonationOf(started)) }
}

export async function impersonationOf(started: StartedAuth) {
  const { auth, createUser, administration, findUser, newBrowser, db } = started
  await createUser({ username: 'ada', email: 'ada@example.com', verified: true })
  const grace = await createUser({ username: 'grace', email: 'grace@example.com', verified: true })
  await administration.set(grace, { isStaff: true })

  /** What Grace gets for the account of a user, without the origin of the link. */
  async function impersonate(username = 'ada', actor: Partial<Actor> = {}) {
    const { id } = await findUser('grace')
    const { id: pk } = await findUser(username)
    const person = {
      kind: 'person',
      name: 'grace',
      id,
      pk: id,
      address: FROM,
      may: 'staff',
    } as const
    const input = { pk, reason: REASON }
    const by = { ...person, ...actor }
    const { access = '', url = '' } = await auth.services.operations.call(
      by,
      'users.impersonate',
      input,
    )
    return { access, url: url && new URL(url).pathname }
  }

  return {
    impersonate,
    /** A browser in which Grace uses the account of Ada. */
    async browseAsAda() {
      const browser = newBrowser()
      await browser.get((await impersonate()).url)
      return browser
    },
    /** What the audit knows about operators in the account of Ada, oldest first. */
    async audited() {
      const rows = await db
        .selectFrom('audit_events')
        .selectAll()
        .where('user_id', '=', (await findUser('ada')).id)
        .where('operator_kind', '=', 'impersonation')
        .orderBy('id')
        .execute()
      return rows.map(({ details, ...row }) => ({ ...row, ...JSON.parse(details) }))
    },
  }
}
