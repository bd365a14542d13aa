import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { startAuth } from '../support/start-auth.ts'

test('the stack of an error of the database leads to the code that asked', async () => {
  const { db } = await startAuth()
  const asked = async () => await sql`select ${1} from nowhere`.execute(db)
  const error = await asked().catch((thrown: Error) => thrown)
  expect((error as Error).message).toMatch(/nowhere/)
  expect((error as Error).stack).toContain('error-stacks.test.ts')
})
