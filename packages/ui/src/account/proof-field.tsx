import { PasswordField } from '../components/password-field.tsx'
import { facts } from '../facts.ts'
import { say } from '../words.ts'

/** Whether an account can begin with a provider or a passkey. Such users have no password. */
export const mayLackPassword: boolean = facts.providers.length > 0 || facts.passkeySignup

/** The password, as a proof. The service asks users without one for a recent login. */
export const ProofField = ({ autofocus = false }: { autofocus?: boolean }) => (
  <PasswordField
    name="password"
    label={say('password.current')}
    autofocus={autofocus}
    {...(mayLackPassword && { hint: say('password.ifAny') })}
  />
)
