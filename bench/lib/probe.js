// Loaded into a server that is measured (`node --import`): tells how much CPU time and memory it has used.
// With CHEAP_HASHES, argon2 costs as little as it can: what is left of a login is our own work.
import { createRequire } from 'node:module'

process.on('message', (message) => {
  if (message !== 'stats') return
  const { user, system } = process.cpuUsage()
  const { rss } = process.memoryUsage()
  process.send({ cpu: user + system, rss, mostRss: process.resourceUsage().maxRSS * 1024 })
})
process.channel?.unref()

if (process.env.CHEAP_HASHES) {
  const argon2 = createRequire(process.argv[1])('@node-rs/argon2')
  const { hashRaw } = argon2
  argon2.hashRaw = (password, options) =>
    hashRaw(password, { ...options, memoryCost: 8, timeCost: 1, parallelism: 1 })
}
