import { readFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import type { Io } from '../../../server/src/cli/io.ts'
import { refusal } from '../../../server/src/cli/refusal.ts'
import { isObject } from '../../../server/src/kernel/json-object.ts'
import { isTimeZone } from '../../../server/src/kernel/wall-clock.ts'
import type { DjangoOrigin } from '../source/django-user.ts'
import type { NamedColumns } from '../source/user-model.ts'
import { readDjangoJson } from './read-django-json.ts'

/** What an import reads from the settings of a Django project. */
export type DjangoFacts = {
  readonly secretKeys: readonly string[]
  /** The key that signs its JSON Web Tokens. Null if it is not known. */
  readonly signingKey: string | null
  /** Whether it stores sessions outside its database. */
  readonly hasSessionsElsewhere: boolean
  readonly userModel: string
  /** Null if the settings do not name them. */
  readonly backends: ReadonlySet<string> | null
  readonly columns: NamedColumns
  readonly origin: DjangoOrigin
  /** With `USE_TZ = False`, Django stores times in the zone of the project. */
  readonly hasLocalTimes: boolean
  readonly timeZone: string | null
}

/** `given` is JSON, or the name of a file with it. Without it, Django's defaults apply. */
export async function readDjangoFacts(given: string | undefined, io: Io): Promise<DjangoFacts> {
  const settings = given === undefined ? {} : await parsed(given, io)
  const { SECRET_KEY: key, SECRET_KEY_FALLBACKS: fallbacks, AUTH_USER_MODEL: model } = settings
  const { SIMPLE_JWT: jwt, SESSION_ENGINE: engine, REST_AUTH: restAuth } = settings
  const { AUTHENTICATION_BACKENDS: backends } = settings
  const { ACCOUNT_USER_MODEL_USERNAME_FIELD: username, ACCOUNT_USER_MODEL_EMAIL_FIELD: email } =
    settings
  const { MFA_RECOVERY_CODE_COUNT: count, MFA_RECOVERY_CODE_DIGITS: digits } = settings
  const ownCount = isObject(restAuth) ? restAuth.MFA_RECOVERY_CODE_COUNT : null
  const isText = (value: unknown): value is string => typeof value === 'string' && value !== ''
  return {
    secretKeys: [key, ...(Array.isArray(fallbacks) ? fallbacks : [])].filter(isText),
    signingKey: [isObject(jwt) ? jwt.SIGNING_KEY : null, key].find(isText) ?? null,
    hasSessionsElsewhere: isText(engine) && !/\.(?:cached_)?db$/.test(engine),
    userModel: isText(model) ? model : 'auth.User',
    backends: Array.isArray(backends) ? new Set(backends.filter(isText)) : null,
    columns: {
      ...(isText(username) && { usernameColumn: username }),
      ...(isText(email) && { emailColumn: email }),
    },
    hasLocalTimes: settings.USE_TZ === false,
    timeZone: zoneIn(settings),
    origin: {
      codeCount: Number(count ?? 10),
      codeDigits: Number(digits ?? 8),
      ownCodeCount: Number(ownCount ?? 10),
    },
  }
}

function zoneIn({ TIME_ZONE: name }: Readonly<Record<string, unknown>>): string | null {
  if (typeof name !== 'string') return null
  if (!isTimeZone(name)) throw refusal(`The TIME_ZONE of the project is unknown: ${name}`)
  return name
}

async function parsed(given: string, { cwd }: Io): Promise<Readonly<Record<string, unknown>>> {
  if (given.trimStart().startsWith('{')) return readDjangoJson('--settings', async () => given)
  return readDjangoJson(given, () => readFile(resolve(cwd, given), 'utf8'))
}
