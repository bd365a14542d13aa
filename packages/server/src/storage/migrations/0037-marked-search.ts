import type { Migration } from '../migrate.ts'
import { remakeOnSqlite } from '../user-search.ts'

/** The index of names passes SQLite's check, also after users were renamed or deleted. */
export const markedSearch: Migration = { name: '0037-marked-search', up: remakeOnSqlite }
