import connect from 'connect'
import express from 'express'
import express4 from 'express4'
import Fastify from 'fastify'
import { expect, test } from 'vitest'
import { embed, PASSWORD, SIGNUP } from '../../support/embed.ts'
import { listening, type Send, serving } from '../../support/hosts.ts'

type Embedded = Awaited<ReturnType<typeof embed>>['auth']

const MUCH = 20 * 1024 * 1024
const JSON_TYPE = 'application/json'
const FORM_TYPE = 'application/x-www-form-urlencoded'

/** Hosts that allow far more than we do, and some that read nothing. */
const HOSTS: Record<string, (auth: Embedded) => Promise<Send>> = {
  async Fastify({ fastify }) {
    const app = Fastify({ bodyLimit: MUCH })
    await app.register(fastify)
    return listening(app)
  },
  'Express after its parsers': ({ express: mount }) =>
    serving(
      express()
        .use(express.json({ limit: MUCH, strict: false }))
        .use(express.urlencoded({ limit: MUCH, extended: true }))
        .use(mount),
    ),
  'Express 4 after its parsers': ({ express: mount }) =>
    serving(
      express4()
        .use(express4.json({ limit: MUCH, strict: false }))
        .use(express4.urlencoded({ limit: MUCH, extended: true }))
        .use(mount),
    ),
  Express: ({ express: mount }) => serving(express().use(mount)),
  Connect: ({ express: mount }) => serving(connect().use(mount)),
  'node:http': ({ express: mount }) => serving(mount),
  fetch: async (auth) => (path, init) =>
    auth.fetch(new Request(`http://localhost:8000${path}`, init)),
}

const nested = (depth: number, open = '[', shut = ']') => open.repeat(depth) + shut.repeat(depth)
const named = (count: number, value: string) =>
  Array.from({ length: count }, (_, n) => `"a${n}":${value}`).join(',')

const LOGIN = JSON.stringify({ username: 'ada', password: PASSWORD })

/** What is sent, and the status that it gets everywhere. */
const BODIES: Record<string, { status: number; body: string; type?: string }> = {
  'a good login, with numbers and lists beside it': {
    status: 200,
    body: `{"n":1,"deep":${nested(20)},${LOGIN.slice(1)}`,
  },
  'more than 64 KiB': { status: 413, body: JSON.stringify({ username: 'a'.repeat(70_000) }) },
  'more than 64 KiB of blanks': { status: 413, body: `${LOGIN}${' '.repeat(70_000)}` },
  'more than 64 KiB of numbers': { status: 413, body: `{${named(90_000, '1')}}` },
  'more than 64 KiB of a form': {
    status: 413,
    type: FORM_TYPE,
    body: `username=${'a'.repeat(70_000)}`,
  },
  'lists in lists': { status: 400, body: nested(20_000) },
  'lists in lists in a field': { status: 400, body: `{"deep":${nested(20_000)},${LOGIN.slice(1)}` },
  'objects in objects': {
    status: 400,
    body: `{"a":${nested(6_000, '{"a":', '}').replace(':}', ':1}')}}`,
  },
  'names in names of a form': {
    status: 400,
    type: FORM_TYPE,
    body: `username${'[a]'.repeat(900)}=ada&password=x`,
  },
  'a text that is JSON': { status: 400, body: JSON.stringify(LOGIN) },
  'a text that is JSON, with escapes': {
    status: 400,
    body: JSON.stringify(LOGIN).replaceAll('a', '\\u0061'),
  },
  'a number beyond all': { status: 400, body: '{"username":1e400,"password":1e400}' },
  'a number of 60,000 digits': { status: 400, body: `{"username":${'9'.repeat(60_000)}}` },
  'thousands of numbers': { status: 400, body: `{"username":1,${named(6_000, '1')}}` },
  'JSON of another type': { status: 415, type: 'text/plain', body: LOGIN },
  'JSON in another charset': { status: 415, type: `${JSON_TYPE}; charset=iso-8859-1`, body: LOGIN },
}

test.each(Object.keys(HOSTS))('%s: our limits hold, whatever the host allows', async (name) => {
  const { auth } = await embed({ REST_FRAMEWORK: { DEFAULT_THROTTLE_RATES: {} } })
  const send = (await HOSTS[name]?.(auth)) as Send
  const post = (path: string, type: string, body: string) =>
    send(path, { method: 'POST', headers: { 'content-type': type }, body })
  expect((await post('/auth/registration/', JSON_TYPE, JSON.stringify(SIGNUP))).status).toBe(201)

  for (const [what, { status, body, type = JSON_TYPE }] of Object.entries(BODIES)) {
    const answer = await post('/auth/login/', type, body)
    expect([what, answer.status]).toEqual([what, status])
    expect(answer.headers.getSetCookie().length > 0).toBe(status === 200)
  }
  const unknown = await post('/auth/nothing/', JSON_TYPE, `{${named(90_000, '1')}}`)
  expect(unknown.status).toBe(404)
})
