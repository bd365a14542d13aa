import { createHash, createHmac } from 'node:crypto'
import { deflateSync } from 'node:zlib'

/*
 * What Django, allauth and simplejwt sign. Written from the formats, and not with the code that
 * reads them here.
 */

export const BACKEND = 'django.contrib.auth.backends.ModelBackend'

const keyOf = (purpose: string, secretKey: string): Buffer =>
  createHash('sha256').update(`${purpose}${secretKey}`).digest()

const hmac = (key: string | Buffer, text: string) => createHmac('sha256', key).update(text)

const base64url = (text: string | Buffer): string => Buffer.from(text).toString('base64url')

const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'

const base62 = (number: number): string =>
  number < 62 ? BASE62.charAt(number) : base62(Math.floor(number / 62)) + BASE62.charAt(number % 62)

function signed(value: string, salt: string, secretKey: string, at: number): string {
  const text = `${value}:${base62(Math.floor(at / 1000))}`
  return `${text}:${hmac(keyOf(`${salt}signer`, secretKey), text).digest('base64url')}`
}

export type SessionOwner = { pk: number | string; passwordHash: string; backend?: string }

/** The data of a session. Without an owner it is anonymous. */
export function sessionData(
  owner: SessionOwner | null,
  secretKey: string,
  { at = Date.UTC(2029, 0, 1), isCompressed = false } = {},
): string {
  const purpose = 'django.contrib.auth.models.AbstractBaseUser.get_session_auth_hash'
  const content = owner && {
    _auth_user_id: String(owner.pk),
    _auth_user_backend: owner.backend ?? BACKEND,
    _auth_user_hash: hmac(keyOf(purpose, secretKey), owner.passwordHash).digest('hex'),
  }
  const json = JSON.stringify(content ?? { theme: 'dark' })
  const value = isCompressed ? `.${base64url(deflateSync(json))}` : base64url(json)
  return signed(value, 'django.contrib.sessions.SessionStore', secretKey, at)
}

/** The key of a mail of allauth that confirms the address with this id. */
export const emailKey = (addressId: number, secretKey: string, at: number): string =>
  signed(base64url(String(addressId)), 'account', secretKey, at)

export type ResetOwner = {
  pk: number | string
  passwordHash: string
  lastLogin: Date | null
  email: string
  addresses: readonly string[]
}

/** The token of a link that resets a password. */
export function resetToken(owner: ResetOwner, secretKey: string, at: number): string {
  const seconds = Math.floor((at - Date.UTC(2001, 0, 1)) / 1000)
  const login = owner.lastLogin?.toISOString().slice(0, 19).replace('T', ' ') ?? ''
  const addresses = [...new Set([owner.email, ...owner.addresses])].sort().join('|')
  const text = `${owner.pk}${owner.passwordHash}${login}${seconds}${owner.email}${addresses}`
  const key = keyOf('django.contrib.auth.tokens.PasswordResetTokenGenerator', secretKey)
  const half = [...hmac(key, text).digest('hex')].filter((_, i) => i % 2 === 0).join('')
  return `${seconds.toString(36)}-${half}`
}

export function jwtOf(claims: object, key: string): string {
  const text = [{ alg: 'HS256', typ: 'JWT' }, claims]
    .map((part) => base64url(JSON.stringify(part)))
    .join('.')
  return `${text}.${hmac(key, text).digest('base64url')}`
}

/** The ten recovery codes of allauth that grow from a seed. */
export function recoveryCodes(seed: string): string[] {
  let text = ''
  return Array.from({ length: 10 }, (_, i) => {
    text += `${String(i).padStart(3, ' ')},`
    const bytes = createHmac('sha1', seed).update(text).digest()
    return String(bytes.readUInt32BE(0) % 10 ** 8).padStart(8, '0')
  })
}
