import { lendAccount } from '../parts/operator.js'
import { PASSWORD } from '../parts/visitors.js'

const NEW = { new_password1: 'Qq-7788-zz-harbour', new_password2: 'Qq-7788-zz-harbour' }
const SCRIPT = { accept: '*/*' }

/** A key that has one door for its body, and one for its path: by turns. */
const throughBothDoors = (people, { key }, i, { body, path }) =>
  i % 2 === 0
    ? people.ask('POST', body, { body: { key }, i })
    : people.ask('POST', `${path}${key}/`, { body: {}, headers: SCRIPT, i })

/** What mails carry. */
export const links = [
  {
    name: 'reset link',
    make: async (people) => people.resetLink(await people.create()),
    use: (people, { uid, token }, i) =>
      i % 2 === 0
        ? people.ask('POST', 'password/reset/confirm/', { body: { uid, token, ...NEW }, i })
        : people.ask('POST', `password/reset/confirm/${uid}/${token}/`, {
            ...{ body: NEW, headers: SCRIPT, i },
          }),
  },
  {
    name: 'key of a verification mail',
    async make(people) {
      const { email } = await people.create({ verified: false })
      await people.need('POST', 'registration/resend-email/', { body: { email } })
      const [key] = await people.mailed('confirm', email)
      return { key }
    },
    use: (people, thing, i) =>
      throughBothDoors(people, thing, i, {
        body: 'registration/verify-email/',
        path: 'registration/account-confirm-email/',
      }),
  },
  {
    name: 'key of a new address',
    async make(people) {
      const { access, username } = await people.signedIn()
      const email = `${username}@new.example.com`
      await people.need('POST', 'email/change/', { body: { email, password: PASSWORD }, access })
      const [key] = await people.mailed('change', email)
      return { key }
    },
    use: (people, thing, i) =>
      throughBothDoors(people, thing, i, {
        body: 'email/change/confirm/',
        path: 'email/change/confirm/',
      }),
  },
  {
    name: 'login code',
    async make(people) {
      const { email } = await people.create()
      const { session_id } = await people.need('POST', 'login/code/', { body: { email } })
      const [code] = await people.mailed('code', email)
      return { session_id, code }
    },
    use: (people, body, i) => people.ask('POST', 'login/code/confirm/', { body, i }),
  },
  {
    name: 'invitation',
    door: 'invited',
    async make(people, { round }) {
      const email = `guest${process.pid}x${round}@example.com`
      return { round, email, invitation: await people.invitation(email) }
    },
    use(people, { round, email, invitation }, i) {
      const passwords = { password1: PASSWORD, password2: PASSWORD }
      const body = { username: `guest${round}n${i}`, email, invitation, ...passwords }
      return people.ask('POST', 'registration/', { body, i })
    },
  },
  {
    name: 'link of an operator who uses an account',
    door: 'staffed',
    async make(people, { instance }) {
      const { pk } = await people.create()
      return { path: await lendAccount(pk, { people, instance }) }
    },
    async use(people, { path }, i) {
      const reply = await people.ask('GET', path, { i })
      // It leads the browser on, with a session.
      const isOpen = reply.status === 303 && 'set-cookie' in reply.headers
      return isOpen ? { ...reply, status: 200 } : reply
    },
  },
]
