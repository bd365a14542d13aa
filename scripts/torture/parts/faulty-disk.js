import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { preload } from './preload.js'

/** A disk under one file whose faults can be chosen while programs run. */
export function faultyDisk(folder, file) {
  const control = join(folder, 'fault')
  const set = (word) => writeFileSync(control, word)
  set('')
  return {
    env: { ...preload('faulty-disk', folder), FAULTY_FILE: file, FAULTY_CONTROL: control },
    set,
  }
}
