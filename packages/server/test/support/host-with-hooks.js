import { createAuth } from '../../dist/index.js'

/*
 * A program with the service inside, for tests that kill it. It tells the test on standard output what
 * its hooks were told. MANNER says what it does: "dies" kills it when an answer says that a user was
 * registered, "holds" never ends a hook, and "tells" does what it should.
 */
const { SETTINGS = '{}', MANNER, LATER = '0', USERNAME } = process.env

const say = (line) => process.stdout.write(`${line}\n`)

async function hear({ type, id, user }) {
  say(`${type} ${user.username} ${id}`)
  if (MANNER === 'holds') await new Promise(() => {})
}

const auth = await createAuth(JSON.parse(SETTINGS), {
  hooks: { registered: hear, signedIn: hear },
  clock: { now: () => Date.now() + Number(LATER) },
})

if (USERNAME) {
  const password = 'Nn-5566-yy-lantern'
  const form = { username: USERNAME, password1: password, password2: password }
  const reply = await auth.fetch(
    new Request('http://localhost/auth/registration/', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ ...form, email: `${USERNAME}@example.com` }),
    }),
  )
  say(`answered ${reply.status}`)
  if (MANNER === 'dies') process.kill(process.pid, 'SIGKILL')
}
