import { isUtf8 } from 'node:buffer'
import { isObject, outlineOf } from '../../kernel/json-object.ts'

/** Parses a JSON object without duplicate keys; null for anything else. */
export function parseObject(bytes: Buffer): Record<string, unknown> | null {
  if (!isUtf8(bytes)) return null
  try {
    const value: unknown = JSON.parse(bytes.toString('utf8'))
    if (!isObject(value)) return null
    return outlineOf(bytes).members === Object.keys(value).length ? value : null
  } catch {
    return null
  }
}
