import { createHash } from 'node:crypto'
import { DAY } from '../../../server/src/kernel/clock.ts'
import type { Live, LiveUser } from './django-live.ts'
import { newPasskey, registrationOf } from './django-passkey.ts'
import {
  NOW,
  ownColumns,
  PASSWORD_THERE,
  PBKDF2,
  PEOPLE,
  type Person,
  THEN,
} from './django-people.ts'
import {
  emailKey,
  jwtOf,
  recoveryCodes,
  resetToken,
  type SessionOwner,
  sessionData,
} from './django-signed.ts'
import {
  type Deployment,
  insertInto,
  keyIn,
  type TableRow,
  tablesOf,
  USER_TABLE,
} from './django-tables.ts'

const ORIGIN = 'http://localhost:8000'
const SECRET_KEY = 'the secret key of a project that the tests make'
const FORMER_KEY = 'the secret key that this project had before'

type Kept = { live: Live; sql: string }

/** The SQL of a project of our own, and what is true of its users. */
export function makeDeployment(deployment: Deployment): Kept {
  const rows = new Map<string, TableRow[]>()
  const add = (table: string, row: TableRow): number => {
    const known = rows.get(table) ?? []
    const id = known.length + 1
    rows.set(table, [
      ...known,
      table === 'authtoken_token' || 'session_key' in row ? row : { id, ...row },
    ])
    return id
  }
  const isCustom = deployment === 'custom'
  const jwtKey = isCustom ? 'the key that signs the tokens of a project' : SECRET_KEY
  const issuer = isCustom ? { iss: 'https://people.example' } : {}
  add('auth_group', { name: 'editors' })
  const users = Object.entries(PEOPLE).map(([name, person], i) => userOf(name, person, i + 1))
  const strangers = otherSessions()
  const live: Live = {
    variant: deployment,
    generated_at: new Date(NOW).toISOString(),
    origin: ORIGIN,
    user_table: USER_TABLE[deployment],
    users,
    other_sessions: strangers,
    deleted_users: [
      {
        token: 'd'.repeat(40),
        jwts: [{ token: jwt(isCustom ? crypto.randomUUID() : 99, 'access') }],
      },
    ],
    settings: {
      SECRET_KEY,
      SECRET_KEY_FALLBACKS: [FORMER_KEY],
      SIMPLE_JWT: isCustom ? { SIGNING_KEY: jwtKey, ISSUER: issuer.iss ?? '' } : {},
      SOCIALACCOUNT_PROVIDERS: { google: { APP: { client_id: 'id', secret: 'secret' } } },
    },
  }
  const inserts = [...rows].map(([table, some]) => insertInto(table, some))
  return { live, sql: [tablesOf(deployment), ...inserts].join('\n') }

  function userOf(name: string, person: Person, number: number): LiveUser {
    const pk = isCustom
      ? `${String(number).padStart(8, '0')}-1111-4222-8333-${'ab'.repeat(6)}`
      : number
    const key = keyIn(pk)
    const { isActive = true, isStaff = false, hash = PBKDF2, lastLogin = null } = person
    const email = person.email ?? `${name}@example.com`
    const passwordHash = hash ?? `!${'x'.repeat(40)}`
    add(USER_TABLE[deployment], {
      id: key,
      password: passwordHash,
      last_login: lastLogin,
      is_superuser: isStaff,
      first_name: name,
      last_name: '',
      is_staff: isStaff,
      is_active: isActive,
      date_joined: THEN,
      email,
      ...(isCustom ? ownColumns(number) : { username: name }),
    })
    if (isStaff) {
      add(`${USER_TABLE[deployment]}_groups`, {
        [isCustom ? 'person_id' : 'user_id']: key,
        group_id: 1,
      })
    }
    const addresses = (person.addresses ?? [{ email, isVerified: true }]).map((address, i) => {
      const { isVerified } = address
      const row = { user_id: key, email: address.email, verified: isVerified, primary: i === 0 }
      const mailed = emailKey(add('account_emailaddress', row), SECRET_KEY, NOW)
      return { email: address.email, key: mailed, ...judged(!isVerified, 'already verified') }
    })
    const token = person.hasToken ? createHash('sha1').update(name).digest('hex') : null
    if (token) add('authtoken_token', { key: token, created: THEN, user_id: key })
    addSocialAccount()
    const owner = { pk, passwordHash }
    return {
      pk,
      email,
      password: hash && PASSWORD_THERE,
      is_active: isActive,
      token,
      jwts: person.hasJwts ? jwtsOf(pk, isActive) : [],
      sessions: person.hasSessions ? sessionsOf(name, owner, isActive) : [],
      ...secondFactor(),
      passkeys: passkeys(),
      resets: (person.resets ?? []).map((state, i) => {
        const isGood = state === 'good'
        const loggedIn = isGood ? lastLogin : null
        const known = {
          ...owner,
          lastLogin: loggedIn,
          email,
          addresses: addresses.map((one) => one.email),
        }
        const uid = isCustom ? String(pk).replaceAll('-', '') : pk.toString(36)
        return {
          uid,
          token: resetToken(known, SECRET_KEY, NOW - i * 60_000),
          ...judged(isGood, state),
        }
      }),
      email_keys: addresses,
    }

    function addSocialAccount(): void {
      if (!person.provider) return
      const times = { last_login: THEN, date_joined: THEN }
      const account = { provider: person.provider, uid: name, extra_data: { json: {} } }
      add('socialaccount_socialaccount', { ...account, ...times, user_id: key })
    }

    function secondFactor(): Pick<LiveUser, 'totp' | 'recovery_codes'> {
      if (!person.codes) return { totp: null, recovery_codes: null }
      const secret = 'JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP'
      const seed = '0f'.repeat(40)
      const all = recoveryCodes(seed)
      const unused =
        person.codes === 'seed'
          ? all.filter((_, i) => i !== 0 && i !== 2)
          : ['old-code-1', 'old-code-2']
      const data = person.codes === 'seed' ? { seed, used_mask: 0b101 } : { migrated_codes: unused }
      const row = { user_id: key, created_at: THEN, last_used_at: null }
      add('mfa_authenticator', { ...row, type: 'totp', data: { json: { secret } } })
      add('mfa_authenticator', { ...row, type: 'recovery_codes', data: { json: data } })
      const used = person.codes === 'seed' ? [all[0] ?? '', all[2] ?? ''] : []
      return { totp: { secret }, recovery_codes: { unused, used } }
    }

    function passkeys(): LiveUser['passkeys'] {
      return (person.passkeys ?? []).map((wish) => {
        const handle = isCustom ? String(pk).replaceAll('-', '') : pk.toString(36)
        const passkey = newPasskey({ handle, origin: ORIGIN, ...wish })
        const data = { json: { name: 'Phone', credential: registrationOf(passkey) } }
        const row = { user_id: key, type: 'webauthn', data, created_at: THEN, last_used_at: null }
        add('mfa_authenticator', row)
        return passkey
      })
    }
  }

  function sessionsOf(name: string, owner: SessionOwner, isActive: boolean): LiveUser['sessions'] {
    const kinds = [
      ['', sessionData(owner, SECRET_KEY)],
      ['', sessionData(owner, SECRET_KEY, { isCompressed: true })],
      ['', sessionData(owner, FORMER_KEY)],
      [
        'the password was changed after it',
        sessionData({ ...owner, passwordHash: 'former' }, SECRET_KEY),
      ],
    ] as const
    return kinds.map(([why, data], i) => {
      const sessionid = `${name}${i}`.padEnd(32, 'x')
      add('django_session', {
        session_key: sessionid,
        session_data: data,
        expire_date: new Date(NOW + DAY),
      })
      return { sessionid, ...judged(isActive && why === '', why || 'user inactive') }
    })
  }

  function otherSessions(): Live['other_sessions'] {
    const pk = users[0]?.pk ?? 0
    const owner = { pk, passwordHash: PBKDF2 }
    const good = sessionData(owner, SECRET_KEY)
    const kinds = [
      ['anonymous', sessionData(null, SECRET_KEY), NOW + DAY],
      ['expired', good, NOW - 1],
      ['signature broken', `${good.slice(0, -1)}${good.endsWith('A') ? 'B' : 'A'}`, NOW + DAY],
    ] as const
    return kinds.map(([why, data, until], i) => {
      const sessionid = `other${i}`.padEnd(32, 'x')
      add('django_session', {
        session_key: sessionid,
        session_data: data,
        expire_date: new Date(until),
      })
      return { sessionid, why }
    })
  }

  function jwtsOf(pk: number | string, isActive: boolean): LiveUser['jwts'] {
    const former = 'signed with a former key'
    return [
      { type: 'access', token: jwt(pk, 'access'), ...judged(isActive, 'user inactive') },
      { type: 'access', token: jwt(pk, 'access', { key: FORMER_KEY }), ...judged(false, former) },
      { type: 'refresh', token: outstanding(pk), ...judged(isActive, 'user inactive') },
      {
        type: 'refresh',
        token: outstanding(pk, { isBlacklisted: true }),
        ...judged(false, isActive ? 'blacklisted' : 'user inactive'),
      },
      {
        type: 'refresh',
        token: outstanding(pk, { until: NOW - DAY }),
        ...judged(false, 'expired'),
      },
    ]
  }

  function outstanding(
    pk: number | string,
    { isBlacklisted = false, until = NOW + DAY } = {},
  ): string {
    const jti = crypto.randomUUID().replaceAll('-', '')
    const token = jwt(pk, 'refresh', { jti, until })
    const times = { created_at: THEN, expires_at: new Date(until) }
    const id = add('token_blacklist_outstandingtoken', { user_id: keyIn(pk), jti, token, ...times })
    if (isBlacklisted) {
      add('token_blacklist_blacklistedtoken', { blacklisted_at: THEN, token_id: id })
    }
    return token
  }

  function jwt(
    pk: number | string,
    type: string,
    { jti = crypto.randomUUID().replaceAll('-', ''), until = NOW + DAY, key = jwtKey } = {},
  ): string {
    const times = { exp: Math.floor(until / 1000), iat: Math.floor(THEN.getTime() / 1000) }
    return jwtOf({ token_type: type, ...times, jti, user_id: String(pk), ...issuer }, key)
  }
}

const judged = (works: boolean, why: string) => ({ works, why_not: works ? null : why })
