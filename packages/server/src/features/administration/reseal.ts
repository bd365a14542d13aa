import type { SealedBox } from '../../crypto/sealed-box.ts'
import type { Stores } from '../../stores.ts'
import { successorOwner } from '../jwt/spent-tokens.ts'
import { letterOwner } from '../mail/outbox.ts'
import { activationOwner } from '../mfa/activation.ts'
import type { RecoveryCodes } from '../mfa/recovery-codes.ts'
import { secretOwner } from '../mfa/second-factor.ts'
import { tokenOwner } from '../tokens/tokens.ts'
import type { SealedColumn, SealedRow } from './sealed-store.ts'

export type Reseal = ReturnType<typeof createReseal>

type Needs = { stores: Stores; sealedBox: SealedBox; recoveryCodes: RecoveryCodes }

type Sealed = SealedColumn & {
  /** What is written in the place of what was read; null where no key opens it. */
  renew(row: SealedRow): SealedRow | null
}

export type ResealResult = {
  resealed: number
  /** How many of each table no key opens that we have. */
  unreadable: Readonly<Record<string, number>>
  isDone: boolean
}

const BATCH = 200

/** Seals with the key in use what former keys sealed, so that those can be dropped. */
export function createReseal({ stores, sealedBox, recoveryCodes }: Needs) {
  const simple = (
    table: SealedColumn['table'],
    key: string,
    column: string,
    ownerOf: (row: SealedRow) => string,
  ): Sealed => ({
    table,
    keys: [key],
    column,
    renew(row) {
      const text = sealedBox.open(String(row[column]), ownerOf(row))
      return text === null ? null : { [column]: sealedBox.seal(text, ownerOf(row)) }
    },
  })

  const everything: readonly Sealed[] = [
    simple('tokens', 'user_id', 'sealed_key', (row) => tokenOwner(Number(row.user_id))),
    simple('totp_authenticators', 'user_id', 'sealed_secret', (row) =>
      secretOwner(Number(row.user_id)),
    ),
    simple('totp_activations', 'digest', 'sealed_secret', (row) =>
      activationOwner(String(row.digest)),
    ),
    {
      table: 'recovery_codes',
      keys: ['user_id', 'digest'],
      column: 'sealed_code',
      renew: ({ user_id, digest, sealed_code }) =>
        recoveryCodes.renewed({
          user_id: Number(user_id),
          digest: String(digest),
          sealed_code: String(sealed_code),
        }),
    },
    simple('outbox', 'id', 'sealed_letter', (row) => letterOwner(String(row.id))),
    simple('spent_refresh_tokens', 'digest', 'sealed_successor', (row) =>
      successorOwner(String(row.digest)),
    ),
  ]

  return {
    /** How many values a former key sealed, or a lost one. */
    async countStale(): Promise<number> {
      let count = 0
      for (const one of everything) count += await stores.sealed.countStale(one, sealedBox.prefix)
      return count
    },

    /** Can be stopped at any time: what was done needs not be done again. */
    async run(note: (seen: number) => void, isStopping: () => boolean): Promise<ResealResult> {
      const unreadable: Record<string, number> = {}
      let resealed = 0
      let seen = 0
      for (const one of everything) {
        let last: SealedRow | null = null
        while (!isStopping()) {
          const rows: SealedRow[] = await stores.sealed.listStale(
            one,
            sealedBox.prefix,
            last,
            BATCH,
          )
          last = rows.at(-1) ?? null
          if (last === null) break
          const done = await renewAll(one, rows)
          resealed += done
          if (done < rows.length) {
            unreadable[one.table] = (unreadable[one.table] ?? 0) + rows.length - done
          }
          seen += rows.length
          note(seen)
        }
      }
      return { resealed, unreadable, isDone: !isStopping() }
    },
  }

  /** A batch is one transaction, which is over soon; tells how many could be opened. */
  function renewAll(sealed: Sealed, rows: readonly SealedRow[]): Promise<number> {
    return stores.transaction(async (tx) => {
      let done = 0
      for (const row of rows) {
        const changes = sealed.renew(row)
        if (!changes) continue
        await tx.sealed.replace(sealed, row, changes)
        done += 1
      }
      return done
    })
  }
}
