import { describe, expect, onTestFinished, test } from 'vitest'
import { createAuth, RequestRefused } from '../../../src/index.ts'
import { UNAVAILABLE } from '../../support/answers.ts'
import { callerOf, embed, SIGNUP } from '../../support/embed.ts'
import { emptyDatabase } from '../../support/new-database.ts'
import { onPostgres } from '../../support/postgres.ts'
import { SECRET_KEY } from '../../support/start-auth.ts'
import { startTcpProxy } from '../../support/tcp-proxy.ts'

const requestTo = (path: string, init?: RequestInit) =>
  new Request(`http://localhost:8000${path}`, init)

const asking = (authorization: string) => requestTo('/', { headers: { authorization } })

test('a user who is deleted is nobody from then on', async () => {
  const { auth } = await embed({ ACCOUNT: { DELETION: true } })
  const send = (path: string, init?: RequestInit) => auth.fetch(requestTo(path, init))
  const browser = callerOf(send, { api: '/auth/' })
  const { body: login } = await browser.post('registration/', SIGNUP)
  expect(await auth.identify(asking(`Token ${login.key}`))).not.toBeNull()
  const left = await browser.post('account/delete/', { password: SIGNUP.password1 })
  expect(left.status).toBe(200)
  expect(await auth.identify(asking(`Token ${login.key}`))).toBeNull()
})

describe.runIf(onPostgres)('without the database', () => {
  test('identify rejects with 503, and guards answer so', async () => {
    const url = await emptyDatabase(onTestFinished)
    const proxy = await startTcpProxy(url)
    const said: string[] = []
    const log = { info() {}, error() {}, warn: (_: object, text: string) => void said.push(text) }
    const auth = await createAuth({ SECRET_KEY, DATABASE_URL: proxy.url }, { log })
    onTestFinished(() => auth.close())
    const request = () => asking(`Token ${'f'.repeat(40)}`)
    expect(await auth.identify(request())).toBeNull()

    proxy.cut()
    await expect(auth.identify(request())).rejects.toMatchObject({ status: 503 })
    const refusal = await auth.requireUser(request()).catch((thrown) => thrown)
    expect(refusal).toBeInstanceOf(RequestRefused)
    expect(refusal.status).toBe(503)
    const answer = refusal.getResponse()
    expect([answer.status, await answer.json()]).toEqual([503, UNAVAILABLE])
    expect(answer.headers.get('retry-after')).toMatch(/^\d+$/)
    expect(said).toContain('unavailable')
  })
})
