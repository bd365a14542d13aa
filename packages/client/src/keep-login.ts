import { AuthError } from './auth-error.ts'
import type { Later, LoginStorage } from './storage.ts'

/** One login, as it is stored. With cookies, the browser has the credentials. */
export type Login = {
  /** A random name that differs for every login. It is no secret. */
  id: string
  /** The user, if the service has already named them. */
  pk?: unknown
  key?: string
  access?: string
  refresh?: string | undefined
  /** The login at the service that the access token names. */
  sid?: string | undefined
  /** The time to refresh, by the clock of this machine. */
  expires?: number
}

export type Credentials = Omit<Login, 'id' | 'pk'>

export type SignedOutReason =
  /** The user has logged out or deleted the account. */
  | 'logout'
  /** The service refused the credential. It has expired, or was ended elsewhere. */
  | 'refused'
  /** The user has logged out in another tab. */
  | 'elsewhere'

/** Who is signed in, as far as the client knows. Every change makes a new object. */
export type State<User> = {
  readonly status: 'unknown' | 'signed-in' | 'signed-out'
  /** Undefined until the service has answered, see `restore()`. */
  readonly user: User | undefined
  /** The reason why `restore()` failed. */
  readonly error: unknown
}

export type Keep<User> = ReturnType<typeof keepLogin<User>>

type Listener<T> = (value: T) => void

/** Stores the login of this client, and tells listeners about its changes. */
export function keepLogin<User>(storage: LoginStorage, key: string) {
  let state: State<User> = { status: 'unknown', user: undefined, error: undefined }
  /** The id of the login that the state describes. */
  let known: string | undefined
  /** The login that the storage has not accepted yet. What the storage holds instead may be spent. */
  let unsaved: Login | undefined
  /** How often a login was ended by its user, here or in another tab. */
  let logouts = 0
  const changes = new Set<Listener<State<User>>>()
  const ends = new Set<Listener<SignedOutReason>>()

  const subscribe =
    <T>(listeners: Set<Listener<T>>) =>
    (listener: Listener<T>) => {
      listeners.add(listener)
      return () => {
        listeners.delete(listener)
      }
    }

  function become(change: Partial<State<User>>): void {
    state = { ...state, error: undefined, ...change }
    tell(changes, state)
  }

  async function read(): Promise<Login | null> {
    if (unsaved) return write(unsaved)
    const text = await use(() => storage.getItem(key))
    try {
      return JSON.parse(text ?? 'null')
    } catch {
      return null
    }
  }

  /** A storage that fails is not empty: without a login, the stored one would be ended and deleted. */
  async function use<T>(access: () => Later<T>): Promise<T> {
    try {
      return await access()
    } catch (cause) {
      throw new AuthError({ status: 0, code: 'storage', cause })
    }
  }

  /** If the storage refuses the login, the page goes on with it, and every read tries again. */
  async function write(login: Login): Promise<Login> {
    unsaved = login
    known = login.id
    try {
      await storage.setItem(key, JSON.stringify(login))
      // A later login may have failed in the meantime.
      if (unsaved === login) unsaved = undefined
    } catch {}
    return login
  }

  async function begin(credentials: Credentials, user?: User): Promise<Login> {
    const login = await write({ ...credentials, id: newId(), pk: pkOf(user) })
    become({ status: 'signed-in', user })
    return login
  }

  function signedOut(reason: SignedOutReason, wasKept: boolean): void {
    const { status } = state
    known = undefined
    if (reason !== 'refused') logouts += 1
    if (status === 'signed-out') return
    become({ status: 'signed-out', user: undefined })
    // A visitor who was not signed in is not told about an end.
    if (wasKept || status === 'signed-in') tell(ends, reason)
  }

  return {
    state: () => state,
    onChange: subscribe(changes),
    onSignedOut: subscribe(ends),
    become,
    read,
    logouts: () => logouts,

    begin,

    /** Changes the stored login, unless it was ended or replaced in the meantime. */
    async renew(login: Login, credentials: Credentials): Promise<Login | null> {
      const kept = await read().catch((error) => {
        // The old token is spent, so the new one is kept, unless somebody else has logged in here.
        if ((known ?? login.id) === login.id) return login
        throw error
      })
      if (kept?.id !== login.id) return kept
      // Somebody has logged in in another tab, and their cookie was refreshed.
      if (kept.sid && kept.sid !== credentials.sid) return begin(credentials)
      return write({ ...kept, ...credentials })
    },

    /**
     * Sets the user of a login, unless it was ended or replaced in the meantime. `before` is the
     * number of logouts when the user was asked for.
     */
    async know(login: Login | null, user: User, before: number): Promise<void> {
      const kept = await read()
      if (kept?.id !== login?.id) return
      // A cookie without a stored login has no id. Only the number shows that it has ended.
      if (!kept && logouts !== before) return
      known = kept?.id
      // A link can replace the cookie by that of another user, without a login here. With another id,
      // the other tabs hear of it.
      const pk = pkOf(user)
      const hasToken = kept?.key || kept?.access
      if (!kept || (!hasToken && kept.pk !== pk)) {
        const isTheirs = kept && kept.pk === undefined
        await write({ ...kept, id: isTheirs ? kept.id : newId(), pk })
      }
      become({ status: 'signed-in', user })
    },

    /** Ends this login. If a later one is stored by now, that one stays. */
    async end(login: Login | null, reason: SignedOutReason): Promise<void> {
      const kept = await read()
      if (kept && kept.id !== login?.id) return
      unsaved = undefined
      try {
        await use(() => storage.removeItem(key))
      } finally {
        // What a storage could not delete is void.
        signedOut(reason, kept !== null)
      }
    },

    /** Reads what another tab has stored. */
    async look(): Promise<void> {
      // That is newer.
      unsaved = undefined
      const kept = await read()
      if (!kept) return signedOut('elsewhere', true)
      if (kept.id === known) return
      known = kept.id
      become({ status: 'signed-in', user: undefined })
    },
  }
}

/** An error of a listener is reported, but does not fail the call: the login has begun or ended. */
function tell<T>(listeners: Set<Listener<T>>, news: T): void {
  for (const listener of listeners) {
    try {
      listener(news)
    } catch (error) {
      setTimeout(() => {
        throw error
      })
    }
  }
}

const newId = (): string => String(Math.random())
const pkOf = (user: unknown): unknown => Object(user).pk
