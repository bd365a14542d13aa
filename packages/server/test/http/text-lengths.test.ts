import { afterAll, afterEach, expect, test, vi } from 'vitest'
import type { Endpoint } from '../../src/http/endpoint.ts'
import { countRows } from '../support/dump.ts'
import { startAuth } from '../support/start-auth.ts'

/** Every text field of every endpoint. The list comes from the endpoints themselves. */
const google = { APP: { client_id: 'app', secret: 'secret' } }
const { auth, request, createUserWithToken, db, mail } = await startAuth(
  {
    REST_AUTH: { USE_JWT: false, OLD_PASSWORD_FIELD_ENABLED: true },
    ACCOUNT: { LOGIN_BY_CODE_ENABLED: true },
    SOCIALACCOUNT: { PROVIDERS: { google } },
  },
  { atTheEnd: afterAll },
)
const withTokens = await startAuth({ REST_AUTH: { USE_JWT: true } }, { atTheEnd: afterAll })
const token = await createUserWithToken('ada')

type TextField = { endpoint: Endpoint; name: string; max: number }

/** The hosted pages have the same forms as the pages below the API. */
const textFields = ({ endpoints }: typeof auth): TextField[] =>
  endpoints()
    .filter(({ atRoot }) => !atRoot)
    .flatMap((endpoint) =>
      Object.entries(endpoint.body ?? {}).flatMap(([name, { schema }]) =>
        schema.type === 'string' ? [{ endpoint, name, max: Number(schema.maxLength) }] : [],
      ),
    )

/** Fields with their own message for a text that is too long. */
const OWN_WORDS: Record<string, string> = {
  uid: 'Invalid value',
  session_id: 'This value does not match the required pattern.',
}
const tooLong = ({ name, max }: TextField) => ({
  [name]: [OWN_WORDS[name] ?? `Ensure this field has no more than ${max} characters.`],
})

/** Texts for which normalising, or reading a domain, takes quadratic time. */
const WORST = {
  'combining marks': 'a\u0300\u0323'.repeat(12_000),
  'marks out of order': `a${'\u0323\u0300'.repeat(15_000)}`,
  'an international domain': `a@${'漢'.repeat(20_000)}`,
  'joined emoji': '👩\u200d👩\u200d👧'.repeat(2_500),
  'compatibility forms': 'ﷺ'.repeat(20_000),
  'a domain of many labels': `a@${'ä.'.repeat(20_000)}com`,
  blanks: ' '.repeat(60_000),
}

let calls = 0
/** Each request comes from another address, so that no limit answers first. */
function send({ endpoint }: TextField, body: object, client = request) {
  calls += 1
  const from = `10.${calls >> 16}.${(calls >> 8) & 255}.${calls & 255}`
  const path = endpoint.path.replace(':id', '1')
  const headers = endpoint.access === 'signed-in' ? { token } : {}
  return client.call(endpoint.method, path, body, { from, ...headers })
}

const named = (fields: TextField[]) =>
  fields.map((field) => [`${field.endpoint.method} ${field.endpoint.path} ${field.name}`, field])
const here = named(textFields(auth)) as [string, TextField][]
const tokens = named(
  textFields(withTokens.auth).filter(({ endpoint }) => endpoint.path.startsWith('token/')),
) as [string, TextField][]

afterEach(() => void vi.restoreAllMocks())

/** All texts that were normalised during the work. */
async function normalisedDuring(work: () => Promise<void>): Promise<number> {
  const normalize = vi.spyOn(String.prototype, 'normalize')
  await work()
  return Math.max(0, ...normalize.mock.contexts.map((text) => String(text).length))
}

test('the table is whole', () => {
  expect(here.length).toBeGreaterThan(35)
  expect(tokens.map(([name]) => name)).toEqual([
    'POST token/verify/ token',
    'POST token/refresh/ refresh',
  ])
  for (const [, { max }] of [...here, ...tokens]) expect(max).toBeGreaterThan(0)
})

test.each([...here])(
  '%s: what is too long is refused, and nothing else is done',
  async (_, field) => {
    const longest = await normalisedDuring(async () => {
      for (const [kind, text] of Object.entries(WORST)) {
        const reply = await send(field, { [field.name]: text })
        expect(reply.status, kind).toBe(400)
        expect(reply.body, kind).toMatchObject(tooLong(field))
      }
    })
    expect(longest).toBeLessThanOrEqual(2 * 254)
  },
)

test.each([...tokens])('%s: so it is with tokens', async (_, field) => {
  for (const text of Object.values(WORST)) {
    const reply = await send(field, { [field.name]: text }, withTokens.request)
    expect(reply).toMatchReply(400, tooLong(field))
  }
})

test.each([...here])(
  '%s: one character too many is refused, the last one is not',
  async (_, field) => {
    const { name, max } = field
    // Characters are counted, not the units that they are stored in.
    for (const character of ['x', '𝒳']) {
      const refused = await send(field, { [name]: character.repeat(max + 1) })
      expect(refused.body).toMatchObject(tooLong(field))
    }
    if (name in OWN_WORDS || endsInDatabase(field)) return
    const taken = await send(field, { [name]: 'x'.repeat(max) })
    expect(taken.body).not.toMatchObject(tooLong(field))
  },
)

/** A good text would be stored in the user and change later tests. */
const endsInDatabase = ({ endpoint }: TextField) => endpoint.path === 'user/'

test('the length of an optional field is checked, too, in forms as in JSON', async () => {
  const type = 'application/x-www-form-urlencoded'
  const body = `username=${'a%CC%80'.repeat(7000)}&password=x`
  expect(await request.post('login/', body, { type })).toMatchReply(400, {
    username: ['Ensure this field has no more than 254 characters.'],
  })
})

test('nothing of all that is kept', async () => {
  const { username } = await db.selectFrom('users').selectAll().executeTakeFirstOrThrow()
  expect(username).toBe('ada')
  expect(await countRows(db, 'users')).toBe(1)
  expect(await mail.letters()).toEqual([])
})
