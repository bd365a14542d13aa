import { AuthError } from './auth-error.ts'
import type { Passkey } from './contract.ts'
import { creationOptions, requestOptions, toJson } from './credential-json.ts'
import type { endpoints } from './endpoints.ts'
import type { Methods, SignedIn } from './methods.ts'

export type PasskeyRequest = {
  username?: string
  email?: string
  /** Offers passkeys where the visitor types, in fields with `autocomplete="username webauthn"`. */
  autofill?: boolean
  signal?: AbortSignal
}

export type Ceremonies<User> = {
  /** Whether this browser has passkeys at all. */
  isSupported(): boolean
  /** Whether it can offer them while the visitor types. */
  canAutofill(): Promise<boolean>
  /** Makes a passkey and keeps it: asks the service, then the browser, then tells the service. */
  register(options?: { name?: string; signal?: AbortSignal }): Promise<Passkey>
  /** Logs in with a passkey, of one user or whichever the visitor chooses. */
  login(request?: PasskeyRequest): Promise<SignedIn<User>>
  /** Has the browser prove a passkey, as `login` does and as `reauthenticate` takes it. */
  prove(request?: PasskeyRequest): Promise<{ credential: object; session_id: string }>
  /** Ends what the browser is asking, autofill too; its promise rejects with an `AbortError`. */
  cancel(): void
}

/** An offer of autofill is renewed when so much of the time of its challenge is over. */
const GOOD_FOR = 0.9

export function createCeremonies<User>(
  methods: Methods<(typeof endpoints)['passkeys'], User>,
): Ceremonies<User> {
  let pending: AbortController | undefined

  /** A browser asks one thing at a time: what was asked before, be it only an offer, ends. */
  function begin(signal: AbortSignal | undefined): AbortSignal {
    pending?.abort()
    const controller = new AbortController()
    pending = controller
    const abort = () => controller.abort(signal?.reason)
    if (signal?.aborted) abort()
    signal?.addEventListener('abort', abort, { once: true })
    return controller.signal
  }

  /** The challenge of an offer expires while nobody types: then there is a new one. */
  async function prove({ autofill = false, signal: aborts, ...user }: PasskeyRequest = {}) {
    const signal = begin(aborts)
    for (;;) {
      const { session_id, ...options } = await methods.beginLogin(user, { signal })
      const round = new AbortController()
      const abort = () => round.abort(signal.reason)
      signal.addEventListener('abort', abort)
      const timer = autofill ? setTimeout(abort, options.timeout * GOOD_FOR) : undefined
      try {
        const credential = await navigator.credentials.get({
          publicKey: requestOptions(options),
          signal: round.signal,
          ...(autofill && { mediation: 'conditional' }),
        })
        return { credential: toJson(credential), session_id }
      } catch (error) {
        if (signal.aborted) throw error
        if (!round.signal.aborted) throw failure(error)
      } finally {
        clearTimeout(timer)
        signal.removeEventListener('abort', abort)
      }
    }
  }

  return {
    isSupported: () => 'PublicKeyCredential' in globalThis,

    canAutofill: async () =>
      'PublicKeyCredential' in globalThis &&
      ((await PublicKeyCredential.isConditionalMediationAvailable?.()) ?? false),

    async register({ name, signal: aborts } = {}) {
      const signal = begin(aborts)
      const named = name === undefined ? {} : { name }
      const publicKey = creationOptions(await methods.beginRegistration(named, { signal }))
      const made = await navigator.credentials.create({ publicKey, signal }).catch((error) => {
        throw signal.aborted ? error : failure(error)
      })
      return methods.completeRegistration({ credential: toJson(made), ...named })
    },

    login: async (request) => methods.completeLogin(await prove(request)),
    prove,
    cancel: () => pending?.abort(),
  }
}

/** What the browser said, in the class of all errors. */
function failure(cause: unknown): AuthError {
  const { name, message } = cause as Error
  return new AuthError({ status: 0, code: name, detail: message, cause })
}
