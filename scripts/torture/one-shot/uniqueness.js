import { createAuthenticator } from '../parts/authenticator.js'
import { PASSWORD } from '../parts/visitors.js'

const signUp = (username, email) => ({
  ...{ username, email, password1: PASSWORD, password2: PASSWORD },
})

/** What only one account may have. `crowd` are people who are signed in. */
export const uniqueness = [
  {
    name: 'username at sign-up',
    make: async (_, { round }) => `rival${round}`,
    use: (people, name, i) =>
      people.ask('POST', 'registration/', { body: signUp(name, `${name}n${i}@example.com`), i }),
  },
  {
    name: 'address at sign-up',
    make: async (_, { round }) => `heir${round}`,
    use: (people, name, i) =>
      people.ask('POST', 'registration/', {
        body: signUp(`${name}n${i}`, `${name}@example.com`),
        i,
      }),
  },
  {
    name: 'username of several users',
    make: async (_, { round, crowd }) => ({ username: `wanted${round}`, crowd }),
    use: (people, { username, crowd }, i) =>
      people.ask('PATCH', 'user/', { body: { username }, access: crowd[i].access, i }),
  },
  {
    name: 'username that operators give',
    make: async (_, { round, crowd }) => ({ username: `given${round}`, crowd }),
    use: (people, { username, crowd }, i) =>
      people.change(`users/${crowd[i].pk}/`, { username }, i),
  },
  {
    name: 'address of several users',
    async make(people, { round, crowd }) {
      const email = `shared${process.pid}x${round}@example.com`
      const body = { email, password: PASSWORD }
      await people.many(crowd.length, (i) =>
        people.need('POST', 'email/change/', { body, access: crowd[i].access }),
      )
      const keys = []
      for (const _ of crowd) keys.push((await people.mailed('change', email))[0])
      return { keys }
    },
    use: (people, { keys }, i) =>
      people.ask('POST', 'email/change/confirm/', { body: { key: keys[i] }, i }),
  },
  {
    name: 'unique field of users',
    make: async (_, { round, crowd }) => ({ badge: `badge ${round}`, crowd }),
    use: (people, { badge, crowd }, i) =>
      people.ask('PATCH', 'user/', { body: { badge }, access: crowd[i].access, i }),
  },
  {
    name: 'credential of a passkey',
    async make(people, { crowd }) {
      const authenticator = createAuthenticator(people.origin)
      const begin = ({ access }) =>
        people.need('POST', 'passkeys/register/begin/', { body: {}, access })
      const options = await Promise.all(crowd.map(begin))
      return { crowd, credentials: options.map((one) => authenticator.create(one)) }
    },
    use(people, { crowd, credentials }, i) {
      const body = { credential: credentials[i] }
      const { access } = crowd[i]
      return people.ask('POST', 'passkeys/register/complete/', { body, access, i })
    },
  },
  {
    name: 'account at an identity provider',
    make: async (_, { round, crowd }) => ({ sub: `elsewhere-${round}`, crowd }),
    use: (people, { sub, crowd }, i) =>
      people.ask('POST', 'acme/connect/', {
        ...{ body: { code: people.idp.codeOf(sub) }, access: crowd[i].access, i },
      }),
  },
]
