import * as Type from '@sinclair/typebox'
import { type AdminCaller, type AdminPerson, pkOf } from '../../core/identity.ts'
import { orNull, Time } from '../../core/schemas.ts'
import { type Access, type Call, type Endpoint, endpointFor, telling } from '../../http/endpoint.ts'
import type { Fields } from '../../http/fields.ts'
import { isoTime, isoTimeOrNull } from '../../kernel/clock.ts'
import { problem } from '../../kernel/problems.ts'
import type { Gate } from '../login/gate.ts'
import type { Login } from '../login/login.ts'
import {
  csrfEndpoint,
  type Exchange,
  loginEndpoint,
  mfaVerifyEndpoint,
  passkeyLoginEndpoints,
} from '../login/login-endpoints.ts'
import { mfaEndpoints } from '../mfa/mfa-endpoints.ts'
import type { NewAdminSession } from '../operators/admin-sessions.ts'
import type { UpToPasskeys } from '../passkeys/feature.ts'
import { passkeysEndpoints } from '../passkeys/passkeys-endpoints.ts'
import { reauthenticateEndpoint } from '../reauthentication/feature.ts'
import type { Reauthenticate } from '../reauthentication/reauthenticate.ts'
import { setAdminSession } from './answer-admin-login.ts'

/** The house with the parts of the admin API in place of those of the public one. */
type Needs = UpToPasskeys & {
  gate: Gate<NewAdminSession>
  login: Login<NewAdminSession>
  exchange: Exchange<NewAdminSession>
  reauthenticate: Reauthenticate
  hasPasskeys: boolean
}

const adminEndpoint = endpointFor<AdminCaller>()

/** Login and logout at the admin API, and the first second factor. */
export function adminLoginEndpoints(needs: Needs): Endpoint<AdminCaller>[] {
  const { mfa, passkeys, reauthenticate, hasPasskeys, http } = needs
  const setup = [...mfaEndpoints(mfa), ...(hasPasskeys ? passkeysEndpoints(passkeys) : [])]
  const named = (...ids: string[]) => setup.filter(({ operationId }) => ids.includes(operationId))

  return [
    loginEndpoint(needs),
    mfaVerifyEndpoint(needs),
    ...(hasPasskeys ? passkeyLoginEndpoints(needs) : []),
    csrfEndpoint({ http }),
    reauthenticateEndpoint(reauthenticate, 'admin_proof_needed'),
    ...named('beginTotpActivation', 'beginPasskeyRegistration'),
    ...named('activateTotp', 'completePasskeyRegistration').map((one) => completing(one, needs)),
  ]
    .map(forPeople)
    .concat([logoutEndpoint(needs), sessionEndpoint])
}

/** Serves an endpoint of the public API to people at the admin API, with the same body and words. */
export const forPeople = ({ check, ...one }: Endpoint): Endpoint<AdminCaller> => ({
  ...one,
  ...(check && { check: (call) => check(withIdentity(call)) }),
  ...(one.access === 'signed-in' && {
    refusals: [...(one.refusals ?? []), 'not_allowed', 'mfa_setup_required', 'admin_key_invalid'],
  }),
  handle: (call) => one.handle(withIdentity(call)),
})

/** The same call, from the view of the public API. */
function withIdentity(call: Call<Fields, Access, AdminCaller>): Call {
  const { body, params, address, request, reply, say } = call
  return {
    body,
    params,
    address,
    request,
    reply,
    say,
    identity: call.identity && personOf(call.identity).identity,
    // Read on demand, since it watches the connection.
    get turn() {
      return call.turn
    },
  }
}

function personOf(caller: AdminCaller): AdminPerson {
  if (caller.kind === 'key') throw problem('not_allowed')
  return caller
}

/** The person has shown that the new factor works, so the session is complete from now on. */
const completing = (one: Endpoint, { adminSessions, http }: Needs): Endpoint => ({
  ...one,
  async handle(call) {
    const answer = await one.handle(call)
    const key = call.identity?.adminSession ?? ''
    const session = await adminSessions.complete(key)
    // A session that was complete already keeps its id.
    if (session) setAdminSession(http, call.reply, session)
    return answer
  },
})

const logoutEndpoint = ({ adminSessions, http: { cookies } }: Needs) =>
  adminEndpoint({
    method: 'POST',
    path: 'logout/',
    operationId: 'logout',
    summary: 'Log out of the admin pages',
    access: 'if-signed-in',
    restricted: 'refused',
    throttle: 'auth_service',
    replies: { 200: telling('logged_out') },
    refusals: ['admin_key_invalid'],
    async handle({ identity, request, reply, say }) {
      const id = cookies.session.read(request)
      if (id !== undefined && identity?.kind === 'person') await adminSessions.end(id)
      cookies.session.clear(reply)
      cookies.csrf.clear(reply)
      return { detail: say('logged_out') }
    },
  })

const Session = Type.Object(
  {
    user: Type.Object({
      pk: Type.Union([Type.Integer(), Type.String()]),
      username: Type.String(),
      email: Type.String(),
      is_staff: Type.Boolean(),
      is_superuser: Type.Boolean(),
    }),
    mfa_setup_required: Type.Boolean(),
    proved_at: orNull(Time),
    expires_at: Time,
  },
  { $id: 'AdminSession' },
)

const sessionEndpoint = adminEndpoint({
  method: 'GET',
  path: 'session/',
  operationId: 'getSession',
  summary: 'Who is logged in at the admin pages, and until when',
  access: 'if-signed-in',
  restricted: 'refused',
  throttle: 'auth_service',
  replies: { 200: Session },
  refusals: ['not_authenticated', 'not_allowed', 'admin_key_invalid'],
  async handle({ identity: caller }) {
    if (!caller) throw problem('not_authenticated')
    const { identity, provedAt } = personOf(caller)
    const { user, expiresAt } = identity
    return {
      user: {
        pk: pkOf(user),
        username: user.username,
        email: user.email,
        is_staff: user.is_staff === 1,
        is_superuser: user.is_superuser === 1,
      },
      mfa_setup_required: provedAt === null,
      proved_at: isoTimeOrNull(provedAt),
      expires_at: isoTime(expiresAt),
    }
  },
})
