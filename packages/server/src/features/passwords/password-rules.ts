import type { Host } from '../../core/host/host.ts'
import { type Fault, fault } from '../../kernel/problems.ts'
import { EXAMPLE_WORDS, faultsInWords } from '../../kernel/refuse.ts'
import { type PersonalDetails, ruledUser } from '../users/ruled-user.ts'
import { loadIsCommon } from './load-is-common.ts'
import { isSimilar } from './similarity.ts'

/** All faults of a new password, in Django's order. Those that the host finds come last. */
export type PasswordRules = (password: string, details: PersonalDetails) => Promise<Fault[]>

const MIN_LENGTH = 8
/** The longest new password. Every hash scheme can take it. */
export const PASSWORD_MAX = 128

const NAMES = {
  username: 'username',
  first_name: 'first name',
  last_name: 'last name',
  email: 'email address',
} as const

/** All faults that the rules can report, for OpenAPI. */
export const possiblePasswordFaults = (host: Host): readonly Fault[] => [
  fault('password_too_similar', { attribute: NAMES.username }),
  fault('password_too_short', { min: MIN_LENGTH }),
  fault('password_too_common'),
  fault('password_numeric'),
  ...(host.passwordFaults ? faultsInWords([EXAMPLE_WORDS]) : []),
]

/** Our rules, and then those of the host. */
export function createPasswordRules({ passwordFaults }: Host): PasswordRules {
  if (!passwordFaults) return passwordRules
  return async (password, details) => [
    ...(await passwordRules(password, details)),
    ...(await passwordFaults(password, ruledUser(details))),
  ]
}

/** Ours alone. */
export const passwordRules: PasswordRules = async (password, details) => {
  const isCommon = await loadIsCommon()
  return [
    ...similarTo(password, details),
    ...([...password].length < MIN_LENGTH
      ? [fault('password_too_short', { min: MIN_LENGTH })]
      : []),
    ...(isCommon(password) ? [fault('password_too_common')] : []),
    ...(/^\p{Nd}+$/u.test(password) ? [fault('password_numeric')] : []),
  ]
}

/** Reports only the first similar detail. */
function similarTo(password: string, details: PersonalDetails): Fault[] {
  for (const name of ['username', 'first_name', 'last_name', 'email'] as const) {
    if (!isSimilar(password, details[name] ?? '')) continue
    return [fault('password_too_similar', { attribute: NAMES[name] })]
  }
  return []
}
