import { createHmac } from 'node:crypto'
import { SECOND } from '../../kernel/clock.ts'
import { readId } from '../../kernel/ids.ts'
import { wallClock } from '../../kernel/wall-clock.ts'
import { isEqualText } from '../digests.ts'
import { djangoKey, openSigned } from './signed.ts'

/** The salt of allauth. The keys of a project with an `ACCOUNT_SALT` of its own are refused. */
const EMAIL_KEY_SALT = 'account'

type Rules = { secretKeys: readonly string[]; lifetimeMs: number }

/**
 * The id, in Django's table, of the address that a key from an allauth mail confirms. Returns
 * null if the key is forged or too old.
 */
export function addressIdIn(
  key: string,
  { secretKeys, lifetimeMs }: Rules,
  now: number,
): number | null {
  const signed = openSigned(key, EMAIL_KEY_SALT, secretKeys)
  if (!signed || now - signed.seconds * SECOND > lifetimeMs) return null
  return readId(Buffer.from(signed.value, 'base64url').toString('latin1'))
}

/** The parts of a user that Django makes a reset token from. */
type DjangoTokenOwner = {
  /** A UUID has its dashes. */
  pk: string
  passwordHash: string
  /** In milliseconds; null if they never logged in. */
  lastLogin: number | null
  email: string
  /** All addresses of the user, whether verified or not. */
  addresses: readonly string[]
}

type DjangoTokenRules = {
  secretKeys: readonly string[]
  timeZone: string
  lifetimeMs: number
}

const PURPOSE = 'django.contrib.auth.tokens.PasswordResetTokenGenerator'
const FORM = /^([0-9a-z]{1,13})-([0-9a-f]{32})$/
const START = Date.UTC(2001, 0, 1)

/** Whether Django sent this token to the user, and nothing has voided it since. */
export function isDjangoResetToken(
  token: string,
  owner: DjangoTokenOwner,
  { secretKeys, timeZone, lifetimeMs }: DjangoTokenRules,
  now: number,
): boolean {
  const [, time = '', signature = ''] = FORM.exec(token) ?? []
  if (signature === '') return false
  const seconds = Number.parseInt(time, 36)
  const age = wallClock(now, timeZone) - START - seconds * SECOND
  // Django cannot have signed in the future. One second is allowed for rounding.
  if (age > lifetimeMs || age < -SECOND) return false
  const texts = loginTimes(owner.lastLogin, timeZone).map((at) => signedText(owner, at, seconds))
  return secretKeys.some((secretKey) =>
    texts.some((text) => {
      const whole = createHmac('sha256', djangoKey(PURPOSE, secretKey)).update(text).digest('hex')
      return isEqualText(everySecond(whole), signature)
    }),
  )
}

function signedText(owner: DjangoTokenOwner, loginTime: string, seconds: number): string {
  const { pk, passwordHash, email } = owner
  const known = email === '' ? owner.addresses : [email, ...owner.addresses]
  const addresses = [...new Set(known)].sort(byCodePoint).join('|')
  return `${pk}${passwordHash}${loginTime}${seconds}${email}${addresses}`
}

/**
 * `2030-01-31 12:00:00`, without the fraction: in UTC or, if the project has switched `USE_TZ` off,
 * in its time zone. Tokens do not tell which.
 */
function loginTimes(at: number | null, timeZone: string): string[] {
  if (at === null) return ['']
  const text = (time: number) => new Date(time).toISOString().slice(0, 19).replace('T', ' ')
  return [text(at), text(wallClock(at, timeZone))]
}

const everySecond = (digits: string): string => digits.replaceAll(/(.)./g, '$1')

/** Python's order: characters outside the basic plane come last. */
const byCodePoint = (one: string, other: string): number =>
  Buffer.compare(Buffer.from(one), Buffer.from(other))
