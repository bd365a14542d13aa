import { expect, test } from 'vitest'
import { useBrowser } from '../../../server/test/support/browser.ts'
import type { AuthClient } from '../../src/index.ts'
import { bundle, newContext, openTab } from '../support/page.ts'
import { ADA, startService } from '../support/start-service.ts'

declare const auth: AuthClient
declare const show: (client: AuthClient) => void
declare const hydrate: (client: AuthClient, differences: string[]) => void

const browser = useBrowser()

test('a component shows who is signed in, and asks once', async () => {
  const service = await startService({ REST_AUTH: { TOKEN_MODEL: null } })
  const context = await newContext(browser())
  const { page, sent } = await openTab(context, service, { mode: 'session' })
  const shows = (text: string) =>
    page.waitForFunction((expected) => document.body.innerText.includes(expected), text)

  await page.addScriptTag({ content: await bundle('react-page.js') })
  await page.evaluate(() => show(auth))
  await shows('signed-out: nobody\n\nsigned-out: nobody')
  expect(sent).toEqual(['GET user/'])

  await page.evaluate((ada) => auth.login(ada), ADA)
  await shows('signed-in: ada\n\nsigned-in: ada')
  expect(sent).toEqual(['GET user/', 'POST login/', 'GET user/'])

  const other = await openTab(context, service, { mode: 'session' })
  await other.page.evaluate(() => auth.logout())
  await shows('signed-out: nobody\n\nsigned-out: nobody')
})

test('a page that knows the user early takes over the markup of the server without a difference', async () => {
  const service = await startService({ REST_AUTH: { TOKEN_MODEL: null } })
  const context = await newContext(browser())
  const { page, sent } = await openTab(context, service, { mode: 'session' })
  await page.addScriptTag({ content: await bundle('react-page.js') })
  const differences = await page.evaluate(async (ada) => {
    await auth.login(ada)
    await auth.restore()
    document.body.innerHTML = '<p>unknown: nobody</p><p>unknown: nobody</p>'
    const found: string[] = []
    hydrate(auth, found)
    const isDone = () => document.body.innerText === 'signed-in: ada\n\nsigned-in: ada'
    while (!isDone()) await new Promise(requestAnimationFrame)
    return found
  }, ADA)
  expect(differences).toEqual([])
  expect(sent).toEqual(['POST login/', 'GET user/'])
})
