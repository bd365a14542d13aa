import { type ClientOptions, createClient } from '../../src/index.ts'

// The script of a front end, as the pages of the tests have it.

const told: string[] = []

function start(options: ClientOptions): void {
  // What the other modes keep is in memory by default, where no other tab sees it.
  const auth = createClient(
    options.mode === 'jwt' ? { ...options, storage: localStorage } : options,
  )
  auth.onSignedOut((reason) => told.push(`signed out: ${reason}`))
  Object.assign(globalThis, { auth })
}

Object.assign(globalThis, { start, told })
