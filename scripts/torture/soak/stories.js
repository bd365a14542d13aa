import { PASSWORD } from '../parts/visitors.js'

/** People who register and leave again take turns with these names. */
const NAMES = 1000
const LOOKUPS = 20
const WEAK = { username: 'nobody', password: 'wrong' }

/**
 * What happens in a soak: `requests` is how many each story sends, `share` how often it is told. Nothing that they
 * leave behind lasts: accounts are deleted, and everything else expires.
 */
export const stories = [
  {
    name: 'a visit',
    share: 20,
    requests: LOOKUPS + 5,
    async play({ people, residents }, n) {
      const { username } = residents[n % residents.length]
      const { refresh } = await people.need('POST', 'login/', {
        body: { username, password: PASSWORD },
      })
      const { access } = await people.need('POST', 'token/refresh/', { body: { refresh } })
      for (let i = 0; i < LOOKUPS; i++) await people.need('GET', 'user/', { access })
      await people.need('PATCH', 'user/', { access, body: { first_name: `Visit ${n}` } })
      await people.need('GET', 'sessions/', { access })
      await people.need('POST', 'logout/', { access, body: {} })
    },
  },
  {
    name: 'a visit that nobody ends',
    share: 4,
    requests: 2,
    async play({ people, residents }, n) {
      const { username } = residents[n % residents.length]
      const { access } = await people.need('POST', 'login/', {
        body: { username, password: PASSWORD },
      })
      await people.need('POST', 'token/verify/', { body: { token: access } })
    },
  },
  {
    name: 'an account for a moment',
    share: 2,
    requests: 2,
    async play({ people }, n) {
      const username = `guest${n % NAMES}`
      const passwords = { password1: PASSWORD, password2: PASSWORD }
      const body = { username, email: `${username}@example.com`, ...passwords }
      const { access } = await people.need('POST', 'registration/', { body })
      await people.need('POST', 'account/delete/', { access, body: { password: PASSWORD } })
    },
  },
  {
    name: 'a login that stops at the second factor',
    share: 2,
    requests: 1,
    play: ({ people, careful: { username } }) =>
      people.need('POST', 'login/', { body: { username, password: PASSWORD } }),
  },
  {
    name: 'a social login',
    share: 2,
    requests: 1,
    play: ({ people }, n) =>
      people.need('POST', 'acme/', { body: { code: people.idp.codeOf(`friend${n % NAMES}`) } }),
  },
  ...[
    ['a forgotten password', 'password/reset/'],
    ['a login code', 'login/code/'],
  ].map(([name, path]) => ({
    ...{ name, share: 2, requests: 1 },
    play: ({ people, residents }, n) =>
      people.need('POST', path, { body: { email: residents[n % residents.length].email } }),
  })),
  {
    name: 'a passkey that never comes',
    share: 2,
    requests: 1,
    play: ({ people }) => people.need('POST', 'passkeys/login/begin/', { body: {} }),
  },
  ...[
    ['a wrong password', 400, 'POST', 'login/', { body: WEAK }],
    ['no JSON', 400, 'POST', 'login/', { body: '{' }],
    ['no credential', 401, 'GET', 'user/', { access: 'none' }],
    ['no such path', 404, 'GET', 'nowhere/', {}],
  ].map(([name, status, method, path, options]) => ({
    ...{ name, share: 2, requests: 1 },
    async play({ people }) {
      const reply = await people.ask(method, path, options)
      if (reply.status !== status) throw new Error(`${name}: ${reply.status} ${reply.text}`)
    },
  })),
]

/** Each story as often as its share says, in an order that mixes them. */
export const TURNS = stories
  .flatMap((story) =>
    Array.from({ length: story.share }, (_, i) => [(i + 0.5) / story.share, story]),
  )
  .toSorted(([a], [b]) => a - b)
  .map(([, story]) => story)
