import { createCipheriv, createDecipheriv } from 'node:crypto'
import { randomBuffer } from '../kernel/random.ts'
import { derivedKey, digest } from './digests.ts'

const CIPHER = 'aes-256-gcm'
/** Its name for people. */
export const SEALING = CIPHER.toUpperCase()
const NONCE_BYTES = 12
const TAG_BYTES = 16

export type SealedBox = ReturnType<typeof createSealedBox>

/**
 * Authenticated encryption for values that must be read again. A box is bound to its owner
 * (`belongsTo`, such as `token:17`), so a copy in another row does not open.
 */
export function createSealedBox(secretKey: string, fallbacks: readonly string[]) {
  const current = sealingKey(secretKey)
  const keys = new Map([current, ...fallbacks.map(sealingKey)].map((key) => [key.id, key]))
  const prefix = `${current.id}.`
  const isCurrent = (box: string): boolean => box.startsWith(prefix)

  return {
    seal,
    open,
    /** Every box that was sealed with the current key begins with it. All others must be resealed. */
    prefix,
    /** Whether the box was sealed with the current key. */
    isCurrent,
    /** Whether a key that is not known here sealed the box, by the id at its beginning. */
    needsAnotherKey: (box: string): boolean =>
      /^[\w-]{8}\./.test(box) && !keys.has(box.slice(0, 8)),
    /** The ids of all keys, the current one first. They tell nothing about the keys. */
    ids: [...keys.keys()],

    /** Reseals the box if a former key sealed it and can still open it. */
    resealed(box: string, belongsTo: string): string {
      const text = isCurrent(box) ? null : open(box, belongsTo)
      return text === null ? box : seal(text, belongsTo)
    },
  }

  function seal(text: string, belongsTo: string): string {
    const nonce = randomBuffer(NONCE_BYTES)
    const cipher = createCipheriv(CIPHER, current.key, nonce).setAAD(Buffer.from(belongsTo))
    const sealed = Buffer.concat([nonce, cipher.update(text, 'utf8'), cipher.final()])
    return `${prefix}${Buffer.concat([sealed, cipher.getAuthTag()]).toString('base64url')}`
  }

  /** Returns null if the box was sealed with a removed key, belongs to something else, or was changed. */
  function open(box: string, belongsTo: string): string | null {
    const [id = '', payload = ''] = box.split('.')
    const key = keys.get(id)
    const bytes = Buffer.from(payload, 'base64url')
    if (!key || bytes.length < NONCE_BYTES + TAG_BYTES) return null
    try {
      const opener = createDecipheriv(CIPHER, key.key, bytes.subarray(0, NONCE_BYTES))
        .setAAD(Buffer.from(belongsTo))
        .setAuthTag(bytes.subarray(-TAG_BYTES))
      const text = opener.update(bytes.subarray(NONCE_BYTES, -TAG_BYTES))
      return Buffer.concat([text, opener.final()]).toString('utf8')
    } catch {
      return null
    }
  }
}

function sealingKey(secret: string) {
  const key = derivedKey(secret, 'sealed-box')
  return { key, id: digest(key.toString('hex')).slice(0, 8) }
}
