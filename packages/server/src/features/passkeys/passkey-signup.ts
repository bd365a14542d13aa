import { problem } from '../../kernel/problems.ts'
import { randomToken } from '../../kernel/random.ts'
import type { Tx } from '../../storage/handle.ts'
import type { User } from '../../storage/schema.ts'
import {
  createReceive,
  createStore,
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
  const receive = createReceive(needs)
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

    async completeSignup(input: unknown, signupId: string, name = DEFAULT_NAME) {
      rp.mustBeUsable()
      const received = await receive({ signupId }, input)
      if (!received.form) throw problem('registration_challenge_expired')
      const { handle, form } = JSON.parse(received.form) as { handle: string; form: unknown }
      /** Call it in the transaction that adds the user. */
      const add = async (user: User, tx: Tx): Promise<void> => {
        await addOwnerIfNew(tx, { user_id: user.id, handle })
        await store(user, name, received, tx)
      }
      return { form, isStrong: received.made.userVerified, add }
    },
  }
}
