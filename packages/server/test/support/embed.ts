import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, vi } from 'vitest'
import { type AuthOptions, createAuth, type SettingsInput } from '../../src/index.ts'
import type { Host, Send } from './hosts.ts'
import { emptyDatabase } from './new-database.ts'
import { SECRET_KEY } from './start-auth.ts'

export const ADA = { username: 'ada', email: 'ada@example.com' }
export const PASSWORD = 'Nn-5566-yy-lantern'
export const SIGNUP = { ...ADA, password1: PASSWORD, password2: PASSWORD }

/** As a browser asks for a page, and sends a form of it. */
export const PAGE = { accept: 'text/html' }
export const FORM = { ...PAGE, 'content-type': 'application/x-www-form-urlencoded' }

export const QUIET = { info() {}, warn() {}, error() {} }

/** A service as a program embeds it: by the public face alone. Its mails are files. */
export async function embed(input: SettingsInput = {}, options: AuthOptions = {}) {
  const folder = await mkdtemp(join(tmpdir(), 'latchkey-mails-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  const auth = await createAuth(
    {
      SECRET_KEY,
      DATABASE_URL: input.DATABASE_URL ?? (await emptyDatabase(onTestFinished)),
      DATABASE_READ_TIMEOUT: '30s',
      DATABASE_WRITE_TIMEOUT: '30s',
      EMAIL_URL: `file://${folder}`,
      ...input,
    },
    { log: QUIET, ...options },
  )
  onTestFinished(() => auth.close())

  /** Waits for a mail with a link to such a path, and returns the link. */
  const link = (path: string): Promise<string> =>
    vi.waitFor(
      async () => {
        const names = (await readdir(folder)).filter((name) => name.endsWith('.eml'))
        const mails = await Promise.all(names.map((name) => readFile(join(folder, name), 'utf8')))
        const text = mails.join('').replaceAll('=\r\n', '').replaceAll('=3D', '=')
        const found = text.match(new RegExp(`http[^\\s"]*${path}[^\\s"]*`))?.[0]
        expect(found).toBeDefined()
        return String(found)
      },
      { timeout: 120_000 },
    )

  return { auth, link }
}

/** A program for the API of a host: sends JSON, and keeps cookies if it is a browser. */
export function callerOf(send: Send, { api }: Pick<Host, 'api'>) {
  const jar = new Map<string, string>()

  async function call(
    method: string,
    path: string,
    body?: unknown,
    headers: Record<string, string> = {},
  ) {
    const all = new Headers(headers)
    if (jar.size > 0) all.set('cookie', [...jar].map((pair) => pair.join('=')).join('; '))
    const token = jar.get('csrftoken') ?? jar.get('latchkey_admin_csrf')
    if (token) all.set('x-csrftoken', token)
    if (body !== undefined && !all.has('content-type')) all.set('content-type', 'application/json')
    const response = await send(path.startsWith('/') ? path : `${api}${path}`, {
      method,
      headers: all,
      ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    })
    const setCookies = response.headers.getSetCookie()
    for (const line of setCookies) keep(line)
    const text = await response.text()
    const isJson = response.headers.get('content-type')?.startsWith('application/json')
    return {
      status: response.status,
      headers: response.headers,
      setCookies,
      body: isJson && text !== '' ? JSON.parse(text) : text,
    }
  }

  function keep(line: string): void {
    const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? []
    if (/max-age=0/i.test(line)) jar.delete(name)
    else jar.set(name, value)
  }

  return {
    call,
    get: (path: string, headers?: Record<string, string>) => call('GET', path, undefined, headers),
    post: (path: string, body?: unknown, headers?: Record<string, string>) =>
      call('POST', path, body, headers),
  }
}
