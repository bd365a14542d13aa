import { PASSWORD } from '../parts/visitors.js'

/** Sends the address of somebody who exists, or one that nobody has. */
const byAddress = (name, path, prepare) => ({
  name,
  prepare,
  ask: (people, known, chance) =>
    people.ask('POST', path, { body: { email: known?.email ?? `nobody${chance}@example.com` } }),
})

const strangers = (chance) => `nobody${chance}`

/** Every public question about a person. `known` is null for the class of people who do not exist. */
export const cases = [
  {
    name: 'login, wrong password',
    prepare: (people) => people.create(),
    ask: (people, known, chance) =>
      people.ask('POST', 'login/', {
        body: { username: known?.username ?? strangers(chance), password: 'wrong' },
      }),
  },
  {
    name: 'login, inactive user with the right password',
    async prepare(people) {
      const person = await people.create()
      await people.operate(`users/${person.pk}/deactivate/`, {})
      return person
    },
    ask: (people, known, chance) =>
      people.ask('POST', 'login/', {
        body: { email: known?.email ?? `${strangers(chance)}@example.com`, password: PASSWORD },
      }),
  },
  byAddress('reset mail', 'password/reset/', (people) => people.create()),
  byAddress('verification mail', 'registration/resend-email/', (people) =>
    people.create({ verified: false }),
  ),
  byAddress('login code', 'login/code/', (people) => people.create()),
  {
    name: 'wrong login code',
    prepare: (people) => people.create(),
    async ask(people, known, chance) {
      const email = known?.email ?? `${strangers(chance)}@example.com`
      const { session_id } = await people.need('POST', 'login/code/', { body: { email } })
      return people.ask('POST', 'login/code/confirm/', { body: { session_id, code: '1' } })
    },
  },
  {
    name: 'passkey login',
    prepare: (people) => people.withPasskey(),
    ask: (people, known, chance) =>
      people.ask('POST', 'passkeys/login/begin/', {
        body: { username: known?.username ?? strangers(chance) },
      }),
  },
]
