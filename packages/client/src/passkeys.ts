import { AuthError } from './auth-error.ts'
import type { Passkey } from './contract.ts'
import { creationOptions, requestOptions, toJson } from './credential-json.ts'
import type { endpoints } from './endpoints.ts'
import type { Methods, Registered, SignedIn } from './methods.ts'

export type PasskeyRequest = {
  username?: string
  email?: string
  /** Offers passkeys in the fields with `autocomplete="username webauthn"`. */
  autofill?: boolean
  signal?: AbortSignal
}

export type Ceremonies<User> = {
  /** Whether this browser supports passkeys. */
  isSupported(): boolean
  /** Whether this browser can offer passkeys in a field. */
  canAutofill(): Promise<boolean>
  /**
   * Creates a passkey for the user who is signed in. With `conditional`, the browser does it without
   * asking, and only if it has just filled in the password.
   */
  register(options?: {
    name?: string
    conditional?: boolean
    signal?: AbortSignal
  }): Promise<Passkey>
  /** Whether this browser can create a passkey without asking. */
  canCreateQuietly(): Promise<boolean>
  /** Creates an account with a passkey instead of a password. `name` is that of the passkey. */
  signUp(
    form: Parameters<Methods<(typeof endpoints)['passkeys'], User>['beginSignup']>[0],
    options?: { name?: string; signal?: AbortSignal },
  ): Promise<Registered<User>>
  /** Logs in with a passkey, of the named user or of anybody. */
  login(request?: PasskeyRequest): Promise<SignedIn<User>>
  /** Asks for a passkey without a login. The result is a body for `reauthenticate`. */
  prove(request?: PasskeyRequest): Promise<{ credential: object; session_id: string }>
  /** Aborts the current ceremony, autofill too. Its promise rejects with an `AbortError`. */
  cancel(): void
}

/** Autofill gets a new challenge after this part of its lifetime. */
const GOOD_FOR = 0.9

export function createCeremonies<User>(
  methods: Methods<(typeof endpoints)['passkeys'], User>,
): Ceremonies<User> {
  let pending: AbortController | undefined

  /** A browser allows one ceremony at a time, so the earlier one is aborted. */
  function begin(signal: AbortSignal | undefined): AbortSignal {
    pending?.abort()
    pending = follower(signal)
    return pending.signal
  }

  /** With autofill, the challenge can expire before the visitor chooses. Then it is replaced. */
  async function prove({ autofill, signal: aborts, ...user }: PasskeyRequest = {}) {
    const signal = begin(aborts)
    for (;;) {
      const { session_id, ...options } = await methods.beginLogin(user, { signal })
      const round = follower(signal)
      const expire = () => round.abort()
      const timer = autofill ? setTimeout(expire, options.timeout * GOOD_FOR) : undefined
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
      }
    }
  }

  async function create(
    options: Parameters<typeof creationOptions>[0],
    signal: AbortSignal,
    conditional?: boolean,
  ) {
    const request = {
      publicKey: creationOptions(options),
      signal,
      ...(conditional && { mediation: 'conditional' as const }),
    }
    const made = await navigator.credentials.create(request).catch((error) => {
      throw signal.aborted ? error : failure(error)
    })
    return toJson(made)
  }

  return {
    isSupported: () => 'PublicKeyCredential' in globalThis,

    canAutofill: async () =>
      (await globalThis.PublicKeyCredential?.isConditionalMediationAvailable?.()) ?? false,

    canCreateQuietly: async () =>
      (await globalThis.PublicKeyCredential?.getClientCapabilities?.())?.conditionalCreate ?? false,

    async register({ conditional = false, signal: aborts, ...named } = {}) {
      const signal = begin(aborts)
      const options = await methods.beginRegistration({ ...named, conditional }, { signal })
      const credential = await create(options, signal, conditional)
      return methods.completeRegistration({ credential, ...named })
    },

    async signUp(form, { signal: aborts, ...named } = {}) {
      const signal = begin(aborts)
      const { session_id, ...options } = await methods.beginSignup(form, { signal })
      const credential = await create(options, signal)
      return methods.completeSignup({ credential, session_id, ...named })
    },

    login: async (request) => methods.completeLogin(await prove(request)),
    prove,
    cancel: () => pending?.abort(),
  }
}

/** A controller that also aborts with the signal. */
function follower(signal: AbortSignal | undefined): AbortController {
  const controller = new AbortController()
  const abort = () => controller.abort(signal?.reason)
  if (signal?.aborted) abort()
  signal?.addEventListener('abort', abort)
  return controller
}

/** An error of the browser as one of ours. */
function failure(cause: unknown): AuthError {
  const { name, message } = cause as Error
  return new AuthError({ status: 0, code: name, detail: message, cause })
}
