import { PASSWORD } from '../parts/visitors.js'

/** Sends the address of a person. */
const byAddress = (name, path, prepare) => ({
  name,
  prepare,
  ask: (people, { email }) => people.ask('POST', path, { body: { email } }),
})

const nobody = (chance) => {
  const username = `nobody${chance}`
  return { username, email: `${username}@example.com` }
}

/**
 * Every public question about a person. `prepare` makes somebody who exists. `strangers` makes people who do not, by
 * a number: another one for each question, unless the answer depends on what was asked before, or on the name.
 */
export const cases = [
  {
    name: 'login, wrong password',
    prepare: (people) => people.create(),
    ask: (people, { username }) =>
      people.ask('POST', 'login/', { body: { username, password: 'wrong' } }),
  },
  {
    name: 'login, inactive user with the right password',
    async prepare(people) {
      const person = await people.create()
      await people.operate(`users/${person.pk}/deactivate/`, {})
      return person
    },
    ask: (people, { email }) =>
      people.ask('POST', 'login/', { body: { email, password: PASSWORD } }),
  },
  byAddress('reset mail', 'password/reset/', (people) => people.create()),
  byAddress('verification mail', 'registration/resend-email/', (people) =>
    people.create({ verified: false }),
  ),
  byAddress('login code', 'login/code/', (people) => people.create()),
  {
    name: 'wrong login code',
    prepare: (people) => people.create(),
    // Ten wrong codes a day make the next one cheaper, for a name that nobody has, too.
    strangers: () => () => nobody(0),
    async ask(people, { email }) {
      const { session_id } = await people.need('POST', 'login/code/', { body: { email } })
      return people.ask('POST', 'login/code/confirm/', { body: { session_id, code: '1' } })
    },
  },
  {
    name: 'passkey login',
    prepare: (people) => people.withPasskey(),
    // The caller sees how long the list is, and a longer one takes longer.
    async strangers(people, known) {
      const count = await countPasskeys(people, known)
      const alike = []
      for (let chance = 0; alike.length < STRANGERS; chance++) {
        const stranger = nobody(chance)
        if ((await countPasskeys(people, stranger)) === count) alike.push(stranger)
      }
      return (chance) => alike[chance % alike.length]
    },
    ask: beginPasskeyLogin,
  },
].map((one) => ({ strangers: () => nobody, ...one }))

const STRANGERS = 100

function beginPasskeyLogin(people, { username }) {
  return people.ask('POST', 'passkeys/login/begin/', { body: { username } })
}

async function countPasskeys(people, person) {
  const { body } = await beginPasskeyLogin(people, person)
  return body.allowCredentials.length
}
