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

/**
 * Each limit is five: `send` is one attempt from the crowd, and `prepare` makes what they share. Those that are
 * `throttled` go to instances with a limit for all requests together.
 */
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
  {
    name: 'invitation_mail, one inviter',
    prepare: (people) => people.signedIn(),
    send: (people, { access, pk }, i) =>
      people.ask('POST', 'invitations/', { body: { email: `g${pk}n${i}@example.com` }, access, i }),
  },
  {
    name: 'auth_service, one account',
    door: 'throttled',
    prepare: (people) => people.signedIn(),
    send: (people, { access }, i) => people.ask('GET', 'sessions/', { access, i }),
  },
  ...fromOneClient('auth_service', '198.51.100.8', 'token/verify/', () => ({ token: 'none' })).map(
    (one) => ({ ...one, door: 'throttled' }),
  ),
]

const spellingsOf = (email) => [
  ...[email, email.toUpperCase(), ` ${email}`, email.replace('.com', '.COM')],
]

/** Beyond these limits the answer is the same, and no mail is sent. */
export const mailed = [
  ...[
    ['reset_mail', 'password/reset/', true],
    ['verify_mail', 'registration/resend-email/', false],
    ['code_mail', 'login/code/', true],
  ].map(([limit, path, verified]) => ({
    name: `${limit}, aliases of one address`,
    prepare: (people) => people.create({ verified }),
    send(people, { email }, i) {
      const spellings = spellingsOf(email)
      return people.ask('POST', path, { body: { email: spellings[i % spellings.length] }, i })
    },
  })),
  {
    name: 'invitation_mail, aliases of one address',
    /** Of many inviters, none of whom sends more than five. */
    async prepare(people, crowd) {
      const inviters = await people.many(Math.ceil(crowd / 5), people.signedIn)
      return { inviters, email: `invited-by-${inviters[0].username}@example.com` }
    },
    send(people, { inviters, email }, i) {
      const spellings = spellingsOf(email)
      const { access } = inviters[i % inviters.length]
      const body = { email: spellings[i % spellings.length] }
      return people.ask('POST', 'invitations/', { body, access, i })
    },
    // Their numbers differ.
    sizeOf: ({ body }) => Object.keys(body).length,
  },
  {
    name: 'notice_mail, one account',
    // The first of the five tells that the second factor is on.
    prepare: (people) => people.withTotp(),
    send: (people, { access }, i) =>
      people.ask('POST', 'mfa/recovery-codes/regenerate/', { body: {}, access, i }),
  },
]
