import { pkOf } from '../../core/identity.ts'
import { shownEvent } from '../../features/audit/audit.ts'
import type { AdminUserDetails } from '../../kernel/admin-answers.ts'
import { isObject } from '../../kernel/json-object.ts'
import { AUDIT_COLUMNS } from '../audit.ts'
import { command } from '../command.ts'
import { cellOf, listing, table } from '../output.ts'
import { withOperations } from '../with-operations.ts'
import { findUser, pkIn, USER, userCommand, userOptions } from './with-user.ts'

const LATEST = 20

/** A user with everything that operators may know of them. */
export const userShow = userCommand({}, async (call, user, operations) => {
  const answer = (await operations.run('users.show', user)) as AdminUserDetails
  const { audit } = operations.services
  const history = (await audit.newestOfUser(user.id, LATEST)).map(shownEvent)
  const shown = { ...operations.flat(answer), history }
  const [rows, parts]: [string[][], string[]] = [[], []]
  for (const [name, value] of Object.entries(shown)) {
    if (isPart(value)) parts.push(`\n${name}\n${textOf(value)}`)
    else rows.push([name, cellOf(value)])
  }
  call.say(`${table(rows)}${parts.join('')}`.trimEnd(), shown)
})

type Part = Readonly<Record<string, unknown>>

/** What needs a table of its own: an object, or a list of objects. */
const isPart = (value: unknown): value is Part | readonly Part[] =>
  isObject(Array.isArray(value) ? value[0] : value)

function textOf(part: Part | readonly Part[]): string {
  const isList = Array.isArray(part)
  const names = isList ? [...new Set(part.flatMap((row: Part) => Object.keys(row)))] : []
  const rows = isList
    ? [names, ...part.map((row: Part) => names.map((name) => row[name]))]
    : Object.entries(part)
  return table(rows.map((row: unknown[]) => row.map(cellOf)))
}

const HISTORY_LENGTH = 200

/** Also of a deleted user, whose pk is still known. */
export const userHistory = command({
  argument: USER,
  options: userOptions,
  run: (call) =>
    withOperations(call, async (operations) => {
      const { pk } = call.values
      const user = pk === undefined ? pkOf(await findUser(call, operations)) : pkIn(pk)
      const wanted = { user, limit: HISTORY_LENGTH }
      const { results } = await operations.run('audit.find', null, wanted)
      // Refuses a pk that nobody has ever had.
      if (pk !== undefined && results.length === 0) await findUser(call, operations)
      const { USER: _, ...columns } = AUDIT_COLUMNS
      call.say(listing(columns, results, 'Nothing is recorded.'), results)
    }),
})
