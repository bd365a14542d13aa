import { isUtf8 } from 'node:buffer'
import { problem } from '../kernel/problems.ts'

export const BODY_LIMIT = 64 * 1024

type Kind = 'JSON' | 'Form' | 'Multipart form'

/** The text of a body, or of a part of one. */
export function decodeText(bytes: Buffer, kind: Kind): string {
  if (isUtf8(bytes)) return bytes.toString('utf8')
  throw problem('malformed_body', { kind, reason: 'the body is not valid UTF-8' })
}

/** No endpoint needs more levels, and recursive functions would overflow the stack. */
const DEPTH_MAX = 32

/**
 * Refuses a parsed body that is nested too deeply, or too large for our limit. It stops at the
 * first excess.
 */
export function refuseExcess(body: unknown, kind: Kind = 'JSON'): unknown {
  let bytes = 0
  const add = (more: number): void => {
    bytes += more
    if (bytes > BODY_LIMIT) throw problem('body_too_large')
  }
  const visit = (value: unknown, levels: number): void => {
    if (typeof value === 'string') add(Buffer.byteLength(value))
    if (typeof value !== 'object' || value === null) return
    if (levels === 0) {
      throw problem('malformed_body', { kind, reason: 'the body is nested too deeply' })
    }
    if (Array.isArray(value)) {
      add(value.length)
      for (const one of value) visit(one, levels - 1)
      return
    }
    const names = Object.keys(value)
    add(names.length)
    for (const name of names) {
      add(Buffer.byteLength(name))
      visit((value as Record<string, unknown>)[name], levels - 1)
    }
  }
  visit(body, DEPTH_MAX)
  return body
}
