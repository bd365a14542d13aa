import express from 'express'
import { expect, test } from 'vitest'
import { NOT_HUMAN, SOLVED, startCaptcha } from '../../support/captcha.ts'
import { embed, SIGNUP } from '../../support/embed.ts'
import { type Send, serving } from '../../support/hosts.ts'

test('no other path to an endpoint leads past the captcha', async () => {
  const provider = await startCaptcha()
  const { auth } = await embed({
    CAPTCHA: { ...provider.settings(), PROVIDER: 'turnstile' },
    ROUTES: { 'registration/': '/join/' },
  })
  const join = (captcha: string): RequestInit => ({
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ ...SIGNUP, captcha }),
  })
  const fetched: Send = async (path, init) =>
    auth.fetch(new Request(`http://localhost:8000${path}`, init))
  const mounted = await serving(express().use(express.json()).use(auth.express))
  for (const send of [fetched, mounted]) {
    for (const path of ['/auth/registration/', '/auth/registration', '/join/', '/join']) {
      const answer = await send(path, join('wrong'))
      expect(answer.status, path).toBe(400)
      expect(await answer.json(), path).toEqual(NOT_HUMAN)
    }
  }
  expect((await mounted('/join/', join(SOLVED))).status).toBe(201)
})
