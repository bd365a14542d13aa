import { EventEmitter } from 'node:events'
import { argon2 } from '../../src/crypto/password-hash/argon2.ts'
import { createHashSlots, type HashSlots } from '../../src/crypto/password-hash/hash-slots.ts'
import {
  createPasswordHasher,
  type PasswordHasherName,
} from '../../src/crypto/password-hash/password-hasher.ts'
import type { Kind, Scheme } from '../../src/crypto/password-hash/scheme.ts'

/** Hashes as the service does, and writes down the kind of every hash that it computed. */
export function recordingHasher(slots: HashSlots = createHashSlots()) {
  const work: string[] = []
  const recorded = (kind: Kind): Kind => ({
    ...kind,
    derive(...given) {
      work.push(kind.label)
      return kind.derive(...given)
    },
  })
  const scheme: Scheme = {
    ...argon2,
    current: recorded(argon2.current),
    read(encoded) {
      const stored = argon2.read(encoded)
      return stored && { ...stored, kind: recorded(stored.kind) }
    },
  }
  const schemes = { argon2: scheme } as Record<PasswordHasherName, Scheme>
  return { work, hasher: createPasswordHasher({ hashers: ['argon2'], slots }, schemes) }
}

/** A hasher that is busy until it is released, and tells who comes to wait, and who leaves. */
export function busyHasher() {
  const slots = createHashSlots({ parallel: 1, queue: 16 })
  const line = new EventEmitter()
  let release = () => {}
  const busy = new Promise<void>((resolve) => {
    release = resolve
  })
  void slots.run({ client: 'somebody' }, () => busy)
  const { work, hasher } = recordingHasher({
    async run(turn, task) {
      const served = slots.run(turn, task)
      line.emit('come')
      try {
        return await served
      } catch (reason) {
        line.emit('leave', reason)
        throw reason
      }
    },
  })
  return { work, hasher, release, line }
}
