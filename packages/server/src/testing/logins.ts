import type { Service } from '../compose-service.ts'
import { createGate, createPublicDoor, type LoginAnswer } from '../features/login/gate.ts'
import { userDetails } from '../features/users/answer-user.ts'
import { SECOND } from '../kernel/clock.ts'
import type { User } from '../storage/schema.ts'
import { cookiesOf } from './browser-cookies.ts'
import type { TestClock } from './clock.ts'
import { readChoice, readDuration, readFlag, readObject } from './input.ts'
import { TestRefusal } from './refusal.ts'

/** What users and logins need of a space. */
export type OpenedSpace = {
  readonly service: Service
  readonly clock: TestClock
  /** Delivers what is due. */
  settle(): Promise<void>
}

export const MODES = ['token', 'jwt', 'session'] as const
export type Mode = (typeof MODES)[number]

/** Whether the settings allow this kind of credential. */
export function isOn({ service }: OpenedSpace, mode: Mode): boolean {
  const { TOKEN_MODEL, USE_JWT, SESSION_LOGIN } = service.settings.REST_AUTH
  return { token: TOKEN_MODEL !== null, jwt: USE_JWT, session: SESSION_LOGIN }[mode]
}

/** The settings that allow each kind. */
const SWITCHES = {
  token: 'REST_AUTH.TOKEN_MODEL=token',
  jwt: 'REST_AUTH.USE_JWT=true',
  session: 'REST_AUTH.SESSION_LOGIN=true',
}

type How = {
  /** Undefined: whatever a real login gives. */
  readonly mode?: Mode | undefined
  /** False: the login stops where a code is asked for. */
  readonly hasCode?: boolean
  /** How long ago the login was. */
  readonly ageMs?: number
  /** False: the login causes no event. */
  readonly isHeard?: boolean
}

const DEVICE = { address: '127.0.0.1', userAgent: 'latchkey test' }

/**
 * Logs a user in by the gate, as every login of the service. It knows this device already, so no
 * letter reports a new one.
 */
export async function logIn(
  { service, clock }: OpenedSpace,
  user: User,
  { mode, hasCode = true, ageMs = 0, isHeard = true }: How,
): Promise<LoginAnswer> {
  const { services, settings } = service
  const knownDevices = { ...services.knownDevices, noteLogin: async () => {} }
  const events = isHeard ? services.events : { ...services.events, note: async () => {} }
  const only = mode && {
    TOKEN_MODEL: mode === 'token' ? settings.REST_AUTH.TOKEN_MODEL : null,
    USE_JWT: mode === 'jwt',
    SESSION_LOGIN: mode === 'session',
  }
  const door = createPublicDoor({
    ...services,
    settings: { ...settings, REST_AUTH: { ...settings.REST_AUTH, ...only } },
  })
  const gate = createGate({ ...services, knownDevices, events }, door)
  const visitor = { turn: { client: DEVICE.address }, device: DEVICE, sessionId: undefined }
  const proof = { method: 'password', isStrong: hasCode, visitor } as const
  const answer = await clock.earlier(ageMs, () => gate.completeLogin(user, proof))
  if (ageMs === 0 || 'ephemeralToken' in answer || !answer.jwt) return answer
  // The access token of an old login would have expired long ago.
  const { loginId, refresh } = answer.jwt
  const { pairs, mfa, requiredFactor } = services
  const has_factor = (await mfa.isOn(user.id)) ? 1 : 0
  const restriction = await requiredFactor.restrictionOf({ ...answer.user, has_factor })
  const access = pairs.access(answer.user, {
    ...{ loginId, isFactorDue: restriction !== undefined },
    // For servers that know nothing of the login but this token.
    added: { auth_time: Math.floor((clock.now() - ageMs) / SECOND) },
  })
  return { ...answer, jwt: { loginId, refresh, access } }
}

const NAMES = ['user', 'mode', 'mfa', 'age'] as const

/** `POST login`: the answer of a login, and its cookies. */
export async function testLogin(space: OpenedSpace, body: unknown) {
  const given = readObject(body, NAMES)
  const mode = given.mode === undefined ? undefined : readChoice(given.mode, 'mode', MODES)
  const hasCode = given.mfa === undefined || readFlag(given.mfa, 'mfa')
  const ageMs = given.age === undefined ? 0 : readDuration(given.age, 'age')
  const user = await findUser(space, given.user)
  if (mode && !isOn(space, mode)) {
    throw new TestRefusal(`mode: ${mode} is off. Start the service with --set ${SWITCHES[mode]}.`)
  }
  const { settings, services } = space.service
  const answer = await logIn(space, user, { mode, hasCode, ageMs })
  const written = cookiesOf(settings.PUBLIC_URL, (reply) => services.exchange.answer(reply, answer))
  await space.settle()
  return { user: shownUser(space, user), ...written.body, cookies: written.cookies }
}

/** The user as answers of the service show them, and always with their pk. */
export function shownUser({ service }: OpenedSpace, user: User): Record<string, unknown> {
  return { pk: user.uuid ?? user.id, ...userDetails(service.settings).of(user) }
}

/** Finds a user by pk, username or address. */
export async function findUser({ service }: OpenedSpace, name: unknown): Promise<User> {
  const isName = (typeof name === 'string' && name !== '') || Number.isInteger(name)
  if (!isName) throw new TestRefusal('user: expected a pk, a username or an address.')
  const text = String(name).slice(0, 254)
  const found = await service.services.administration.named(text)
  const meant = typeof name === 'number' ? found.filter(({ by }) => by === 'pk') : found
  if (meant.length > 1) {
    throw new TestRefusal(`user: "${text}" may mean several users. Name the address.`)
  }
  const [one] = meant
  if (!one) throw new TestRefusal(`user: there is no user "${text}" in this space.`, 404)
  return one.user
}
