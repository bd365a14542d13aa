import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { cp, mkdtemp, readFile, rm, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, delimiter, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { onTestFinished, vi } from 'vitest'
import { APART, installApart } from '../../../../scripts/lockfile/apart.js'
import { freePort } from '../support/browser.ts'

export const ROOT = fileURLToPath(new URL('../../../../', import.meta.url))

/** What a run leaves in the folder of a project. */
const MADE = ['data', 'dist', '.next', 'node_modules']

/** A build and a start, on a machine that has other work to do. */
const PATIENT = { timeout: 240_000, interval: 100 }

export type Example = Awaited<ReturnType<typeof startExample>>

/**
 * Starts a copy of a project under `examples/` by what `npm start` runs. Everything that it builds
 * and stores stays in a temporary folder.
 */
export async function startExample(name: string) {
  const folder = await mkdtemp(join(tmpdir(), 'latchkey-example-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true, maxRetries: 5 }))
  const cwd = join(folder, name)
  const filter = (path: string) => !MADE.includes(basename(path))
  await cp(join(ROOT, 'examples', name), cwd, { recursive: true, filter })
  const modules = join(folder, 'node_modules')
  if (APART.includes(`examples/${name}`)) {
    installApart(`examples/${name}`, folder)
    await symlink(join(ROOT, 'packages/server'), join(modules, 'latchkey'))
  } else {
    await symlink(join(ROOT, 'node_modules'), modules)
  }

  const port = await freePort()
  const url = `http://localhost:${port}`
  const child = spawn('sh', ['-c', await commandOf(cwd)], {
    cwd,
    // A group of its own: at the end of the test, everything that it has started can be killed.
    detached: true,
    env: {
      PATH: `${join(modules, '.bin')}${delimiter}${process.env.PATH}`,
      HOME: folder,
      PORT: String(port),
      NEXT_TELEMETRY_DISABLED: '1',
      // As for every compiler that tests start.
      GOGC: 'off',
    },
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text) => {
      output += text
    })
  }
  const ended = once(child, 'close').then(([code]: (number | null)[]) => code)
  onTestFinished(async () => {
    if (child.exitCode === null) process.kill(-(child.pid ?? 0), 'SIGKILL')
    await ended
  })

  await vi.waitFor(async () => {
    if (child.exitCode !== null) return
    await fetch(url)
  }, PATIENT)
  if (child.exitCode !== null) throw new Error(`${name} ended:\n${output}`)

  return {
    url,

    async call(method: string, path: string, { body, token, cookie }: Call = {}) {
      const reply = await fetch(`${url}${path}`, {
        method,
        redirect: 'manual',
        headers: {
          ...(body && { 'content-type': 'application/json' }),
          ...(token && { authorization: token }),
          ...(cookie && { cookie }),
        },
        ...(body && { body: JSON.stringify(body) }),
      })
      const text = await reply.text()
      const isJson = reply.headers.get('content-type')?.startsWith('application/json')
      const cookies = reply.headers.getSetCookie().map((line) => line.split(';')[0] ?? '')
      return { status: reply.status, body: isJson ? JSON.parse(text) : text, cookies }
    },

    /** Asks it to stop, and waits until it has. */
    async stop() {
      child.kill('SIGTERM')
      return { code: await ended, output }
    },
  }
}

/** The signal of the test must reach the program, not a shell. */
async function commandOf(folder: string): Promise<string> {
  const { scripts } = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8'))
  return `${scripts.prestart} && exec ${scripts.start}`
}

type Call = { body?: object; token?: string; cookie?: string }
