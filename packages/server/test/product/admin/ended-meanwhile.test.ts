import { expect, test } from 'vitest'
import { transaction } from '../../../src/storage/transaction.ts'
import { createOperatorKey, sent, setUpApp, startAdmin } from '../../support/admin.ts'
import { countRows } from '../../support/dump.ts'
import { interruptedHasher } from '../../support/hashers.ts'
import { bearer } from '../../support/jwt.ts'

/** A session or key of an operator is stolen, and ended while a request of the thief hashes. */
const PASSWORD = 'now it is mine alone'
const NEWCOMER = { username: 'evil', password: PASSWORD, is_superuser: true }

async function startRobbed() {
  const { hasher, during } = interruptedHasher()
  const started = await startAdmin({}, { hasher })
  const root = await started.createOperator('root')
  const ada = await started.createUser({ username: 'ada' })
  return { ...started, root, ada, during }
}

test('an operator with a new password: the session makes no superuser', async () => {
  const started = await startRobbed()
  const { administration, root, during, db } = started
  const { browser } = await setUpApp(started, 'root')
  during(() => administration.setPassword(root, 'one that nobody has stolen'))
  expect((await browser.post('users/', NEWCOMER, sent(browser))).status).toBe(401)
  expect(await countRows(db, 'users')).toBe(2)
})

test('a key that is revoked sets no password', async () => {
  const started = await startRobbed()
  const { auth, handle, ada, during, findUser, newVisitor } = started
  const key = await createOperatorKey(started, ['users'])
  during(() => transaction(handle, (tx) => auth.services.adminKeys.revoke(1, tx)))
  const path = `users/${ada.id}/set-password/`
  const reply = await newVisitor().post(path, { password: PASSWORD }, bearer(key))
  expect(reply).toMatchReply(401, { detail: 'Invalid admin key.' })
  expect((await findUser('ada')).password).toBe(ada.password)
})
