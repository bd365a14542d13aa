import { createPrivateKey } from 'node:crypto'
import { kind } from '../../../kernel/setting-kinds/kind.ts'
import { matching, text } from '../../../kernel/setting-kinds/scalars.ts'
import type { App, Provider } from '../providers/provider.ts'
import { inside, object, type Place, readKeys } from './read-keys.ts'
import { type GivenOptions, readOptions } from './read-options.ts'

export type GivenApp = {
  app: App
  name: string | undefined
  title: string | undefined
  options: GivenOptions
  place: Place
}

const textOrNothing = kind('text', (input) => (typeof input === 'string' ? input : undefined))

const appKinds = {
  client_id: text,
  secret: textOrNothing,
  key: textOrNothing,
  name: textOrNothing,
  provider_id: matching('letters, digits, - and _', /^[a-z0-9][a-z0-9_-]*$/i),
  certificate_key: textOrNothing,
  settings: object,
}

type Given = Partial<Record<Exclude<keyof typeof appKinds, 'settings'>, string>> & {
  settings?: Record<string, unknown>
}

/** One application, or null and another mistake if it is incomplete. */
export function readApp(
  raw: Readonly<Record<string, unknown>>,
  provider: Provider,
  shared: GivenOptions,
  place: Place,
): GivenApp | null {
  const before = place.mistakes.length
  const isOwn = ([key]: [string, unknown]) => Object.hasOwn(appKinds, key)
  const entries = Object.entries(raw)
  // Every value was read by the kind of its key. The compiler cannot see that.
  const given = readKeys(Object.fromEntries(entries.filter(isOwn)), appKinds, place) as Given
  const { certificate_key = given.certificate_key, ...settings } = given.settings ?? {}
  const others = Object.fromEntries(entries.filter((entry) => !isOwn(entry)))
  const options = {
    ...shared,
    ...readOptions(others, provider, place),
    ...readOptions(settings, provider, inside(place, 'settings')),
  }
  if (place.mistakes.length > before) return null

  const isPublic = options.TOKEN_AUTH_METHOD === 'none'
  const pem = String(certificate_key ?? '')
  const app = appOf({ ...given, certificate_key: pem }, provider, { isPublic, place })
  return app && { app, name: given.provider_id, title: given.name, options, place }
}

function appOf(
  { client_id: clientId, secret = '', key: teamId = '', certificate_key: pem = '' }: Given,
  provider: Provider,
  { isPublic, place: { path, mistakes } }: { isPublic: boolean; place: Place },
): App | null {
  const need = (key: string, why: string): null => {
    mistakes.push(`${path}.${key}: must be given${why}`)
    return null
  }
  if (clientId === undefined) return need('client_id', '')
  if (isPublic) return { clientId, secret: '' }
  if (secret === '') return need('secret', ', or TOKEN_AUTH_METHOD be "none"')
  if (!provider.clientSecret) return { clientId, secret }

  if (teamId === '') return need('key', ': the id of your team')
  if (!isPrivateKey(pem)) return need('settings.certificate_key', ': a private key, as PEM')
  return { clientId, secret: '', signingKey: { keyId: secret, teamId, pem } }
}

function isPrivateKey(pem: string): boolean {
  try {
    return pem.includes('BEGIN PRIVATE KEY') && createPrivateKey(pem).asymmetricKeyType === 'ec'
  } catch {
    return false
  }
}
