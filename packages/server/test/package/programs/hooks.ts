import {
  type ChangingEmail,
  createAuth,
  type HookClaims,
  type Hooks,
  type HookUser,
  type MailSender,
  type PasswordRule,
  type Registering,
  refuse,
  type SigningIn,
  type UsernameRule,
} from 'latchkey'

const onlyInvited = async ({ fields, method, address }: Registering): Promise<void> => {
  if (method === 'social' || address === '::1') return
  if (fields.username === '' || fields.plan === null) throw refuse('By invitation.')
}
function noRobots({ user }: SigningIn): void {
  if (user.fields.tags?.toString() === 'robot') refuse({ username: ['No robots.'] })
}
const claimsOf = ({ pk, groups }: HookUser): HookClaims => ({ id: pk, groups, none: undefined })
async function atWork({ user, email, address }: ChangingEmail): Promise<void> {
  if (user.is_staff || address === '::1') return
  if (!email.endsWith('@example.com')) refuse({ email: ['Use your work address.'] })
}
const hooks: Hooks = {
  registering: onlyInvited,
  signingIn: noRobots,
  changingEmail: atWork,
  claims: claimsOf,
}

/** After `refuse` nothing runs, and the compiler knows. */
export const nameOf = (user: HookUser | null): string => (user ? user.username : refuse('Nobody.'))

class Sender implements MailSender {
  readonly sent: string[] = []
  async send({ id, to, subject }: Parameters<MailSender['send']>[0]): Promise<void> {
    this.sent.push(`${id} ${to} ${subject}`)
  }
}
const passwordRules: PasswordRule = async (password, { pk }) =>
  pk === null && password.length < 20 ? ['Too short.'] : null
const usernameRules: UsernameRule = (username) => (username === 'root' ? ['Reserved.'] : undefined)

createAuth({}, { hooks, mail: new Sender(), passwordRules, usernameRules })
createAuth({}, { hooks: { claims: () => undefined, signingIn: undefined } })
createAuth({}, { hooks: { claims: async () => ({ deep: { list: [1, null, { yes: true }] } }) } })

// @ts-expect-error: a date is no JSON
createAuth({}, { hooks: { claims: () => ({ since: new Date() }) } })
// @ts-expect-error: claims have names
createAuth({}, { hooks: { claims: () => 'admin' } })
// @ts-expect-error: a promise of false refuses nobody either
createAuth({}, { hooks: { registering: async () => false } })
// @ts-expect-error: the password is not among the fields
createAuth({}, { hooks: { registering: ({ password }) => void password } })
createAuth(
  {},
  {
    hooks: {
      signingIn: ({ user }) => {
        // @ts-expect-error: a copy that cannot be changed
        user.is_staff = true
      },
    },
  },
)
// @ts-expect-error: words are a text, or lists of texts
export const wrongWords = () => refuse({ email: 'No.' })
// @ts-expect-error: without words nobody knows why
export const noWords = () => refuse()
// @ts-expect-error: a rule says what is wrong, in a list
createAuth({}, { passwordRules: () => 'Too short.' })
// @ts-expect-error: true and false say nothing
createAuth({}, { usernameRules: (name) => name !== 'root' })
// @ts-expect-error: a transport has a function send
createAuth({}, { mail: { sendMail: () => {} } })
