import { createAuthenticator } from './authenticator.js'
import { totpCode } from './totp.js'

export const PASSWORD = 'Nn-5566-yy-lantern'
/** `PUBLIC_URL`, for which passkeys are made. */
export const ORIGIN = 'http://localhost:8000'

const LINKS = {
  reset: /\/account\/password\/reset\/(\w+)\/([\w-]+)/,
  confirm: /\/account\/confirm\/([\w-]+)/,
  change: /\/account\/email\/confirm\/([\w-]+)/,
  invitation: /\/account\/invitation\/([\w-]+)/,
  code: /^(\d{3}(?: \d{3})+)\r?$/m,
}

const AT_A_TIME = 16

let count = 0

/**
 * People who use the service, each request from an address of its own and, by its number, to one of
 * the instances. Operators make them by the admin API, which is on the same listeners unless `adminUrl`
 * says otherwise. `latchkey test` has its own clock, origin and way to make people.
 */
export function createPeople({ client, urls, adminUrl, mailbox, adminKey, idp, ...own }) {
  const { now = Date.now, origin = ORIGIN, create = createByOperator } = own
  const urlOf = (i) => urls[i % urls.length]

  function ask(method, path, { body, access, i = 0, headers = {} } = {}) {
    count += 1
    const address = `10.${(count >> 16) & 255}.${(count >> 8) & 255}.${count & 255}`
    const credential = access && { authorization: `Bearer ${access}` }
    const url = new URL(path, path.startsWith('/admin/') ? (adminUrl ?? urlOf(i)) : urlOf(i))
    return client.ask(method, url, {
      body,
      headers: { 'x-forwarded-for': address, ...credential, ...headers },
    })
  }

  /** Everything that prepares a proof must succeed. */
  async function need(method, path, options) {
    const reply = await ask(method, path, options)
    if (reply.status >= 200 && reply.status < 300) return reply.body
    throw new Error(`${method} ${path} answered ${reply.status}: ${reply.text.slice(0, 200)}`)
  }

  /** What an operator changes. */
  const change = (path, body, i) =>
    ask('PATCH', `/admin/api/${path}`, { body, access: adminKey, i })
  const operateBy = (method, path, body) =>
    need(method, `/admin/api/${path}`, { body, access: adminKey })
  const operate = (path, body) => operateBy('POST', path, body)

  async function createByOperator({ verified = true } = {}) {
    count += 1
    const username = `person${process.pid}x${count}`
    const email = `${username}@example.com`
    const { pk } = await operate('users/', { username, email, verified, password: PASSWORD })
    return { pk, username, email }
  }

  async function signIn(person) {
    const { username } = person
    const login = await need('POST', 'login/', { body: { username, password: PASSWORD } })
    return Object.assign(person, login)
  }

  const people = {
    ask,
    need,
    operate,
    operateBy,
    /** The answer to an operator as it is, which may be no JSON. */
    operateText: (path) => ask('GET', `/admin/api/${path}`, { access: adminKey }),
    change,
    idp,
    now,
    origin,
    create,
    signIn,
    signedIn: async () => signIn(await create()),
    /** Some at a time: passwords that one operator sets may not take all the places of those who wait. */
    async many(number, make) {
      const made = []
      while (made.length < number) {
        const from = made.length
        const some = Array.from({ length: Math.min(AT_A_TIME, number - from) })
        made.push(...(await Promise.all(some.map((_, i) => make(from + i)))))
      }
      return made
    },

    /** A signed-in person with an authenticator app; its next code is not spent. */
    async withTotp() {
      const person = await people.signedIn()
      const { access } = person
      const { secret, activation_token } = await need('GET', 'mfa/totp/activate/', { access })
      const activate = (how) => {
        const body = { activation_token, code: totpCode(secret, { steps: -1, now: now() }) }
        return how('POST', 'mfa/totp/activate/', { body, access })
      }
      // A new step may begin on the way, and the code is then too old.
      const { status, body } = await activate(ask)
      const { recovery_codes } = status === 400 ? await activate(need) : body
      return Object.assign(person, { secret, recovery_codes })
    },

    async withPasskey() {
      const person = await people.signedIn()
      const { access } = person
      const authenticator = createAuthenticator(origin)
      const options = await need('POST', 'passkeys/register/begin/', { body: {}, access })
      const body = { credential: authenticator.create(options) }
      await need('POST', 'passkeys/register/complete/', { body, access })
      return Object.assign(person, { authenticator })
    },

    /** The newest text of that kind in a mail. */
    mailed: async (kind, address) => (await mailbox.find(address, LINKS[kind])).slice(1),

    async resetLink(person) {
      await need('POST', 'password/reset/', { body: { email: person.email } })
      const [uid, token] = await people.mailed('reset', person.email)
      return { uid, token }
    },

    /** How many are not delivered yet. */
    async waitingMails() {
      const { results } = await operateBy('GET', 'mails/')
      return results.filter(({ state }) => state === 'queued').length
    },

    async invitation(email) {
      await operate('invitations/', { email })
      const [key] = await people.mailed('invitation', email)
      return key
    },
  }
  return people
}
