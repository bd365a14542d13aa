import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { deployChecks } from '../../src/settings/deploy.ts'
import { findingsOf } from '../../src/settings/finding.ts'
import { resolveSource } from '../../src/settings/resolve.ts'
import { fromEnvironment } from '../../src/settings/sources.ts'

const read = (file: string): string =>
  readFileSync(new URL(`../../../../${file}`, import.meta.url), 'utf8')

/** Blocks of lines `NAME=value` in the document. Commands that make a key are replaced by a key. */
const blocks = [...read('docs/deployment.md').matchAll(/^```sh\n((?:[A-Z_]+=.*\n)+)```$/gm)].map(
  ([, lines = '']) => lines.replaceAll(/<openssl rand -hex \d+>/g, '0123456789abcdef'.repeat(4)),
)

function environment(lines = ''): Record<string, string> {
  const pairs = lines.matchAll(/^([A-Z_]+)=(?:'(.*)'|(.*))$/gm)
  return Object.fromEntries([...pairs].map(([, name, quoted, plain]) => [name, quoted ?? plain]))
}

/** The environment that compose gives to the service, with the `.env` of the document. */
function composed(env: Record<string, string>): Record<string, string> {
  const block = /^ {4}environment:\n((?: {6}.*\n)+)/m.exec(read('compose.yaml'))?.[1] ?? ''
  const filledIn = block.replaceAll(/\$\{([A-Z_]+):[?-][^}]*\}/g, (_, name) => env[name] ?? '')
  const pairs = filledIn.matchAll(/^ +([A-Z_]+): (?:'(.*)'|"(.*)"|(.*))$/gm)
  return Object.fromEntries(
    [...pairs].map(([, name, one, two, plain]) => [name, one ?? two ?? plain]),
  )
}

const findings = (env: Record<string, string>) =>
  findingsOf(deployChecks, resolveSource(fromEnvironment(env)))

test('what compose.yaml gives is a sound deployment', () => {
  const dotenv = environment(blocks[0])
  const env = composed(dotenv)
  expect(env).toMatchObject({
    DATABASE_URL: expect.stringMatching(/^postgres:/),
    SECRET_KEY: dotenv.SECRET_KEY,
  })
  expect(findings(env)).toEqual([])
})

test('what the document gives to the unit is a sound deployment', () => {
  const unit = environment(blocks[1])
  expect(Object.keys(unit).length).toBeGreaterThan(5)
  const DATABASE_URL =
    /^Environment=DATABASE_URL=(.*)$/m.exec(read('deploy/latchkey.service'))?.[1] ?? ''
  expect(findings({ DATABASE_URL, ...unit })).toEqual([])
})

test('the lines for the unit mean the same to a shell', () => {
  expect(blocks[1]).toMatch(/^(?:[A-Z_]+='[^'\n]*'\n)+$/)
})

test('the proxies hide what is for operators only, however the service lets it be spelt', () => {
  const text = read('docs/deployment.md')
  const nginx = new RegExp(/location ~ (\S+) \{ return 404; \}/.exec(text)?.[1] ?? 'none')
  const caddy = /@internal path (.*)\n\s+respond @internal 404/.exec(text)?.[1]?.split(' ') ?? []
  for (const path of ['/metrics', '/healthz', '/readyz']) {
    for (const spelling of [path, `${path}/`]) {
      expect(spelling).toMatch(nginx)
      expect(caddy).toContain(spelling)
    }
    expect(`/auth${path}`).not.toMatch(nginx)
  }
})

test('the service is not process 1 of the image, which would miss an early signal', () => {
  expect(read('Dockerfile')).toMatch(/apt-get install .*\btini\b/)
  expect(read('Dockerfile')).toMatch(/^ENTRYPOINT \["tini", "--", "latchkey"\]$/m)
})

test('neither the image nor the services need root, or a file system to write to', () => {
  expect(read('Dockerfile')).toMatch(/^USER node$/m)
  const [, latchkey = '', postgres = ''] = read('compose.yaml').split(
    /^ {2}(?:latchkey|postgres):$/m,
  )
  for (const service of [latchkey, postgres]) {
    expect(service).toMatch(/^ {4}read_only: true$/m)
    expect(service).toMatch(/^ {6}- no-new-privileges:true$/m)
  }
  expect(read('deploy/latchkey.service')).toMatch(/^User=latchkey$/m)
  expect(read('deploy/latchkey.service')).toMatch(/^ProtectSystem=strict$/m)
})
