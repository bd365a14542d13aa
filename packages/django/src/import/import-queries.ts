import { chunks } from '../../../server/src/kernel/chunks.ts'
import { type Handle, kyselyOf } from '../../../server/src/storage/handle.ts'
import { change, many, one, whether } from '../../../server/src/storage/query.ts'
import type { Database } from '../../../server/src/storage/schema.ts'

export type ImportedUser = Database['django_users']
export type Finding = Database['django_findings']

/** Imported users with keys after the first one and up to the last one. */
export const listImportedUsers = many((db, after: string, last: string) =>
  db
    .selectFrom('django_users')
    .selectAll()
    .where('source_key', '>', after)
    .where('source_key', '<=', last)
    .orderBy('source_key'),
)

export const listImportedUsersWith = (
  handle: Handle,
  sourceKeys: readonly string[],
): Promise<ImportedUser[]> =>
  sourceKeys.length === 0
    ? Promise.resolve([])
    : kyselyOf(handle)
        .selectFrom('django_users')
        .selectAll()
        .where('source_key', 'in', sourceKeys)
        .execute()

/** Users who lost something to another user, such as a username, who may have given it up since. */
export const listConflicts = many((db, after: string, most: number) =>
  db
    .selectFrom('django_findings')
    .select('source_key')
    .distinct()
    .where('kind', '=', 'lost')
    .where('part', 'in', ['username', 'addresses', 'profile', 'passkeys', 'social'])
    .where('source_key', '>', after)
    .orderBy('source_key')
    .limit(most),
)

/** What can make a user stop being an active superuser. */
export const PARTS_OF_SUPERUSERS = ['user', 'is_active', 'is_superuser'] as const

/** Users who were kept as the last active superuser. No other finding of these parts is of this kind. */
export const listKeptSuperusers = many((db) =>
  db
    .selectFrom('django_findings')
    .select('source_key')
    .distinct()
    .where('kind', '=', 'kept')
    .where('part', 'in', PARTS_OF_SUPERUSERS)
    .orderBy('source_key'),
)

export const addImportedUsers = (handle: Handle, users: readonly ImportedUser[]) =>
  kyselyOf(handle).insertInto('django_users').values(users).execute()

export const changeImportedUser = change((db, user: Omit<ImportedUser, 'user_id'>) =>
  db
    .updateTable('django_users')
    .set({ email: user.email, address: user.address, parts: user.parts })
    .where('source_key', '=', user.source_key),
)

export const dropImportedUser = change((db, sourceKey: string) =>
  db.deleteFrom('django_users').where('source_key', '=', sourceKey),
)

export const findIdsHere = (handle: Handle, sourceKeys: readonly string[]) =>
  kyselyOf(handle)
    .selectFrom('django_users')
    .innerJoin('users', 'users.id', 'django_users.user_id')
    .select(['source_key', 'parts', 'users.id', 'users.is_active'])
    .where('source_key', 'in', sourceKeys)
    .execute()

/** Of several findings about the same, the last one counts. */
export async function putFindings(handle: Handle, findings: readonly Finding[]): Promise<void> {
  // PostgreSQL refuses a statement that writes a row twice.
  const keyOf = ({ source_key, part, what }: Finding) => JSON.stringify([source_key, part, what])
  const last = new Map(findings.map((finding) => [keyOf(finding), finding]))
  // A statement takes a limited number of values.
  for (const some of chunks([...last.values()], 1000)) {
    await kyselyOf(handle)
      .insertInto('django_findings')
      .values(some)
      .onConflict((conflict) =>
        conflict
          .columns(['source_key', 'part', 'what'])
          .doUpdateSet((eb) => ({ why: eb.ref('excluded.why'), kind: eb.ref('excluded.kind') })),
      )
      .execute()
  }
}

export const dropFindings = (handle: Handle, sourceKeys: readonly string[], part: string) =>
  kyselyOf(handle)
    .deleteFrom('django_findings')
    .where('source_key', 'in', sourceKeys)
    .where('part', '=', part)
    .execute()

