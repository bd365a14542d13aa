import { asCredential } from '../../crypto/webauthn/credential.ts'
import { loadVerifiers } from '../../crypto/webauthn/load-verifiers.ts'
import { problem } from '../../kernel/problems.ts'
import { randomToken } from '../../kernel/random.ts'
import type { Tx } from '../../storage/handle.ts'
import type { User } from '../../storage/schema.ts'
import {
  createStore,
  createVerify,
  creationOptions,
  DEFAULT_NAME,
  HANDLE_BYTES,
  type PasskeyNeeds,
} from './passkey-registration.ts'
import { addOwnerIfNew } from './passkeys-queries.ts'

/** Longer forms are refused. Otherwise open sign-ups could fill the database. */
const FORM_MAX = 4096

/** Passkeys that are made before their account. */
export function createPasskeySignup(needs: PasskeyNeeds) {
  const { ceremonies, rp } = needs
  const verify = createVerify(needs)
  const store = createStore(needs)

  return {
    /** Returns the options for the browser. The form comes back with the passkey. */
    async beginSignup(name: string, form: object) {
      rp.mustBeUsable()
      const handle = randomToken(HANDLE_BYTES)
      const kept = JSON.stringify({ handle, form })
      if (kept.length > FORM_MAX) throw problem('body_too_large')
      const { challenge, signupId } = await ceremonies.beginSignup(kept)
      const user = { id: handle, name, displayName: name }
      return { ...creationOptions(rp, { user, challenge, existing: [] }), session_id: signupId }
    },

    /** Checks the passkey. The challenge is spent in any case. */
    async completeSignup(input: unknown, signupId: string, name = DEFAULT_NAME) {
      rp.mustBeUsable()
      const verifiers = await loadVerifiers()
      const answered = await ceremonies.answer({ signupId })
      if (!answered?.form) throw problem('registration_challenge_expired')
      const credential = asCredential(input)
      const made = credential && (await verify(verifiers, credential, answered))
      if (!made) throw problem('registration_not_verified')
      const { handle, form } = JSON.parse(answered.form) as { handle: string; form: unknown }
      /** Call it in the transaction that adds the user. */
      const add = async (user: User, tx: Tx): Promise<void> => {
        await addOwnerIfNew(tx, { user_id: user.id, handle })
        await store(user, { name, made, credential }, tx)
      }
      return { form, isStrong: made.userVerified, add }
    },
  }
}
