import { expect, test } from 'vitest'
import { type Import, importedByPages, importsOf, sourceFiles, textOf } from './imports.ts'

/** From top to bottom: a folder may import those below it, never one above or beside it. */
const FLOORS = [
  ['launch.ts', 'main.ts', 'worker.ts'],
  ['django/commands'],
  ['cli'],
  ['testing-vitest.ts', 'testing-playwright.ts'],
  ['testing.ts'],
  ['testing'],
  ['index.ts'],
  ['library'],
  ['server'],
  ['mount'],
  ['compose-service.ts'],
  ['django/export'],
  ['django/import'],
  ['django/map'],
  ['features'],
  ['http'],
  ['core'],
  ['django/settings'],
  ['settings'],
  ['verify.ts'],
  ['verify'],
  ['django/source'],
  ['storage', 'crypto', 'mailer', 'outbound'],
  ['kernel', 'version.ts', 'built-pages.ts', 'shipped-words.ts'],
]

/** In the order in which they are added: each may use those before it. */
const FEATURES = [...textOf('compose-service.ts').matchAll(/\badd\((\w+)Feature\b/g)].map(
  ([, name]) => name,
)

const imports = sourceFiles().flatMap(importsOf)
const within = imports.filter(({ to }) => to.endsWith('.ts'))
const isOfDjango = (file: string): boolean => file.startsWith('django/')
const roomOf = (file: string): string =>
  file
    .split('/')
    .slice(0, isOfDjango(file) ? 2 : 1)
    .join('/')
/** The command line loads the commands of `packages/django` when they are run. */
const loadsCommand = ({ from, to, isLazy }: Import): boolean =>
  isLazy && roomOf(from) === 'cli' && roomOf(to) === 'django/commands'
const floorOf = (file: string): number => FLOORS.findIndex((rooms) => rooms.includes(roomOf(file)))
const shown = ({ from, to }: Import): string => `${from} → ${to}`

const featureOf = (file: string): string | undefined => /^features\/([^/]+)\//.exec(file)?.[1]

test('every folder of a feature is added, once', () => {
  const folders = new Set(sourceFiles().flatMap((file) => featureOf(file) ?? []))
  expect(FEATURES.toSorted()).toEqual([...folders].sort())
})

test('every file stands in a room', () => {
  expect(sourceFiles().filter((file) => floorOf(file) < 0)).toEqual([])
})

test('arrows between rooms go down', () => {
  const wrong = within.filter(
    (one) =>
      roomOf(one.from) !== roomOf(one.to) &&
      floorOf(one.from) >= floorOf(one.to) &&
      !loadsCommand(one),
  )
  expect(wrong.map(shown)).toEqual([])
})

test('the server knows packages/django as commands that it loads when they are run', () => {
  const known = within.filter(({ from, to }) => !isOfDjango(from) && isOfDjango(to))
  expect(known.filter(loadsCommand)).toHaveLength(4)
  expect(known.filter((one) => !loadsCommand(one)).map(shown)).toEqual([])
})

test('arrows between features go back in their order', () => {
  const wrong = within.filter(({ from, to }) => {
    const [user, used] = [featureOf(from), featureOf(to)]
    if (!user || !used || user === used) return false
    return FEATURES.indexOf(user) <= FEATURES.indexOf(used)
  })
  expect(wrong.map(shown)).toEqual([])
})

test('the hosted pages share the kernel with the server, and nothing else', () => {
  const shared = importedByPages()
  expect(shared).not.toEqual([])
  expect(shared.filter((file) => roomOf(file) !== 'kernel')).toEqual([])
})

test('nobody but a feature itself knows its queries', () => {
  const wrong = within.filter(
    ({ from, to }) => to.endsWith('-queries.ts') && featureOf(from) !== featureOf(to),
  )
  expect(wrong.map(shown)).toEqual([])
})

/** They read and write databases: our own, and the one of a Django project. */
const isStorage = (file: string): boolean => ['storage', 'django/source'].includes(roomOf(file))

test('SQL is known to queries and storage alone', () => {
  const mayKnow = (file: string) => file.endsWith('-queries.ts') || isStorage(file)
  const wrong = imports.filter(({ from, to }) => to === 'kysely' && !mayKnow(from))
  expect(wrong.map(shown)).toEqual([])
})

/** Files of a feature that use HTTP, or describe what a caller sends, say so in their names. */
const SPEAKS_HTTP =
  /(-endpoints?|-pages|operations?|feature|(^|\/)(authenticate|answer)-[^/]*)\.ts$/

test('a service knows no HTTP', () => {
  const rooms = ['features', 'django/map', 'django/import', 'django/export']
  const isService = (file: string) => rooms.includes(roomOf(file)) && !SPEAKS_HTTP.test(file)
  const wrong = imports.filter(
    ({ from, to }) => isService(from) && (to === 'fastify' || roomOf(to) === 'http'),
  )
  expect(wrong.map(shown)).toEqual([])
})

test('there are no cycles', () => {
  const open = new Set<string>()
  const done = new Set<string>()
  const cycles: string[] = []
  const visit = (file: string): void => {
    if (done.has(file)) return
    if (open.has(file)) {
      cycles.push([...open, file].join(' → '))
      return
    }
    open.add(file)
    for (const { to } of importsOf(file)) if (to.endsWith('.ts')) visit(to)
    open.delete(file)
    done.add(file)
  }
  for (const file of sourceFiles()) visit(file)
  expect(cycles).toEqual([])
})

test('no file is longer than 250 lines', () => {
  const long = sourceFiles().filter((file) => textOf(file).split('\n').length > 250)
  expect(long).toEqual([])
})

test('only the settings read the environment', () => {
  const readers = sourceFiles().filter((file) => textOf(file).includes('process.env'))
  expect(readers).toEqual(['library/settings.ts', 'main.ts'])
})

test('time and randomness come from the kernel', () => {
  const own = sourceFiles().filter((file) => /Date\.now\(|Math\.random\(/.test(textOf(file)))
  expect(own.filter((file) => roomOf(file) !== 'kernel')).toEqual([])
})

/** What can be asked about a file without opening it. */
const LEAVES_CLOSED = new Set(
  'accessSync constants existsSync mkdirSync mkdtemp readlinkSync realpathSync rm statSync'.split(
    ' ',
  ),
)

/** Of those who know the database file: the first creates it, the second opens the key beside it. */
const MAY_OPEN = ['settings/secret-key.ts', 'storage/sqlite-file.ts']

// Whoever closes the file drops the locks of all connections of this process to it.
test('only the driver opens a database file', () => {
  const knowing = sourceFiles().filter(
    (file) => isStorage(file) || /\bdatabaseFile\(/.test(textOf(file)),
  )
  const opening = knowing.filter((file) =>
    [...textOf(file).matchAll(/import (.+?) from 'node:fs(?:\/promises)?'/gs)]
      .flatMap(([, names = '']) => names.match(/\w+/g) ?? [])
      .some((name) => !LEAVES_CLOSED.has(name)),
  )
  expect(opening).toEqual(MAY_OPEN)
  const drivers = imports.filter(({ to }) => to === 'libsql' || to === 'node:sqlite')
  expect(drivers.filter(({ from }) => !isStorage(from)).map(shown)).toEqual([])
})
