import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http'
import type { HookUser } from '../core/hooks.ts'
import type { HostOptions } from '../core/host/host-options.ts'
import type { Clock } from '../kernel/clock.ts'
import type { AdminOfHost } from './admin.ts'

// No types of servers are imported here, so that a host compiles with its own version.

/** The service as the program that embeds it sees it. Only what is listed here is a stable API. */
export type Auth = {
  /** The plugin for Fastify: `app.register(auth.fastify)`. It closes with the server. */
  readonly fastify: FastifyMount
  /** The handler for Express, Connect and `node:http`: `app.use(auth.express)`. */
  readonly express: ExpressMount
  /** Answers a `Request` with a `Response`, for Hono, SvelteKit, Next and others. */
  readonly fetch: FetchMount
  /**
   * The admin API and its pages for Fastify, at `/admin/` or at `prefix`. Never part of the other
   * mounts. The module `admin` must be on. It does not close the service.
   */
  readonly adminFastify: FastifyMount
  /** The same for Express, Connect and `node:http`: `app.use('/admin', auth.adminExpress)`. */
  readonly adminExpress: ExpressMount
  /** The same for a `Request`. */
  readonly adminFetch: FetchMount
  /**
   * Returns the user who sends a request to a route of yours. Returns null if the request has no
   * valid credential, or a cookie on an unsafe method without its CSRF token.
   * Rejects, with the status 503, if the database cannot be reached.
   */
  identify(request: HostRequest): Promise<AuthUser | null>
  /** Sets `request.user` to the user or null, and lets everybody pass. */
  readonly withUser: Middleware
  /**
   * Sets `request.user`. Other requests are refused as by the service itself: 401, or 403 for a
   * missing CSRF token. With a `Request` alone it resolves with the user, or rejects with
   * `RequestRefused`.
   */
  readonly requireUser: Guard
  /**
   * As `requireUser`. Users who have not authenticated recently also get a 403, and so do operators
   * who use the account of a user.
   */
  readonly requireFresh: Guard
  /**
   * As `requireUser`, and also accepts keys that users made for programs, if they have this scope
   * (`API_KEY_SCOPES`). The other guards refuse such keys with a 403.
   */
  requireScope(scope: `${string}:${string}`): Guard
  /** What operators can do, for jobs and tools of yours. It needs no login, so guard your own routes. */
  readonly admin: AdminOfHost
  /** Finishes the background work and closes the database. Can be called more than once. */
  close(): Promise<void>
}

/** A plugin for Fastify 5. `prefix` replaces `AUTH_PREFIX`, or `/admin/`. */
export type FastifyMount = (
  host: { readonly prefix: string },
  options: { prefix?: string },
) => Promise<void>

/**
 * A handler for Express, Connect and `node:http`. A path that is not the service's goes to `next`.
 * Without `next` it is answered with 404.
 */
export type ExpressMount = (
  request: IncomingMessage,
  response: ServerResponse,
  next?: (error?: unknown) => void,
) => void

/** Answers a request of the Fetch standard. A path that is not the service's gets a 404. */
export type FetchMount = (request: Request, options?: FetchOptions) => Promise<Response>

/** What your server knows about the client. */
export type FetchOptions = {
  /** The client's address. Without it, `X-Forwarded-For` is used as `NUM_PROXIES` says. */
  address?: string | undefined
}

/** The user who sends a request, and the login that they use. It is a copy. */
export type AuthUser = HookUser & { readonly login: CurrentLogin }

/** The credential of a request, and what is known about the login that it belongs to. */
export type CurrentLogin = {
  /** The kind of credential that came with the request. */
  readonly via: 'token' | 'session' | 'jwt'
  /** Its id in `sessions/`. Null for token keys, and for access tokens that were made elsewhere. */
  readonly id: string | null
  /** When the user last authenticated. Null if they never did so here. */
  readonly authenticatedAt: Date | null
  /** Whether that is less than `ACCOUNT.REAUTHENTICATION_TIMEOUT` ago. */
  readonly isFresh: boolean
  /** When the credential expires. Null if never. */
  readonly expiresAt: Date | null
  /** Every claim of the access token, including your own. Null for other credentials. */
  readonly claims: Readonly<Record<string, unknown>> | null
  /**
   * What the credential may do, if it is a key that the user made for a program (`API_KEYS`). Null
   * for all others: they may do everything that their user may.
   */
  readonly scopes: readonly string[] | null
  /** The operator who uses the account of the user (`ADMIN_IMPERSONATION`). Usually null. */
  readonly impersonatedBy: { readonly pk: number | string; readonly username: string } | null
}

/** A request of `node:http`, and so of Express and Connect. */
export type NodeRequest = {
  readonly method?: string | undefined
  readonly headers: IncomingHttpHeaders
  readonly socket: object
}

/** A `Request` of the Fetch standard. */
export type FetchRequest = {
  readonly method: string
  readonly url: string
  readonly headers: { get(name: string): string | null }
}

/** A request of Fastify, of `node:http` or of the Fetch standard. */
export type HostRequest = NodeRequest | FetchRequest | { readonly raw: NodeRequest | FetchRequest }

type NodeReply = {
  statusCode: number
  readonly headersSent: boolean
  getHeader(name: string): unknown
  setHeader(name: string, value: string): unknown
  end(text: string): unknown
}

type FastifyReply = {
  readonly sent: boolean
  code(status: number): unknown
  getHeader(name: string): unknown
  header(name: string, value: string): unknown
  send(body: Uint8Array): unknown
}

/** An answer of Fastify, or of `node:http`. */
export type HostReply = NodeReply | FastifyReply

export type Next = (error?: Error) => void

/** Middleware for Express and Connect, and at the same time a hook for Fastify. */
export type Middleware = (
  request: NodeRequest | { readonly raw: NodeRequest },
  reply: HostReply,
  next: Next,
) => void

/**
 * Refuses requests without a suitable credential: as middleware in Express and Connect, and as a
 * hook in Fastify. With a `Request` of the Fetch standard alone, it resolves with the user, or rejects
 * with `RequestRefused`.
 */
export type Guard = <R extends FetchRequest | Parameters<Middleware>[0]>(
  request: R,
  ...rest: R extends FetchRequest ? [] : [reply: HostReply, next: Next]
) => R extends FetchRequest ? Promise<AuthUser> : void

/** Receives the log of the service. `console`, pino and `app.log` of Fastify all fit. */
export type AuthLog = {
  info(fields: object, text: string): void
  warn(fields: object, text: string): void
  error(fields: object, text: string): void
}

/** What a program that embeds the service may provide. */
export type AuthOptions = HostOptions & {
  /** False if migrations are run by `latchkey migrate`. If some are due, `createAuth` fails. */
  migrate?: boolean
  /** Where the service logs. By default lines of JSON go to standard output, as `LOG_LEVEL` says. */
  log?: AuthLog
  /** The time, for tests. */
  clock?: Clock
}
