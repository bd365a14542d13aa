import type { Kysely } from 'kysely'
import type { Database } from './schema.ts'

declare const kind: unique symbol

/**
 * What a query runs on: the database, or one transaction on it. Services pass handles around
 * without looking inside; only queries do.
 */
export type Handle = { readonly [kind]: 'database' | 'transaction' }

export type Db = { readonly [kind]: 'database' }

/** Proof that a transaction is open: whoever asks for one cannot be called without. */
export type Tx = { readonly [kind]: 'transaction' }

/** For queries that change their form with their values; see `query.ts` for all others. */
export const kyselyOf = (handle: Handle): Kysely<Database> => handle as unknown as Kysely<Database>

export const handleOf = <H extends Handle>(db: Kysely<Database>): H => db as unknown as H
