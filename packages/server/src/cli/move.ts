import { existsSync } from 'node:fs'
import { relative } from 'node:path'
import { counted } from '../kernel/texts.ts'
import { absoluteUrl, databaseFile, isSameDatabase } from '../settings/kinds/connection-urls.ts'
import { holdSameKey, keyFileOf } from '../settings/secret-key.ts'
import { type Settings, topLevel } from '../settings/settings.ts'
import { type Connection, connect } from '../storage/connect.ts'
import { isLockedOut } from '../storage/faults.ts'
import { type Compared, compare, move as moveAll, sideOf } from '../storage/move/move.ts'
import { command } from './command.ts'
import { isInMemory, isThere } from './database-file.ts'
import { explainingFaults } from './explaining-faults.ts'
import { stopping } from './io.ts'
import { loadFor, type SettingsCall, settingsOptions } from './load-settings.ts'
import { progressOf, shellWord } from './output.ts'
import { refusal, usageRefusal } from './refusal.ts'

const { kind } = topLevel.DATABASE_URL
const FORMS = 'sqlite:<file> or postgres://user:password@host/database'

export const move = command({
  argument: {
    placeholder: '<from url>',
    doc: `the database to copy, ${FORMS}`,
    followedBy: { placeholder: '<to url>', doc: 'the empty database to copy it into', once: true },
  },
  options: {
    check: { type: 'flag', doc: 'Copy nothing: only compare the two databases, table by table' },
    'read-only': {
      type: 'flag',
      doc: 'Let a running service answer reads during the move; writes get 503',
    },
    ...settingsOptions,
  },
  async run(call) {
    const { values, argument, rest, io, say } = call
    if (values.check && values['read-only']) {
      throw usageRefusal('--check copies nothing, so it needs no --read-only.')
    }
    const from = urlOf(argument, '<from url>', io.cwd)
    const to = urlOf(rest[0] ?? '', '<to url>', io.cwd)
    if (isSameDatabase(from, to)) throw usageRefusal('Source and target are the same database.')
    const file = databaseFile(from)
    if (file !== null && !isThere(file)) throw refusal(`The source ${file} does not exist.`)
    const target = databaseFile(to)
    if (values.check && target !== null && !isThere(target)) {
      throw refusal(`The target ${target} does not exist.`)
    }

    const { settings } = await loadFor(withoutDatabase(call))
    const isStopping = stopping(call)
    const outside = {
      freezes: values['read-only'],
      say: (words: string) => void io.stderr.write(`${words}\n`),
      progress: (what: string, total: number) => progressOf(what, total, io),
      goOn() {
        if (isStopping()) throw refusal('Stopped. Nothing was moved; run the same command again.')
      },
    }
    const compared = await withBoth(settings, from, to, (source, target) =>
      values.check ? compare(source, target, outside) : moveAll(source, target, outside),
    )

    const wrong = compared.filter(({ isSame }) => !isSame)
    const advice = values.check ? [] : keyAdvice(from, to, io.cwd)
    say([...summaryOf(compared, values.check), ...wrong.map(difference), ...advice].join('\n'), {
      same: wrong.length === 0,
      tables: compared,
      ...(advice.length > 0 && { next: advice }),
    })
    if (wrong.length > 0) {
      throw refusal(`The databases differ in ${wrong.map(({ table }) => table).join(', ')}.`)
    }
  },
})

/** Rules about `DATABASE_URL` must not stop a move: neither database has to be the one of the settings. */
const withoutDatabase = <C extends SettingsCall>(call: C): C => ({
  ...call,
  values: { ...call.values, set: [...call.values.set, 'DATABASE_URL=sqlite:moved.db'] },
})

/** A wrong URL is never repeated, since it may hold a password. */
function urlOf(text: string, placeholder: string, cwd: string): string {
  const parsed = kind.parse(text)
  if ('mistakes' in parsed) {
    const special = parsed.mistakes.find(({ expected }) => expected !== kind.expected)
    throw usageRefusal(`${placeholder}: expected ${special?.expected ?? FORMS}.`)
  }
  const url = parsed.value
  if (isInMemory(url)) {
    throw usageRefusal(`${placeholder}: a database in memory ends with its process.`)
  }
  return absoluteUrl(url, cwd)
}

async function withBoth<T>(
  settings: Settings,
  from: string,
  to: string,
  work: (source: Connection, target: Connection) => Promise<T>,
): Promise<T> {
  const opened: Connection[] = []
  const open = (url: string) =>
    explainingFaults({ ...settings, DATABASE_URL: url }, async () => {
      const connection = connect({ ...settings, DATABASE_URL: url })
      opened.push(connection)
      return connection
    })
  try {
    const source = await open(from)
    const target = await open(to)
    return await work(source, target).catch((error) => {
      const side = sideOf(error) ?? 'source'
      if (isLockedOut(error)) {
        throw refusal(`Another program writes to the ${side}, perhaps another "latchkey move".`)
      }
      const DATABASE_URL = side === 'target' ? to : from
      return explainingFaults({ ...settings, DATABASE_URL }, () => Promise.reject(error))
    })
  } finally {
    for (const connection of opened) await connection.close()
  }
}

function summaryOf(compared: readonly Compared[], isCheck: boolean): string[] {
  const sum = compared.reduce((rows, { source }) => rows + source.rows, 0)
  const rows = counted(sum, 'row')
  if (compared.some(({ isSame }) => !isSame)) return []
  return [
    ...(isCheck ? [] : [`Moved ${rows} in ${compared.length} tables.`]),
    `Counts, digests and sequences of all ${compared.length} tables are the same in both databases (${rows}).`,
  ]
}

function difference({ table, source, target }: Compared): string {
  if (source.rows !== target.rows) {
    return `${table}: ${source.rows} rows at the source, ${target.rows} at the target`
  }
  if (source.digest !== target.digest) return `${table}: as many rows, but not the same`
  return `${table}: the last id is ${source.lastId} at the source, ${target.lastId} at the target`
}

/** What the operator has to do so that the target gets the same SECRET_KEY. It is never printed. */
function keyAdvice(from: string, to: string, cwd: string): readonly string[] {
  const [ours, theirs] = [keyFileOf(from), keyFileOf(to)]
  const isHere = ours !== null && existsSync(ours)
  if (!isHere) return ['Start the target with the same SECRET_KEY as the source.']
  if (ours === theirs) return []
  const source = shown(ours, cwd)
  const first = `The SECRET_KEY of the source is in ${source}, unless its settings give another one.`
  if (theirs === null) {
    return [`${first} The target needs the same:`, `  export SECRET_KEY="$(cat ${source})"`]
  }
  if (existsSync(theirs) && holdSameKey(ours, theirs)) return []
  const other = existsSync(theirs) ? ` Another key is in ${shown(theirs, cwd)}; replace it:` : ''
  return [
    `${first} The target needs the same.${other || ' Copy it:'}`,
    `  cp -p ${source} ${shown(theirs, cwd)}`,
  ]
}

const shown = (file: string, cwd: string): string => {
  const short = relative(cwd, file)
  return shellWord(short.startsWith('..') ? file : short)
}
