import type { Turn } from '../../crypto/password-hash/hash-slots.ts'
import type { PasswordHasher } from '../../crypto/password-hash/password-hasher.ts'
import { fault, fieldProblem } from '../../kernel/problems.ts'
import type { User } from '../../storage/schema.ts'
import type { PasswordRules } from './password-rules.ts'

/** A new password, typed twice. */
export type NewPassword = { new_password1: string; new_password2: string }

/** Returns the hash of a new password. Refuses it if the two differ or it breaks a rule. */
export async function hashNewPassword(
  { new_password1, new_password2 }: NewPassword,
  user: User,
  turn: Turn,
  { rules, hasher }: { rules: PasswordRules; hasher: PasswordHasher },
): Promise<string> {
  if (new_password1 !== new_password2) {
    throw fieldProblem({ new_password2: [fault('passwords_differ')] })
  }
  const faults = await rules(new_password1, user)
  if (faults.length > 0) throw fieldProblem({ new_password2: faults })
  return hasher.hash(new_password1, turn)
}
