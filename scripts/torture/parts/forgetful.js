import { mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { preload } from './preload.js'

const BLOCK = 4096
/** Of SQLite. The third, `-shm`, is only memory that processes share. */
const ENDINGS = ['', '-wal']

/** A database file on a disk that forgets what was not synced. */
export async function forgetfulDisk(folder, file) {
  const copies = join(folder, 'synced')
  await mkdir(copies)

  return {
    env: { ...preload('forgetful', folder), FORGETFUL_FILE: file, FORGETFUL_COPIES: copies },

    /**
     * After the programs have been killed. `keeps()` says of each block that was written but not synced
     * whether the disk has it, since a disk writes in any order. Returns how many blocks were forgotten.
     */
    async cutPower(keeps) {
      let forgotten = 0
      for (const path of ENDINGS.map((ending) => `${file}${ending}`)) {
        const copy = join(copies, basename(path))
        const [written, synced] = await Promise.all([path, copy].map(contentsOf))
        const left = mixed(written, synced, keeps)
        forgotten += left.forgotten
        await writeFile(path, left.bytes)
        await writeFile(copy, left.bytes)
      }
      await rm(`${file}-shm`, { force: true })
      return forgotten
    },
  }
}

const contentsOf = (path) => readFile(path).catch(() => Buffer.alloc(0))

function mixed(written, synced, keeps) {
  const bytes = Buffer.alloc(Math.max(written.length, synced.length))
  let [size, forgotten] = [0, 0]
  for (let at = 0; at < bytes.length; at += BLOCK) {
    const [now, before] = [written, synced].map((all) => all.subarray(at, at + BLOCK))
    const isKept = now.equals(before) || keeps()
    const block = isKept ? now : before
    if (!isKept) forgotten++
    block.copy(bytes, at)
    if (block.length > 0) size = at + block.length
  }
  return { bytes: bytes.subarray(0, size), forgotten }
}
