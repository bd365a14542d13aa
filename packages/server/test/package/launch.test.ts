import { spawnSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'

const LAUNCH = join(import.meta.dirname, '../../dist/launch.js')
const VERSION = `${process.version}-${process.arch}`

/** The code is kept at once instead of after seconds, and the process waits for it. */
const SOON = `data:text/javascript,${encodeURIComponent(`
  const { setTimeout } = globalThis
  globalThis.setTimeout = (work, ms) => {
    if (ms !== 5000) return setTimeout(work, ms)
    setTimeout(work, 0)
    return { unref() {} }
  }
`)}`

/** A program of one file that is started as the service is. */
async function newProgram() {
  const folder = await mkdtemp(join(tmpdir(), 'latchkey-launch-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  const dist = (name: string) => join(folder, 'dist', name)
  mkdirSync(join(folder, 'dist'))
  writeFileSync(join(folder, 'package.json'), '{ "type": "module" }')
  cpSync(LAUNCH, dist('launch.js'))
  writeFileSync(dist('main.js'), "import { launch } from './launch.js'\nlaunch('main-1.cjs')\n")
  return {
    folder,
    dist,
    kept: join(folder, 'code-cache', VERSION, 'main-1.cjs'),
    write: (text: string) => writeFileSync(dist('main-1.cjs'), text),
    run() {
      const args = ['--import', SOON, dist('main.js')]
      const { status, stdout, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8' })
      return { status, stdout: stdout.trim(), stderr }
    },
  }
}

const SAYS = (word: string) => `console.log('${word}')`

test('what V8 has compiled is kept, and used at the next start', async () => {
  const { folder, kept, write, run } = await newProgram()
  write(SAYS('one'))
  expect(run()).toEqual({ status: 0, stdout: 'one', stderr: '' })
  expect(readdirSync(join(folder, 'code-cache', VERSION))).toEqual(['main-1.cjs'])
  const before = readFileSync(kept)

  // V8 compares only the length of the text. The name has its digest, so this happens only here.
  write(SAYS('two'))
  expect(run()).toEqual({ status: 0, stdout: 'one', stderr: '' })
  expect(readFileSync(kept).equals(before)).toBe(true)
})

test.each([
  ['a byte', (code: Buffer) => code.fill(code.readUInt8(code.length >> 1) ^ 1, code.length >> 1)],
  ['the end', (code: Buffer) => code.subarray(0, -1)],
  ['everything', () => Buffer.alloc(0)],
])('kept code that has lost %s is not used, and replaced', async (_, damage) => {
  const { kept, write, run } = await newProgram()
  write(SAYS('one'))
  run()
  write(SAYS('two'))
  writeFileSync(kept, damage(readFileSync(kept)))
  expect(run()).toEqual({ status: 0, stdout: 'two', stderr: '' })
  write(SAYS('one'))
  expect(run().stdout).toBe('two')
})

test('code of other flags is not used', async () => {
  const { write, run, dist } = await newProgram()
  write(SAYS('one'))
  run()
  write(SAYS('two'))
  const args = ['--no-opt', dist('main.js')]
  expect(spawnSync(process.execPath, args, { encoding: 'utf8' }).stdout).toBe('two\n')
})

test('a program that cannot keep its code runs', async () => {
  const { folder, write, run } = await newProgram()
  writeFileSync(join(folder, 'code-cache'), '')
  write(SAYS('one'))
  expect(run()).toEqual({ status: 0, stdout: 'one', stderr: '' })
  expect(run()).toEqual({ status: 0, stdout: 'one', stderr: '' })
})

test.each([true, false])('no script stays in memory (code can be kept: %s)', async (canKeep) => {
  const { folder, write, run, dist } = await newProgram()
  if (!canKeep) writeFileSync(join(folder, 'code-cache'), '')
  writeFileSync(dist('late-1.cjs'), '')
  write(`setTimeout(() => {
      require('./late-1.cjs')
      const { Script } = require('node:vm')
      console.log(require('node:v8').queryObjects(Script, { format: 'count' }))
    }, 50)`)
  expect(run()).toMatchObject({ status: 0, stdout: '0' })
})

test('files of the program load each other once, and those of others', async () => {
  const { write, run, dist } = await newProgram()
  writeFileSync(dist('part-1.cjs'), "console.log('part'); exports.name = __filename")
  writeFileSync(dist('import-module-1.cjs'), 'exports.importModule = (url) => import(url)')
  writeFileSync(dist('config.mjs'), "export default 'config'")
  write(`const { basename } = require('node:path')
    const { importModule } = require('./import-module-1.cjs')
    console.log([1, 2].map(() => basename(require('./part-1.cjs').name)).join())
    importModule('./config.mjs').then((config) => console.log(config.default))`)
  for (let i = 0; i < 2; i++) {
    expect(run()).toEqual({ status: 0, stdout: 'part\npart-1.cjs,part-1.cjs\nconfig', stderr: '' })
  }
})

test('a stack trace names line and column of the file', async () => {
  const { kept, write, run, dist } = await newProgram()
  write('console.log(new Error("here").stack)')
  for (const isKept of [false, true]) {
    expect(existsSync(kept)).toBe(isKept)
    expect(run().stdout.split('\n')[1]).toBe(`    at ${dist('main-1.cjs')}:1:13`)
  }
})
