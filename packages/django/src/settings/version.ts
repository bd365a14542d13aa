import { isBefore } from '../../../server/src/settings/kinds/version.ts'
import { isOfDrfJwt } from './drf-jwt.ts'
import { factsOf } from './facts.ts'
import { carried, type Dump, isOff, isOn, type Mapped, type Mapping, noteIf } from './mapping.ts'
import { modulesOf } from './modules.ts'
import { toList } from './python-values.ts'
import { OLD_NAMES } from './read-dump.ts'

const ABOUT = 'REST_AUTH.VERSION'

/** Before 4.0 the tokens had other names. */
const OLD_ANSWER_NAMES = {
  access: ['access_token', 'access'],
  refresh: ['refresh_token', 'refresh'],
}

/** The version of dj-rest-auth, and what depends on it. */
export const version: readonly Mapping[] = [
  { from: [], carry: (dump) => [...oldVersion(dump), ...answerNames(dump)] },
]

/** The installed version, or a guess from the names of the settings. */
function versionOf(dump: Dump): string | null {
  const { version } = factsOf(dump)
  if (version !== null) return version
  if (toList(dump.get('INSTALLED_APPS')).includes('rest_auth')) return '0.9'
  return isOn(dump.get(OLD_NAMES)) ? '2' : null
}

const usesJwt = (dump: Dump): boolean => isOn(dump.get('REST_AUTH.USE_JWT'))

function oldVersion(dump: Dump): readonly Mapped[] {
  const value = versionOf(dump)
  if (value === null || !isBefore(value, '7') || isLikeTheNewest(value, dump)) return []
  const changes = changesOf(value, dump)
  return [
    carried(ABOUT, value),
    ...noteIf(changes.length > 0, ABOUT, `is ${value}, so ${changes.join(', and ')}`),
  ]
}

/** Before 3.0 a registration assumed that there is no session, unless the project said so. */
const isLikeTheNewest = (value: string, dump: Dump): boolean =>
  isBefore(value, '3') && !usesJwt(dump) && !dump.has('REST_AUTH.SESSION_LOGIN')

function changesOf(value: string, dump: Dump): readonly string[] {
  const isSet = (name: string) => !isOff(dump.get(`REST_AUTH.${name}`) ?? null)
  const registers = modulesOf(dump).includes('registration')
  if (!usesJwt(dump)) {
    const opensSession = dump.get('REST_AUTH.SESSION_LOGIN') !== false
    return registers && opensSession && !isBefore(value, '2.2')
      ? ['registration answers 204, without a key']
      : []
  }
  const isHttpOnly = dump.get('REST_AUTH.JWT_AUTH_HTTPONLY') !== false
  return [
    ...(isBefore(value, '3') && isSet('JWT_AUTH_REFRESH_COOKIE') && isHttpOnly
      ? ['the refresh token is in the body of login answers, too, although a cookie carries it']
      : []),
    ...(registers && (isSet('JWT_AUTH_COOKIE') || isSet('JWT_AUTH_REFRESH_COOKIE'))
      ? ['registration sets no JWT cookies']
      : []),
  ]
}

function answerNames(dump: Dump): readonly Mapped[] {
  const value = versionOf(dump)
  const isOld = value !== null && isBefore(value, '4')
  if (!isOld || !usesJwt(dump) || isOfDrfJwt(dump)) return []
  return [carried('REST_AUTH.ANSWER_NAMES', OLD_ANSWER_NAMES)]
}
