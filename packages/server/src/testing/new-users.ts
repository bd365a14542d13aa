import { base32 } from '../crypto/totp.ts'
import type { Actor } from '../features/administration/rules.ts'
import type { Credentials } from '../features/login/gate.ts'
import { newRecoveryCode } from '../features/mfa/recovery-codes.ts'
import { Problem } from '../kernel/problems.ts'
import { randomBuffer, randomHex, randomToken } from '../kernel/random.ts'
import type { User } from '../storage/schema.ts'
import { transaction } from '../storage/transaction.ts'
import { type BrowserCookie, cookiesOf } from './browser-cookies.ts'
import { readFlag, readObject } from './input.ts'
import { isOn, logIn, MODES, type OpenedSpace, shownUser } from './logins.ts'
import { TestRefusal } from './refusal.ts'
import { newPasskey, type VirtualPasskey } from './virtual-passkey.ts'

/** A user of a test, with a credential of every kind that the settings allow. */
export type TestUser = {
  readonly user: Readonly<Record<string, unknown>>
  readonly password: string
  readonly key: string | null
  readonly access: string | null
  readonly refresh: string | null
  readonly cookies: readonly BrowserCookie[]
  readonly totp_secret: string | null
  readonly recovery_codes: readonly string[] | null
  readonly passkey: VirtualPasskey | null
}

const ACTOR: Actor = { kind: 'host', name: 'latchkey test', may: 'all' }
const USERS_MAX = 1000
const TOTP_BYTES = 20

/** Adds one user after another, so that their ids follow the order of the list. */
export async function addUsers(
  space: OpenedSpace,
  inputs: readonly unknown[],
): Promise<TestUser[]> {
  if (inputs.length > USERS_MAX) throw new TestRefusal(`At most ${USERS_MAX} users at once.`)
  const made: TestUser[] = []
  for (const [index, input] of inputs.entries()) {
    made.push(await addUser(space, input, inputs.length > 1 ? `users[${index}]` : 'the user'))
  }
  return made
}

async function addUser(space: OpenedSpace, input: unknown, what: string): Promise<TestUser> {
  const { totp, passkey, ...account } = readUser(space, input, what)
  const { services } = space.service
  const user = await create(space, account).catch((error: unknown) => {
    throw error instanceof Problem ? new TestRefusal(`${what}: ${wordsOf(error)}`) : error
  })
  const factors = await addFactors(space, user, { totp, passkey })
  const given = await credentialsOf(space, user)
  const current = (await services.users.findById(user.id)) ?? user
  return {
    user: shownUser(space, current),
    password: String(account.password),
    ...given,
    ...factors,
  }
}

/** Everything has a default, and a name that the service does not know is refused. */
function readUser({ service }: OpenedSpace, input: unknown, what: string) {
  const { operations } = service.services
  const create = operations.all.find(({ name }) => name === 'users.create')
  const { reason: _reason, ...fields } = create?.input ?? {}
  const given = readObject(input, [...Object.keys(fields), 'totp', 'passkey'], what)
  const flagOf = (name: 'totp' | 'passkey', module: 'mfa' | 'passkeys'): boolean => {
    const value = given[name]
    const isWanted = value !== undefined && readFlag(value, `${what}: ${name}`)
    if (isWanted && !service.settings.MODULES.includes(module)) {
      throw new TestRefusal(`${what}: ${name}: the module ${module} is off. See MODULES.`)
    }
    return isWanted
  }
  const { username = `user-${randomHex(4)}` } = given
  const ownAddress = typeof username === 'string' ? `${username}@example.com` : ''
  const { email = ownAddress, password = randomToken(12) } = given
  return {
    verified: email !== '',
    ...given,
    username,
    email,
    password,
    totp: flagOf('totp', 'mfa'),
    passkey: flagOf('passkey', 'passkeys'),
  }
}

async function create({ service }: OpenedSpace, account: Record<string, unknown>): Promise<User> {
  const { operations, users } = service.services
  await operations.call(ACTOR, 'users.create', account)
  const user = await users.findByUsername(String(account.username).trim())
  if (!user) throw new Error('The new user cannot be found.')
  return user
}

/** An authenticator app with its recovery codes, and a passkey, as if the user had brought them. */
async function addFactors(
  { service, clock }: OpenedSpace,
  { id: userId }: User,
  wanted: { totp: boolean; passkey: boolean },
): Promise<Pick<TestUser, 'totp_secret' | 'recovery_codes' | 'passkey'>> {
  const { db, adoptMfa, adoptPasskeys } = service.services
  const { PASSKEY_RP_ID, MFA_RECOVERY_CODE_COUNT } = service.settings.REST_AUTH
  const createdAt = clock.now()
  const passkey = wanted.passkey ? newPasskey(PASSKEY_RP_ID, createdAt) : null
  const secret = wanted.totp ? base32(randomBuffer(TOTP_BYTES)) : null
  const codes =
    secret === null ? null : Array.from({ length: MFA_RECOVERY_CODE_COUNT }, newRecoveryCode)
  await transaction(db, async (tx) => {
    if (secret) {
      const app = { secret, createdAt, lastUsedAt: null }
      await adoptMfa.put([{ userId, given: { app, codes } }], tx)
    }
    if (passkey) await adoptPasskeys.put([{ userId, given: passkey.adopted }], tx)
  })
  return { totp_secret: secret, recovery_codes: codes, passkey: passkey?.virtual ?? null }
}

/** None for a user whom a login would refuse, such as an inactive one. */
async function credentialsOf(
  space: OpenedSpace,
  user: User,
): Promise<Pick<TestUser, 'key' | 'access' | 'refresh' | 'cookies'>> {
  const all: Credentials = { user, token: null, session: null, jwt: null }
  for (const mode of MODES.filter((one) => isOn(space, one))) {
    const answer = await logIn(space, user, { mode, isHeard: false }).catch((error: unknown) => {
      if (!(error instanceof Problem)) throw error
    })
    if (!answer || 'ephemeralToken' in answer) continue
    const { token, session, jwt } = answer
    Object.assign(all, token && { token }, session && { session }, jwt && { jwt })
  }
  const { settings, services } = space.service
  const { cookies } = cookiesOf(settings.PUBLIC_URL, (reply) =>
    services.exchange.answer(reply, all),
  )
  const { token: key, jwt } = all
  return { key, access: jwt?.access.token ?? null, refresh: jwt?.refresh.token ?? null, cookies }
}

/** `username: A user with that username already exists.` */
const wordsOf = (problem: Problem): string =>
  Object.entries(problem.bodyIn())
    .map(([name, texts]) => `${name === 'detail' ? '' : `${name}: `}${[texts].flat().join(' ')}`)
    .join(' ')
