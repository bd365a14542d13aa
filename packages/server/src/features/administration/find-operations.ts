import { optional, text } from '../../http/fields.ts'
import { moment } from '../../http/user-field.ts'
import { findUsers, USER_STATES } from '../users/find-users.ts'
import { choice, pk } from './fields-of-operations.ts'
import { LIMIT, LIST, listOf, type Needs, operation, page } from './operation.ts'
import { LOOK } from './rules.ts'

const SORTS = [
  'date_joined',
  '-date_joined',
  'last_login',
  '-last_login',
  'username',
  '-username',
] as const

const QUERY_MAX = 254

const orderOf = (sort: (typeof SORTS)[number]) =>
  ({
    by: COLUMNS[sort.replace('-', '') as keyof typeof COLUMNS],
    down: sort.startsWith('-'),
  }) as const

const COLUMNS = { date_joined: 'joined', last_login: 'last_login', username: 'username' } as const

export function findOperations({ db, answerAccount, findTarget, cursors }: Needs) {
  return {
    'users.find': operation({
      ...LOOK,
      ...LIST,
      path: 'users/',
      summary: 'Find and list users',
      exportEvent: 'users_exported',
      input: {
        q: optional(text({ max: QUERY_MAX, mayBeBlank: true })),
        state: optional(choice(USER_STATES)),
        since: optional(moment()),
        sort: optional(choice(SORTS)),
        ...page,
      },
      output: listOf(answerAccount.schema),
      async run(_actor, { limit = LIMIT, after, sort = '-date_joined', ...filter }) {
        const cursor = cursors('users', { sort, ...filter })
        const [key, id] = cursor.read(after)
        const { users, next } = await findUsers(db, {
          text: filter.q ?? '',
          state: filter.state,
          since: filter.since,
          order: orderOf(sort),
          after: key === undefined ? null : { key, id: Number(id) },
          count: limit,
        })
        const results = await answerAccount.all(users)
        return { results, next: cursor.write(next && [next.key, next.id]) }
      },
    }),

    'users.show': operation({
      ...LOOK,
      method: 'GET',
      path: 'users/:pk/',
      summary: 'Show a user with everything that operators may know',
      input: { pk: pk() },
      output: answerAccount.wholeSchema,
      run: async (_actor, input) => answerAccount.whole(await findTarget(input.pk)),
    }),
  }
}
