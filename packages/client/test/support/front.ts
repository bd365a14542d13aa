import { type ClientOptions, createClient } from '../../src/index.ts'

// The script of a front end, as the pages of the tests have it.

const told: string[] = []

function start(options: ClientOptions): void {
  // By default tokens are in memory, where no other tab sees them.
  const storage = options.mode === 'jwt' && globalThis.localStorage
  const auth = createClient(storage ? { ...options, storage } : options)
  auth.onSignedOut((reason) => told.push(`signed out: ${reason}`))
  Object.assign(globalThis, { auth })
}

Object.assign(globalThis, { start, told })
