import { isUtf8 } from 'node:buffer'
import { isObject, outlineOf, parseJson } from '../kernel/json-object.ts'

/**
 * Decodes only the canonical encoding: no padding, no other alphabet, no line breaks, no stray bits
 * at the end. Returns null otherwise. If other spellings were accepted, one token, credential or
 * challenge could be written in many ways.
 */
export function decodeBase64url(text: string): Buffer | null {
  const bytes = Buffer.from(text, 'base64url')
  return bytes.toString('base64url') === text ? bytes : null
}

export const encodeBase64url = (text: string): string => Buffer.from(text).toString('base64url')

/** Parses a JSON object without duplicate keys. Returns null for anything else. */
export function parseObject(bytes: Buffer): Record<string, unknown> | null {
  const value = isUtf8(bytes) ? parseJson(bytes.toString('utf8')) : undefined
  if (!isObject(value)) return null
  return outlineOf(bytes).members === Object.keys(value).length ? value : null
}
