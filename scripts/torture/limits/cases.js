/** Further names of one account: whatever its spelling, an attempt counts for the same account. */
export const aliasesOf = (text) => [
  text,
  text.toUpperCase(),
  ` ${text} `,
  text.replace(/[a-z]/g, (letter) => String.fromCodePoint(letter.codePointAt(0) + 0xfee0)),
  text.replace('person', 'perſon'),
]

/** What the trusted proxy reports comes last; the client itself can send everything before it. */
const spoofed = (address, i) => ({
  'x-forwarded-for': `203.0.113.${i}, 2001:db8::${i}, ${address}`,
  'x-real-ip': `203.0.113.${i}`,
  'client-ip': `203.0.113.${i}`,
  'true-client-ip': `203.0.113.${i}`,
  'cf-connecting-ip': `203.0.113.${i}`,
  forwarded: `for=203.0.113.${i}`,
})

/** One customer has a whole /64 network. */
const sameNetwork = (i) => ({ 'x-forwarded-for': `2001:db8:7:7::${i.toString(16)}` })

const fromOneClient = (name, address, path, bodyOf) => [
  {
    name: `${name}, one client with spoofed headers`,
    send: (people, _, i) =>
      people.ask('POST', path, { body: bodyOf(people, i), headers: spoofed(address, i), i }),
  },
  {
    name: `${name}, one IPv6 network`,
    send: (people, _, i) =>
      people.ask('POST', path, { body: bodyOf(people, i), headers: sameNetwork(i), i }),
  },
]

/** Each limit is five: `send` is one attempt from the crowd, and `prepare` makes what they share. */
export const answered = [
  {
    name: 'login_failed, aliases of one account from everywhere',
    prepare: (people) => people.create(),
    send(people, { username, email }, i) {
      const aliases = [...aliasesOf(username), email, email.toUpperCase()]
      const body = { username: aliases[i % aliases.length], password: 'wrong' }
      return people.ask('POST', 'login/', { body, i })
    },
  },
  {
    name: 'login_failed, a name that nobody has',
    send: (people, _, i) =>
      people.ask('POST', 'login/', {
        ...{ body: { username: ['nobody', 'NOBODY', ' Nobody '][i % 3], password: 'wrong' }, i },
      }),
  },
  ...fromOneClient('login_failed', '198.51.100.1', 'login/', (_, i) => ({
    ...{ username: `stranger${i}`, password: 'wrong' },
  })),
  {
    name: 'mfa_failed, one account',
    prepare: (people) => people.withTotp(),
    send: (people, { access }, i) =>
      people.ask('POST', 'reauthenticate/', { body: { code: 'wrong-wrong' }, access, i }),
  },
  ...fromOneClient('signup', '198.51.100.2', 'registration/', () => ({})),
  ...fromOneClient('reset_mail', '198.51.100.3', 'password/reset/', (_, i) => ({
    email: `unknown${i}@example.com`,
  })),
  ...fromOneClient('verify_mail', '198.51.100.4', 'registration/resend-email/', (_, i) => ({
    email: `unknown${i}@example.com`,
  })),
  ...fromOneClient('code_mail', '198.51.100.5', 'login/code/', (_, i) => ({
    email: `unknown${i}@example.com`,
  })),
  ...fromOneClient('passkey_begin', '198.51.100.6', 'passkeys/login/begin/', () => ({})),
  ...fromOneClient('social', '198.51.100.7', 'acme/', (people, i) => ({
    code: people.idp.codeOf(`limited${i}`),
  })),
  {
    name: 'change_name, one account',
    prepare: (people) => people.signedIn(),
    send: (people, { access, pk }, i) =>
      people.ask('PATCH', 'user/', { body: { username: `renamed${pk}n${i}` }, access, i }),
  },
]

/** Beyond these limits the answer is the same, and no mail is sent. */
export const mailed = [
  ['reset_mail', 'password/reset/', true],
  ['verify_mail', 'registration/resend-email/', false],
  ['code_mail', 'login/code/', true],
].map(([limit, path, verified]) => ({
  name: `${limit}, aliases of one address`,
  prepare: (people) => people.create({ verified }),
  send(people, { email }, i) {
    const aliases = [email, email.toUpperCase(), ` ${email}`, email.replace('.com', '.COM')]
    return people.ask('POST', path, { body: { email: aliases[i % aliases.length] }, i })
  },
}))
