import { EventEmitter } from 'node:events'
import { argon2Costing } from '../../src/crypto/password-hash/argon2.ts'
import { createHashSlots, type HashSlots } from '../../src/crypto/password-hash/hash-slots.ts'
import {
  createPasswordHasher,
  type PasswordHasher,
  type PasswordHasherName,
} from '../../src/crypto/password-hash/password-hasher.ts'
import type { Kind, Scheme } from '../../src/crypto/password-hash/scheme.ts'

/** Real hashes at the lowest cost, since hashes at the default cost would take most of the time. */
const cheap = argon2Costing({ variant: 'argon2id', version: 19, memory: 8, passes: 1, lanes: 1 })

export const cheapHasher = (
  hashers: readonly PasswordHasherName[] = ['argon2'],
  scheme: Scheme = cheap,
  slots: HashSlots = createHashSlots(),
): PasswordHasher => createPasswordHasher({ hashers, slots }, { argon2: scheme })

/** Hashes as the service does, and records the kind of every hash. */
export function recordingHasher(slots?: HashSlots) {
  const work: string[] = []
  const recorded = (kind: Kind): Kind => ({
    ...kind,
    derive(...given) {
      work.push(kind.label)
      return kind.derive(...given)
    },
  })
  const scheme: Scheme = {
    ...cheap,
    current: recorded(cheap.current),
    read(encoded) {
      const stored = cheap.read(encoded)
      return stored && { ...stored, kind: recorded(stored.kind) }
    },
  }
  return { work, hasher: cheapHasher(['argon2'], scheme, slots) }
}

/** A hasher that is busy until it is released. It reports which requests begin and stop waiting. */
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
