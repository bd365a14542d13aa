import { type AdminCaller, NEVER_HERE } from '../../core/identity.ts'
import { type Authenticate, headerIn } from '../../http/authenticate.ts'
import type { AfterBody } from '../../http/csrf.ts'
import type { FreshnessRules } from '../../http/freshness.ts'
import type { RequestHead } from '../../http/request.ts'
import { nullIfRefused, problem } from '../../kernel/problems.ts'
import type { Tx } from '../../storage/handle.ts'
import type { UpToPasskeys } from '../passkeys/feature.ts'

/**
 * Finds out who calls the admin API: a program by its key, or a person by their cookie. It knows no
 * other credential, so those of the public API do not work here.
 */
export function createAdminAuthenticate({
  adminSessions,
  adminKeys,
  adminHttp: { cookies, csrf, origins },
}: UpToPasskeys): Authenticate<AdminCaller> {
  return (request, { access }, afterBody) => {
    switch (access) {
      case 'public':
      case 'by-link':
        return null
      case 'opens-session':
        origins.refuseForeign(request)
        return null
      case 'anyone':
        return identify(request).catch(nullIfRefused)
      case 'if-signed-in':
        return identify(request, afterBody)
      case 'signed-in':
        return identify(request, afterBody).then((caller) => {
          if (!caller) throw problem('not_authenticated')
          return caller
        })
    }
  }

  /** A cookie is read only if there is no `Authorization` header. */
  async function identify(
    request: RequestHead,
    afterBody?: AfterBody,
  ): Promise<AdminCaller | null> {
    const header = headerIn(request)
    if (!header) return person(request, afterBody)
    if (header.scheme !== 'bearer') return null
    const key = await adminKeys.identify(header.credentials)
    if (!key) throw problem('admin_key_invalid')
    return { kind: 'key', id: key.id, name: key.name, scopes: key.scopes }
  }

  async function person(request: RequestHead, afterBody?: AfterBody): Promise<AdminCaller | null> {
    const id = cookies.session.read(request)
    const session = id === undefined ? null : await adminSessions.identify(id)
    if (!session) return null
    const { user, key, provedAt, expiresAt } = session
    csrf.check(request, key, afterBody)
    return {
      kind: 'person',
      provedAt,
      identity: {
        user,
        via: 'session',
        loginId: null,
        adminSession: key,
        authenticatedAt: provedAt ?? NEVER_HERE,
        hasTwoFactors: provedAt !== null,
        expiresAt,
      },
    }
  }
}

/** Refuses a caller whose key or session has been ended since the request was authenticated. */
export type MustBeValid = (caller: AdminCaller, tx: Tx) => Promise<void>

export const createMustBeValid =
  ({ adminSessions, adminKeys }: UpToPasskeys): MustBeValid =>
  async (caller, tx) => {
    if (caller.kind === 'key') {
      if (!(await adminKeys.isThere(caller.id, tx))) throw problem('admin_key_invalid')
    } else if (!(await adminSessions.isThere(caller.identity.adminSession, tx))) {
      throw problem('not_authenticated')
    }
  }

/**
 * What a session must have proved:
 * - `not-needed`: a second factor, at any time
 * - `required`: the same within the last five minutes. A session that has no second factor yet may
 *   call it: these endpoints set one up
 * - everything else: a second factor within the last five minutes
 *
 * Keys have no second factor. Their scopes limit them.
 */
export const createAdminFreshness =
  ({ adminSessions }: Pick<UpToPasskeys, 'adminSessions'>): FreshnessRules<AdminCaller> =>
  (freshness) =>
  (caller) => {
    if (freshness === undefined || caller.kind === 'key') return
    const { provedAt } = caller
    if (provedAt === null) {
      if (freshness === 'required') return
      throw problem('mfa_setup_required')
    }
    if (freshness !== 'not-needed' && !adminSessions.isFresh(provedAt)) {
      throw problem('reauthentication_required')
    }
  }
