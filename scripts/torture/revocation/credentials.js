import { PASSWORD } from '../parts/visitors.js'

/**
 * Every kind of credential: how to send it, and how to see that it is good. `login` is which of two logins it
 * belongs to, if it belongs to one: the first one ends something, the second one is elsewhere.
 */
export const KINDS = {
  access: (login) => ({ authorization: `Bearer ${login.access}` }),
  session: (login) => ({ cookie: `sessionid=${login.session}` }),
}

/** Whether the service accepts it on the instance `i`. */
export async function isGood(people, credential, i) {
  const { status } = credential.refresh
    ? await people.ask('POST', 'token/verify/', { body: { token: credential.refresh }, i })
    : await people.ask('GET', 'user/', { headers: credential.headers, i })
  if (status === 200) return true
  if (status === 401) return false
  throw new Error(`${credential.name} on instance ${i + 1} was answered with ${status}.`)
}

/** What one person can have: two logins, the key of a token, and a key for programs. */
export async function everyCredential(people, tokenPeople) {
  const person = await people.create()
  const here = await logIn(people, person)
  const there = await logIn(people, person)
  const { key } = await tokenPeople.need('POST', 'login/', { body: bodyOf(person) })
  const apiKey = await people.need('POST', 'tokens/', {
    body: { name: 'program', scopes: ['user:read'] },
    access: here.access,
  })
  const credentials = [
    ...ofLogin('own', here),
    ...ofLogin('other', there),
    { name: 'token', headers: { authorization: `Token ${key}` } },
    { name: 'api key', headers: { authorization: `Token ${apiKey.key}` } },
  ]
  return { person: { ...person, ...here, apiKeyId: apiKey.id }, credentials }
}

const ofLogin = (whose, login) => [
  ...Object.entries(KINDS).map(([kind, headers]) => ({
    ...{ name: `${whose} ${kind}`, headers: headers(login) },
  })),
  { name: `${whose} refresh`, refresh: login.refresh },
]

const bodyOf = ({ username }) => ({ username, password: PASSWORD })

async function logIn(people, person) {
  const reply = await people.ask('POST', 'login/', { body: bodyOf(person) })
  const cookies = String(reply.headers['set-cookie'])
  return { ...reply.body, session: /sessionid=([^;]+)/.exec(cookies)[1] }
}
