import { resolve } from 'node:path'
import { generateKey, pairAlgorithms } from '../../crypto/jwt/generate-key.ts'
import { command } from '../command.ts'
import { usageRefusal } from '../refusal.ts'
import { writeNewKey } from './key-files.ts'

export const keysGenerate = command({
  options: {
    algorithm: {
      type: 'optional',
      placeholder: '<name>',
      doc: `${pairAlgorithms.join(', ')}; the default is ES256`,
    },
    out: {
      type: 'optional',
      placeholder: '<file>',
      doc: 'Write the key to this file instead of printing it',
    },
  },
  async run({ values, io, say }) {
    const { algorithm: wanted = 'ES256', out } = values
    const algorithm = pairAlgorithms.find((name) => name === wanted)
    if (!algorithm) throw usageRefusal(`--algorithm must be one of ${pairAlgorithms.join(', ')}.`)
    const { kid, privatePem } = generateKey(algorithm)
    if (out === undefined) {
      say(privatePem.trimEnd(), { kid, algorithm, private_key: privatePem })
      return
    }
    const file = resolve(io.cwd, out)
    writeNewKey(file, privatePem)
    say(`${kid}\nTo use it: SIMPLE_JWT_ALGORITHM=${algorithm} SIMPLE_JWT_SIGNING_KEY=${file}`, {
      kid,
      algorithm,
      file,
    })
  },
})
