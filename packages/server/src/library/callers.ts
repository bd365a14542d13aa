import type { IncomingHttpHeaders } from 'node:http'
import type { HookUser } from '../core/hooks.ts'

// The types of servers are not named here, so that a host compiles with the one that it has.

/** The user who sends a request, and the login that they use. It is a copy. */
export type AuthUser = HookUser & { readonly login: CurrentLogin }

/** The credential of a request, and what is known about the login that it belongs to. */
export type CurrentLogin = {
  /** The kind of credential that came with the request. */
  readonly via: 'token' | 'session' | 'jwt'
  /** Its id in `sessions/`. Null for token keys, and for access tokens that were made elsewhere. */
  readonly id: string | null
  /** When the user last proved who they are. Null if they never did so here. */
  readonly authenticatedAt: Date | null
  /** Whether that is less than `ACCOUNT.REAUTHENTICATION_TIMEOUT` ago. */
  readonly isFresh: boolean
  /** When the credential ends by itself. Null if never. */
  readonly expiresAt: Date | null
  /** Every claim of the access token, those of your own included. Null if it was none. */
  readonly claims: Readonly<Record<string, unknown>> | null
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
 * Middleware for Express and Connect, and at the same time a hook for Fastify. With a `Request` of
 * the Fetch standard alone, it resolves with the user, and rejects with `RequestRefused` otherwise.
 */
export type Guard = <R extends FetchRequest | Parameters<Middleware>[0]>(
  request: R,
  ...rest: R extends FetchRequest ? [] : [reply: HostReply, next: Next]
) => R extends FetchRequest ? Promise<AuthUser> : void
