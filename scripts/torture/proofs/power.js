import { setTimeout } from 'node:timers/promises'
import { databases } from '../parts/both-databases.js'
import { forgetfulDisk } from '../parts/forgetful.js'
import { startMailbox } from '../parts/mailbox.js'
import { createHost, lostAmong, owed, peopleSettings, startPeople } from '../parts/people.js'
import { seededRandom } from '../parts/random.js'
import { startInstance } from '../parts/service.js'
import { undelivered } from '../parts/undelivered.js'

const CUTS = { full: 50, small: 4 }
const CLIENTS = 8
/** The shortest and the longest time under load before a cut. */
const LOAD_MS = [500, 2500]
/** How likely a block survives that was not synced. Every other cut forgets all of them. */
const KEPT = 0.5

export const power = {
  name: 'power',
  shows: 'power cuts under a writing load on SQLite, on a disk that forgets what was not synced',
  needs: ['gcc'],
  broken: ['OFF', 'NORMAL'].map((mode) => ({
    file: 'src/storage/connect-sqlite.ts',
    from: "'synchronous = FULL'",
    to: `'synchronous = ${mode}'`,
    why: `SQLite with synchronous = ${mode}`,
  })),

  async run({ size, seed, folder, server, say, atTheEnd }) {
    const random = seededRandom(seed)
    const { url, file, findDamage } = await databases.sqlite(folder)
    const disk = await forgetfulDisk(folder, file)
    const mail = await startMailbox()
    atTheEnd(mail.stop)
    const settings = { ...peopleSettings, EMAIL_URL: mail.url, ...disk.env }
    let service = await startInstance(folder, url, settings, { server })
    atTheEnd(() => service.kill())
    const host = await createHost(service)
    const all = []
    const lost = []
    let damage = []
    let forgotten = 0

    for (let cut = 1; cut <= CUTS[size] && damage.length === 0; cut++) {
      const load = startPeople({
        ...{ url: service.url, host, mail },
        ...{ clients: CLIENTS, prefix: `p${cut}` },
      })
      await setTimeout(LOAD_MS[0] + random.below(LOAD_MS[1] - LOAD_MS[0]))
      await service.kill()
      const people = await load.stop()
      forgotten += await disk.cutPower(() => cut % 2 === 0 && random.chance(KEPT))
      damage = await findDamage()
      service = await startInstance(folder, url, settings, { server })
      lost.push(...(await lostAmong(people, service.url)))
      all.push(...people)
      if (cut % 10 === 0) say(`${cut} cuts, ${lost.length} lost`)
    }
    lost.push(...(await undelivered(owed('letter', all), mail.counts)))
    lost.push(...(await lostAmong(all, service.url)))

    const missing = [...new Set(lost)]
    const acknowledged = all.reduce((sum, { done }) => sum + done.length, 0)
    return {
      held: missing.length === 0 && damage.length === 0,
      figure: `${CUTS[size]} cuts, ${forgotten} blocks forgotten, ${acknowledged} effects, ${missing.length} lost, ${damage.length} damages`,
      details: { cuts: CUTS[size], forgotten, acknowledged, lost: missing, damage },
    }
  },
}
