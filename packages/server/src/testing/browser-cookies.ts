import { parseSetCookie } from 'cookie'
import type { FastifyReply } from 'fastify'

/** A cookie as tools that drive browsers take it, such as `context.addCookies` of Playwright. */
export type BrowserCookie = {
  readonly name: string
  readonly value: string
  readonly domain: string
  readonly path: string
  /** Always -1: the browser keeps it. Its own clock is not the one of the test. */
  readonly expires: number
  readonly httpOnly: boolean
  readonly secure: boolean
  readonly sameSite: 'Lax' | 'Strict' | 'None'
}

const SAME_SITE = { lax: 'Lax', strict: 'Strict', none: 'None' } as const

/** Writes an answer of the service, and returns it together with the cookies that it sets. */
export function cookiesOf<T>(
  publicUrl: string,
  write: (reply: FastifyReply) => T,
): { body: T; cookies: BrowserCookie[] } {
  const lines: string[] = []
  // Answers with cookies use no more of a reply than this.
  const reply = {
    header(name: string, value: string) {
      if (name === 'set-cookie') lines.push(value)
      return reply
    },
    status: () => reply,
  } as unknown as FastifyReply
  const body = write(reply)
  const host = new URL(publicUrl).hostname
  return { body, cookies: lines.map((line) => browserCookie(line, host)) }
}

function browserCookie(line: string, host: string): BrowserCookie {
  const { name, value = '', domain = host, path = '/', ...given } = parseSetCookie(line)
  const { httpOnly = false, secure = false, sameSite } = given
  const site = SAME_SITE[String(sameSite).toLowerCase() as keyof typeof SAME_SITE] ?? 'Lax'
  return { name, value, domain, path, expires: -1, httpOnly, secure, sameSite: site }
}