export const countImportedUsers = one((db) =>
  db.selectFrom('django_users').select((eb) => eb.fn.countAll<number>().as('count')),
)

export const dropFindingsOfKind = change((db, kind: Finding['kind']) =>
  db.deleteFrom('django_findings').where('kind', '=', kind),
)

export const dropFindingsOfUser = change((db, sourceKey: string) =>
  db.deleteFrom('django_findings').where('source_key', '=', sourceKey),
)

export const listFindings = many((db, most: number) =>
  db
    .selectFrom('django_findings')
    .selectAll()
    .orderBy('source_key')
    .orderBy('part')
    .orderBy('what')
    .limit(most),
)

export const countFindings = many((db) =>
  db
    .selectFrom('django_findings')
    .select((eb) => ['kind', eb.fn.countAll<number>().as('count')])
    .groupBy('kind'),
)

/** Users in the order of their ids, with what is stored about their import. */
export const listUsersWithOrigin = many((db, after: number, most: number) =>
  db
    .selectFrom('users')
    .leftJoin('django_users', 'django_users.user_id', 'users.id')
    .selectAll('users')
    .select(['django_users.source_key', 'django_users.parts as source_parts'])
    .where('users.id', '>', after)
    .orderBy('users.id')
    .limit(most),
)

/** A user who was not imported, with an id above this one. */
export const findUserWithoutOrigin = one((db, above: number) =>
  db
    .selectFrom('users')
    .leftJoin('django_users', 'django_users.user_id', 'users.id')
    .select('users.id')
    .where('django_users.source_key', 'is', null)
    .where('users.id', '>', above)
    .limit(1),
)

/** Users who were deleted here, but still existed in the project at the last import. */
export const listDeletedHere = many((db) =>
  db.selectFrom('django_users').select('source_key').where('user_id', 'is', null).limit(10_000),
)

export const findProgress = one((db, name: string) =>
  db.selectFrom('django_import').select('value').where('name', '=', name),
)

export const addProgressIfNone = whether((db, progress: Database['django_import']) =>
  db
    .insertInto('django_import')
    .values(progress)
    .onConflict((conflict) => conflict.column('name').doNothing())
    .returning('name'),
)

/** Locks the row, if it still has this value. */
export const holdProgress = whether((db, name: string, value: string) =>
  db
    .updateTable('django_import')
    .set({ value })
    .where('name', '=', name)
    .where('value', '=', value)
    .returning('name'),
)

export const putProgress = change((db, progress: Database['django_import']) =>
  db
    .insertInto('django_import')
    .values(progress)
    .onConflict((conflict) =>
      conflict.column('name').doUpdateSet((eb) => ({ value: eb.ref('excluded.value') })),
    ),
)

export const findSeenSessions = (handle: Handle, digests: readonly string[]) =>
  kyselyOf(handle)
    .selectFrom('django_sessions')
    .select(['digest', 'expires_at'])
    .where('digest', 'in', digests)
    .execute()

export async function putSeenSessions(
  handle: Handle,
  sessions: readonly Database['django_sessions'][],
): Promise<void> {
  if (sessions.length === 0) return
  await kyselyOf(handle)
    .insertInto('django_sessions')
    .values(sessions)
    .onConflict((conflict) =>
      conflict.column('digest').doUpdateSet((eb) => ({
        seen_in: eb.ref('excluded.seen_in'),
        expires_at: eb.ref('excluded.expires_at'),
      })),
    )
    .execute()
}

/** Imported sessions that the project no longer has. */
export const takeGoneSessions = (handle: Handle, run: number, most: number) =>
  kyselyOf(handle)
    .deleteFrom('django_sessions')
    .where('digest', 'in', (eb) =>
      eb.selectFrom('django_sessions').select('digest').where('seen_in', '<', run).limit(most),
    )
    .returning('digest')
    .execute()
