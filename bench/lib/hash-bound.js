// How many passwords this machine hashes in a second, so many at a time: `{ parallel, seconds }` → rate.
import { loadForServer } from './packages.js'
import { argon2Options, PASSWORD } from './people.js'

const { hashRaw } = loadForServer('@node-rs/argon2')
const options = { ...argon2Options, salt: Buffer.alloc(16) }

process.on('message', async ({ parallel, seconds }) => {
  const begun = performance.now()
  const end = begun + seconds * 1000
  let count = 0
  await Promise.all(
    Array.from({ length: parallel }, async () => {
      while (performance.now() < end) {
        await hashRaw(PASSWORD, options)
        count += 1
      }
    }),
  )
  process.send(count / ((performance.now() - begun) / 1000))
})
