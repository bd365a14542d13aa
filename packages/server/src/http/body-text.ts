import { isUtf8 } from 'node:buffer'
import { problem } from '../kernel/problems.ts'

type Kind = 'JSON' | 'Form' | 'Multipart form'

/** The text of a body, or of a part of one. */
export function decodeText(bytes: Buffer, kind: Kind): string {
  if (isUtf8(bytes)) return bytes.toString('utf8')
  throw problem('malformed_body', { kind, reason: 'the body is not valid UTF-8' })
}
