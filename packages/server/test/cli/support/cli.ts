import { once } from 'node:events'
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { Readable, Writable } from 'node:stream'
import { onTestFinished } from 'vitest'
import type { Io } from '../../../src/cli/io.ts'
import { runCli } from '../../../src/cli/run.ts'
import { resolveSettings } from '../../../src/settings/resolve.ts'
import { publishKey } from '../../../src/settings/secret-key.ts'
import { type Connection, connect } from '../../../src/storage/connect.ts'
import { newDatabaseFolder } from '../../support/database-folder.ts'
import { writeTables } from '../../support/ready-tables.ts'

type Outside = {
  env?: Record<string, string>
  /** The content of standard input. */
  input?: string | Buffer
  isTerminal?: boolean
  /** Sends a signal as soon as this text is printed. */
  signalAt?: string
}

type Outcome = { code: number; stdout: string; stderr: string }

/** What `user create` has left in a new folder, by its options. Hashing a password takes long. */
const created = new Map<string, { outcome: Outcome; files: { name: string; content: Buffer }[] }>()

/** Runs commands in a new folder without any configuration. */
export async function newCli() {
  const cwd = await newDatabaseFolder('cli')
  const data = join(cwd, 'latchkey-data')
  const file = join(data, 'latchkey.db')

  function world({ env, input = '', isTerminal = false, signalAt }: Outside) {
    const signals: (() => void)[] = []
    const signal = () => {
      for (const listener of signals) listener()
    }
    const stdout = collector()
    const stderr = collector((text) => {
      if (signalAt !== undefined && text.includes(signalAt)) signal()
    })
    const exits: number[] = []
    const io: Io = {
      env: { LOG_LEVEL: 'silent', ...env },
      cwd,
      stdin: Object.assign(Readable.from([input]), { isTTY: isTerminal }),
      stdout: Object.assign(stdout.stream, { isTTY: isTerminal }),
      stderr: stderr.stream,
      user: 'grace',
      host: 'console',
      onSignal: (listener) => signals.push(listener),
      onParentGone: (listener) => signals.push(listener),
      exit: (code) => exits.push(code),
      forkWorker() {
        throw new Error('Workers need the built program.')
      },
    }
    return { io, stdout, stderr, signal, exits }
  }

  async function run(args: readonly string[], outside: Outside = {}) {
    // Another program may have the usual port.
    const env = { ...(args[0] === 'serve' && { PORT: '0' }), ...outside.env }
    const { io, stdout, stderr } = world({ ...outside, env })
    const code = await runCli(args, io)
    return { code, stdout: stdout.text(), stderr: stderr.text() }
  }

  return {
    cwd,
    file,
    run,

    /** A command that runs until a signal or the end of the test stops it. */
    async serve(args: readonly string[] = [], outside: Outside = {}) {
      const { io, stdout, stderr, signal, exits } = world(outside)
      const code = runCli(['serve', '--set', 'PORT=0', ...args], io)
      onTestFinished(async () => {
        signal()
        await code
      })
      await Promise.race([stdout.begins, code])
      const url = /serves (\S+)/.exec(stdout.text())?.[1] ?? ''
      return { code, signal, exits, url, stdout: stdout.text, stderr: stderr.text, ...client(url) }
    },

    /** Adds a user. In a new folder that is the outcome of the same command in another one. */
    async createAda(...options: string[]) {
      const create = () =>
        run(['user', 'create', '--username', 'ada', '--password-stdin', ...options], {
          input: 'a-good-password\n',
        })
      if ((await readdir(cwd)).length > 0) return create()
      const key = options.join(' ')
      const known = created.get(key)
      await mkdir(data, { mode: 0o700 })
      if (known) {
        for (const { name, content } of known.files) {
          await writeFile(join(data, name), content, { mode: 0o600 })
        }
        return known.outcome
      }
      // The command would make the tables, too, and take twice as long. The key comes before them.
      publishKey(join(data, 'secret.key'))
      await writeTables(file)
      const outcome = await create()
      if (outcome.code !== 0) return outcome
      const files = await Promise.all(
        [basename(file), 'secret.key'].map(async (name) => ({
          name,
          content: await readFile(join(data, name)),
        })),
      )
      created.set(key, { outcome, files })
      return outcome
    },

    /** Works directly on the database, without a command. */
    async inDatabase<T>(work: (connection: Connection) => Promise<T>): Promise<T> {
      const connection = connect(resolveSettings({ DATABASE_URL: `sqlite:${file}` }))
      try {
        return await work(connection)
      } finally {
        await connection.close()
      }
    },
  }
}

/** A connection that is kept would hold up the end of the service for a second. */
export const ONCE = { connection: 'close' }

/** A minimal client, to see who can log in. */
export const client = (url: string) => ({
  async logIn(body: Record<string, string>) {
    const headers = { ...ONCE, 'content-type': 'application/json' }
    const reply = await fetch(`${url}login/`, {
      method: 'POST',
      headers,
      body: JSON.stringify(body),
    })
    const { key } = (await reply.json()) as { key?: string }
    return { status: reply.status, key }
  },

  async isLoggedIn({ key }: { key?: string | undefined }): Promise<boolean> {
    const reply = await fetch(`${url}user/`, {
      headers: { ...ONCE, authorization: `Token ${key}` },
    })
    await reply.arrayBuffer()
    return reply.ok
  },
})

function collector(onText: (text: string) => void = () => {}) {
  const chunks: string[] = []
  const stream = new Writable({
    write(chunk, _, done) {
      chunks.push(String(chunk))
      onText(String(chunk))
      stream.emit('begin')
      done()
    },
  })
  const begins = once(stream, 'begin')
  return { stream, begins, text: () => chunks.join('') }
}
