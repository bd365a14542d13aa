import { inPages } from '../../storage/pages.ts'
import { command } from '../command.ts'
import { writeAll } from '../io.ts'
import { settingsOptions } from '../load-settings.ts'
import { table } from '../output.ts'
import { type Operations, withOperations } from '../with-operations.ts'
import { type UserJson, userJson, yesOrNo } from './user-json.ts'

const PAGE_SIZE = 500
const HEADER = ['PK', 'USERNAME', 'EMAIL', 'VERIFIED', 'ACTIVE', 'JOINED', 'LAST LOGIN']

export const userList = command({
  options: settingsOptions,
  async run(call) {
    const { stdout } = call.io
    const format = call.json ? asJson : asTable
    await withOperations(call, async (operations) => {
      for await (const text of format(pagesOf(operations))) await writeAll(stdout, text)
    })
  },
})

async function* pagesOf({ list, valuesOf }: Operations): AsyncGenerator<UserJson[]> {
  for await (const users of inPages((after) => list(after, PAGE_SIZE))) {
    yield users.map((user) => ({ ...userJson(user), ...valuesOf(user) }))
  }
}

async function* asJson(pages: AsyncIterable<UserJson[]>): AsyncGenerator<string> {
  let before = '['
  for await (const page of pages) {
    for (const user of page) {
      yield `${before}\n  ${JSON.stringify(user)}`
      before = ','
    }
  }
  yield before === '[' ? '[]\n' : '\n]\n'
}

async function* asTable(pages: AsyncIterable<UserJson[]>): AsyncGenerator<string> {
  let header = [HEADER]
  for await (const page of pages) {
    yield table([...header, ...page.map(rowOf)])
    header = []
  }
  if (header.length > 0) yield table(header)
}

const rowOf = (user: UserJson): string[] => [
  String(user.pk),
  user.username,
  user.email || '-',
  yesOrNo(user.email_verified),
  yesOrNo(user.is_active),
  user.date_joined,
  user.last_login ?? '-',
]
