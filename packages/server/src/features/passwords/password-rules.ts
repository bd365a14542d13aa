import type { Host } from '../../core/host/host.ts'
import type { Turn } from '../../crypto/password-hash/hash-slots.ts'
import type { PasswordHasher } from '../../crypto/password-hash/password-hasher.ts'
import { PASSWORD_MIN } from '../../kernel/lengths.ts'
import { type Fault, fault, fieldProblem } from '../../kernel/problems.ts'
import { EXAMPLE_WORDS, faultsInWords } from '../../kernel/refuse.ts'
import type { User } from '../../storage/schema.ts'
import { type PersonalDetails, ruledUser } from '../users/user-values.ts'

/** Returns all faults of a new password, in Django's order. The host's faults come last. */
export type PasswordRules = (password: string, details: PersonalDetails) => Promise<Fault[]>

/** All faults that the rules can report, for OpenAPI. */
export const possiblePasswordFaults = (host: Host): readonly Fault[] => [
  fault('password_too_similar', { attribute: 'username' }),
  fault('password_too_short', { min: PASSWORD_MIN }),
  fault('password_too_common'),
  fault('password_numeric'),
  ...(host.passwordFaults ? faultsInWords([EXAMPLE_WORDS]) : []),
]

export function createPasswordRules({ passwordFaults }: Host): PasswordRules {
  if (!passwordFaults) return passwordRules
  return async (password, details) => [
    ...(await passwordRules(password, details)),
    ...(await passwordFaults(password, ruledUser(details))),
  ]
}

/** The list is long, and nothing needs it to start. */
export const loadIsCommon = async () => (await import('./common-passwords.ts')).isCommon

/** Our rules, without the host's. */
export const passwordRules: PasswordRules = async (password, details) => {
  const isCommon = await loadIsCommon()
  return [
    ...similarTo(password, details),
    ...([...password].length < PASSWORD_MIN
      ? [fault('password_too_short', { min: PASSWORD_MIN })]
      : []),
    ...(isCommon(password) ? [fault('password_too_common')] : []),
    ...(/^\p{Nd}+$/u.test(password) ? [fault('password_numeric')] : []),
  ]
}

const DETAILS = ['username', 'first_name', 'last_name', 'email'] as const

/** Reports only the first similar detail. */
function similarTo(password: string, details: PersonalDetails): Fault[] {
  const attribute = DETAILS.find((name) => isSimilar(password, details[name] ?? ''))
  return attribute ? [fault('password_too_similar', { attribute })] : []
}

/** A new password, typed twice. */
export type NewPassword = { new_password1: string; new_password2: string }

type Needs = { passwordRules: PasswordRules; hasher: PasswordHasher }

/** Returns the hash of a new password. Refuses it if the two differ or it breaks a rule. */
export async function hashNewPassword(
  { new_password1, new_password2 }: NewPassword,
  user: User,
  turn: Turn,
  { passwordRules, hasher }: Needs,
): Promise<string> {
  if (new_password1 !== new_password2) {
    throw fieldProblem({ new_password2: [fault('passwords_differ')] })
  }
  const faults = await passwordRules(new_password1, user)
  if (faults.length > 0) throw fieldProblem({ new_password2: faults })
  return hasher.hash(new_password1, turn)
}

/** Texts with this ratio of similarity are too similar. */
const TOO_SIMILAR = 0.7

const NOT_OF_A_WORD = /[^\p{L}\p{N}_]+/u

/** Whether a password is similar to a value or to one of its words, as Django measures it. */
export function isSimilar(password: string, value: string): boolean {
  const [wanted, known] = [password.toLowerCase(), value.toLowerCase()]
  return [...known.split(NOT_OF_A_WORD), known].some((part) => isLike([...wanted], [...part]))
}

function isLike(password: readonly string[], part: readonly string[]): boolean {
  if (part.length === 0) return false
  const share = (2 * countCommon(password, part)) / (password.length + part.length)
  return share >= TOO_SIMILAR
}

/** How many characters the two share, in any order. An upper bound, in linear time. */
function countCommon(one: readonly string[], other: readonly string[]): number {
  const left = new Map<string, number>()
  for (const character of other) left.set(character, (left.get(character) ?? 0) + 1)
  let common = 0
  for (const character of one) {
    const count = left.get(character) ?? 0
    if (count === 0) continue
    left.set(character, count - 1)
    common += 1
  }
  return common
}
