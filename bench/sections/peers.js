// The service beside what people would pick instead. Each peer is a program in `bench/peers`, which has its own
// packages. All of them keep their data in SQLite, with the same promise: an answer survives a power cut.
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { inFolder } from '../../scripts/in-folder.js'
import { npm } from '../../scripts/lockfile/apart.js'
import { ask } from '../lib/client.js'
import { measureInTurn } from '../lib/measure.js'
import { SECRET_KEY } from '../lib/people.js'
import { startServer, startService } from '../lib/server.js'

const FOLDER = fileURLToPath(new URL('../peers', import.meta.url))
const PASSWORD = 'correct horse battery staple'
const CONNECTIONS = 8

export const arePeersInstalled = () => existsSync(join(FOLDER, 'node_modules', 'better-auth'))

/** Compiles the driver for SQLite if there is no binary for this machine, which takes minutes. */
export const installPeers = () => npm(['ci', '--loglevel=error'], FOLDER, 'inherit')

const latchkeyEnv = {
  SECRET_KEY,
  // The peers limit nothing and send no mail either.
  ACCOUNT_RATE_LIMITS: JSON.stringify({ signup: 'none', login_failed: 'none' }),
  ACCOUNT_EMAIL_VERIFICATION: 'none',
}

/** `hash` is the one that the peer comes with. */
const PEERS = {
  latchkey: {
    hash: 'argon2id',
    start: (folder) =>
      startService({ ...latchkeyEnv, DATABASE_URL: `sqlite:${join(folder, 'our.db')}` }, folder),
    signUp: ({ name, email }) => ({
      path: 'registration/',
      status: 201,
      body: { username: name, email, password1: PASSWORD, password2: PASSWORD },
      expects: hasKey,
    }),
    signIn: ({ name }) => ({
      path: 'login/',
      body: { username: name, password: PASSWORD },
      expects: hasKey,
    }),
    session: ({ name }, cookie) => ({
      path: 'user/',
      headers: { cookie },
      expects: (text) => text.includes(`"username":"${name}"`),
    }),
  },
  'better-auth': byAddress('scrypt', 'better-auth.js', {
    signUp: 'sign-up/email',
    signIn: 'sign-in/email',
    session: 'get-session',
  }),
  'express + passport': byAddress('PBKDF2', 'express-passport.js', {
    signUp: 'sign-up',
    signIn: 'sign-in',
    session: 'session',
  }),
}

/** A peer whose users log in with their address, and which answers with the user. */
function byAddress(hash, file, paths) {
  const requestTo = (path, { email }, more) => ({
    path,
    expects: (text) => text.includes(`"email":"${email}"`),
    ...more,
  })
  return {
    hash,
    start: startPeer(file),
    signUp: (one) => requestTo(paths.signUp, one, { body: { ...one, password: PASSWORD } }),
    signIn: (one) =>
      requestTo(paths.signIn, one, { body: { email: one.email, password: PASSWORD } }),
    session: (one, cookie) => requestTo(paths.session, one, { headers: { cookie } }),
  }
}

function hasKey(text) {
  return /^\{"key":"[0-9a-f]{40}"/.test(text)
}

function startPeer(file) {
  return (folder, hash) =>
    startServer([join(FOLDER, file)], {
      folder,
      env: {
        NODE_ENV: 'production',
        DATABASE: join(folder, `${file}-${hash}.db`),
        HASH: hash,
      },
    })
}

/** Case → peer → figures. A peer with Latchkey's hash has `, argon2id` behind its name. */
export const measurePeers = ({ rounds, seconds, say }) =>
  inFolder(async (folder) => {
    const running = {}
    try {
      for (const [name, peer] of Object.entries(PEERS)) {
        running[`${name}, ${peer.hash}`] = await begin(peer, await peer.start(folder, 'own'))
        if (name === 'latchkey') continue
        running[`${name}, argon2id`] = await begin(peer, await peer.start(folder, 'same'))
      }
      const compare = (script, among = running) => {
        const sides = Object.entries(among).map(([name, side]) => [
          name,
          { server: side.server, script: script(side) },
        ])
        return measureInTurn(Object.fromEntries(sides), {
          rounds,
          seconds,
          connections: CONNECTIONS,
        })
      }
      say('peers: get session')
      const own = Object.entries(PEERS).map(([name, { hash }]) => [
        name,
        running[`${name}, ${hash}`],
      ])
      const session = await compare(asking, Object.fromEntries(own))
      say('peers: sign in')
      const signIn = await compare(signingIn)
      say('peers: sign up')
      return { session, signIn, signUp: await compare(signingUp) }
    } finally {
      for (const { server } of Object.values(running)) await server.stop()
    }
  })

let people = 0
const somebody = () => {
  const name = `person${++people}`
  return { name, email: `${name}@example.com` }
}
const post = (request) => ({ method: 'POST', ...request })

/** Signs up one person for each connection, and keeps the cookies of a sign-in. */
async function begin(peer, server) {
  const members = []
  for (let index = 0; index < CONNECTIONS; index++) {
    const person = somebody()
    await ask(server.url, post(peer.signUp(person)))
    members.push({ person, cookie: await signInForCookie(peer, server, person) })
  }
  return { peer, server, members }
}

async function signInForCookie(peer, server, person) {
  let cookies = []
  const request = post(peer.signIn(person))
  const expects = (text, head) => {
    cookies = [...head.matchAll(/^set-cookie: ([^;\r\n]+)/gim)].map(([, cookie]) => cookie)
    return request.expects(text)
  }
  await ask(server.url, { ...request, expects })
  return cookies.join('; ')
}

function asking({ peer, members }) {
  return (index) => {
    const { person, cookie } = members[index]
    const request = peer.session(person, cookie)
    return () => request
  }
}

function signingIn({ peer, members }) {
  return (index) => {
    const request = post(peer.signIn(members[index].person))
    return () => request
  }
}

function signingUp({ peer }) {
  return () => () => post(peer.signUp(somebody()))
}
