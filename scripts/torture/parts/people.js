import { createApi } from './api.js'
import { totpCode } from './totp.js'
import { PASSWORD } from './visitors.js'

/** Of `createUser`. */
const HOST_PASSWORD = 'a-good-password'
const NEXT_PASSWORD = 'Oo-7788-zz-lantern'

/** Settings with which people can do everything here. They come by invitation. */
export const peopleSettings = {
  ACCOUNT_SIGNUP: 'invited',
  INVITATIONS_BY_USERS: 'true',
  ACCOUNT_RATE_LIMITS: JSON.stringify({
    signup: '100000/m/ip',
    invitation_mail: '100000/m/user',
    notice_mail: '1000/m/key',
  }),
}

/**
 * What people do, and how to see later that it was done: `act` returns the answer, and `holds` gets what
 * `look` has seen. `letter` is the address that gets a mail for it, `event` what receivers hear.
 */
const effects = {
  'let in': {
    act: (person) => person.askHost(),
    // Seen by the letter, and by those who register with it.
    holds: () => true,
    letter: ({ email }) => email,
  },
  registered: {
    act: (person) => person.register(),
    holds: ({ user }) => user.status === 200,
    event: ({ username }) => `registered ${username}`,
  },
  renamed: {
    act: (person) => person.rename(),
    holds: ({ user }, { names }) => names.includes(user.body?.first_name),
  },
  invited: {
    act: (person) => person.post('invitations/', { email: person.guest }),
    holds: ({ invitations }, { guest }) => invitations.text.includes(guest),
    letter: ({ guest }) => guest,
  },
  'second factor on': {
    act: (person) => person.activateMfa(),
    holds: ({ mfa }) => mfa.body?.mfa_enabled === true,
    event: ({ username }) => `mfaChanged ${username}`,
  },
  'password changed': {
    act: (person) => person.changePassword(),
    holds: ({ login }) => login?.status === 200,
    event: ({ username }) => `passwordChanged ${username}`,
  },
  'logged out': {
    act: (person) => person.post('logout/', {}),
    holds: ({ first }) => first.status === 401,
  },
}

const STORIES = [
  ['let in', 'registered', 'renamed', 'invited', 'second factor on', 'renamed', 'renamed'],
  ['let in', 'registered', 'renamed', 'invited', 'password changed', 'logged out'],
]

/** The user who lets everybody in. */
export async function createHost(service) {
  await service.createUser('host', '--email', 'host@example.com', '--verified')
  const api = createApi(service.url)
  const { body } = await api.post('login/', { body: { username: 'host', password: HOST_PASSWORD } })
  api.close()
  return body.key
}

/** Clients who play one person after the other until they are stopped or get no answer. */
export function startPeople({ url, host, mail, clients, prefix }) {
  const api = createApi(url)
  const people = []
  let isOver = false

  async function play(client) {
    for (let n = client; !isOver; n += clients) {
      const person = newPerson({ api, host, mail, isOver: () => isOver }, `${prefix}n${n}`)
      people.push(person)
      for (const name of STORIES[Math.floor(n / clients + client) % STORIES.length]) {
        person.tries = name
        const { status, text } = await effects[name].act(person)
        // Nobody knows whether it was done.
        if (status === 'lost' || status === 503) return
        if (!(status < 400)) throw new Error(`${name}: ${status} ${text}`)
        person.done.push(name)
        person.tries = null
        if (isOver) return
      }
    }
  }

  const playing = Promise.all(Array.from({ length: clients }, (_, client) => play(client)))
  // Thrown again by `stop`.
  playing.catch(() => {})
  return {
    async stop() {
      isOver = true
      await playing
      api.close()
      return people
    },
  }
}

/** What was acknowledged to these people and is lost, in words. */
export async function lostAmong(people, url) {
  const api = createApi(url)
  const lost = []
  for (const person of people) lost.push(...(await lostOf(person, api)))
  api.close()
  return lost
}

async function lostOf(person, api) {
  if (!person.done.includes('registered')) return []
  const seen = await look(api, person)
  return [...new Set(person.done)]
    .filter((name) => !effects[name].holds(seen, person))
    .map((name) => `${person.username}: ${name}`)
}

/** The addresses (`letter`) or events (`event`) that must have come for what was acknowledged. */
export const owed = (kind, people) =>
  people.flatMap((person) => person.done.flatMap((name) => effects[name][kind]?.(person) ?? []))

async function look(api, person) {
  const { username, password } = person
  const first = await api.get('user/', { token: person.key })
  const mustLogIn = first.status !== 200 || person.done.includes('password changed')
  const login = mustLogIn ? await api.post('login/', { body: { username, password } }) : null
  const token = login?.body?.key ?? person.key
  const [user, mfa, invitations] = await Promise.all(
    ['user/', 'mfa/status/', 'invitations/'].map((path) => api.get(path, { token })),
  )
  return { first, login, user, mfa, invitations }
}

function newPerson({ api, host, mail, isOver }, username) {
  return {
    username,
    email: `${username}@example.com`,
    guest: `guest-of-${username}@example.com`,
    password: PASSWORD,
    /** The first name is one of these: the last that was acknowledged, or one that was sent after it. */
    names: [''],
    done: [],
    /** What was sent and not answered yet. */
    tries: null,

    post(path, body) {
      return api.post(path, { body, token: this.key })
    },
    askHost() {
      return api.post('invitations/', { body: { email: this.email }, token: host })
    },
    async register() {
      const { email, password } = this
      const found = await mail.find(email, /invitation\/([\w-]+)/, isOver)
      if (!found) return { status: 'lost' }
      const passwords = { password1: password, password2: password }
      const body = { username, email, ...passwords, invitation: found[1] }
      const reply = await api.post('registration/', { body })
      this.key = reply.body?.key
      return reply
    },
    async rename() {
      const next = `name ${this.done.length}`
      this.names.push(next)
      const reply = await api.patch('user/', { body: { first_name: next }, token: this.key })
      if (reply.status === 200) this.names = [next]
      return reply
    },
    async activateMfa() {
      const offer = await api.get('mfa/totp/activate/', { token: this.key })
      if (offer.status !== 200) return offer
      const { secret, activation_token } = offer.body
      return this.post('mfa/totp/activate/', { activation_token, code: totpCode(secret) })
    },
    async changePassword() {
      const body = { new_password1: NEXT_PASSWORD, new_password2: NEXT_PASSWORD }
      const reply = await this.post('password/change/', body)
      if (reply.status === 200) this.password = NEXT_PASSWORD
      return reply
    },
  }
}
