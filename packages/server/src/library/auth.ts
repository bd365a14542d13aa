import type { IncomingMessage, ServerResponse } from 'node:http'
import type { AuthUser, Guard, HostRequest, Middleware } from './callers.ts'

// The types of servers are not named here, so that a host compiles with the one that it has.

/** The service as the program that embeds it sees it. Only what is listed here is a stable API. */
export type Auth = {
  /** The plugin for Fastify: `app.register(auth.fastify)`. It closes with the server. */
  readonly fastify: FastifyMount
  /** The handler for Express, Connect and `node:http`: `app.use(auth.express)`. */
  readonly express: ExpressMount
  /** Answers a `Request` with a `Response`, for Hono, SvelteKit, Next and others. */
  readonly fetch: FetchMount
  /**
   * Returns the user who sends a request to a route of yours. Returns null if the request has no
   * valid credential, or a cookie on an unsafe method without its CSRF token.
   * Rejects, with the status 503, if the database cannot be reached.
   */
  identify(request: HostRequest): Promise<AuthUser | null>
  /** Sets `request.user` to the user or null, and lets everybody pass. */
  readonly withUser: Middleware
  /**
   * Sets `request.user`. Others are refused as they are here: 401, or 403 for a missing CSRF token.
   * With a `Request` alone it resolves with the user, or rejects with `RequestRefused`.
   */
  readonly requireUser: Guard
  /** As `requireUser`. Users who have not proved lately who they are get a 403, too. */
  readonly requireFresh: Guard
  /** Finishes what runs in the background, and closes the database. It can be called again. */
  close(): Promise<void>
}

/** A plugin for Fastify 5. `prefix` takes the place of `AUTH_PREFIX`. */
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

/** What the server knows about the client. */
export type FetchOptions = {
  /** The client's address. Without it, `X-Forwarded-For` counts, as `NUM_PROXIES` says. */
  address?: string | undefined
}
