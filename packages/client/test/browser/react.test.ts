import { expect, test } from 'vitest'
import { useBrowser } from '../../../server/test/support/browser.ts'
import type { AuthClient } from '../../src/index.ts'
import { bundle, newContext, openTab } from '../support/page.ts'
import { ADA, startService } from '../support/start-service.ts'

declare const auth: AuthClient
declare const show: (client: AuthClient) => void

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
