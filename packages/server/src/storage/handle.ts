import { type Kysely, SqliteAdapter } from 'kysely'
import type { Database } from './schema.ts'

declare const kind: unique symbol

/**
 * What a query runs on: the database or a transaction. Services pass handles on without looking
 * inside; only queries open them.
 */
export type Handle = { readonly [kind]: 'database' | 'transaction' }

export type Db = { readonly [kind]: 'database' }

/**
 * A handle of an open transaction. A function that takes a `Tx` cannot be called outside a
 * transaction.
 */
export type Tx = { readonly [kind]: 'transaction' }

/** For queries whose SQL depends on their values. All others use `query.ts`. */
export const kyselyOf = (handle: Handle): Kysely<Database> => handle as unknown as Kysely<Database>

export const handleOf = <H extends Handle>(db: Kysely<Database>): H => db as unknown as H

export const isSqlite = (db: Kysely<Database>): boolean =>
  db.getExecutor().adapter instanceof SqliteAdapter
