import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { expect, onTestFinished, test } from 'vitest'
import { useBrowser } from '../../server/test/support/browser.ts'
import { ADA, openTestSite } from './support.ts'

const browser = useBrowser()

/** A text of the deployment that wants more than it may. */
const GREEDY = `<html><head><script>top.document.title = 'owned'</script></head>
<body><img src="http://elsewhere.example/pixel"><p onclick="top.name = 'owned'">A letter</p>
<a href="{link}">Choose a password</a></body></html>`

/** Where it begins, from the top of the window. */
const topOf = async (page: Page, part: string): Promise<number> =>
  (await page.locator(part).boundingBox())?.y ?? Number.NaN

test('a link in the HTML of a mail opens in the tab; scripts and pictures from elsewhere do not', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'latchkey-greedy-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  await writeFile(join(folder, 'reset-password.html'), GREEDY)
  const site = await openTestSite({ EMAIL_TEMPLATES_DIR: folder })
  await site.user({ email: ADA })
  const body = new URLSearchParams({ email: ADA })
  await fetch(`${site.api}password/reset/`, { method: 'POST', body })
  await site.letter()

  const { page } = await site.visit(browser(), { viewport: { width: 360, height: 800 } })
  const loaded: string[] = []
  page.on('response', (response) => loaded.push(response.url()))
  await page.goto('/auth/dev/mailbox/')
  expect(
    await page.evaluate(
      'document.documentElement.scrollWidth <= document.documentElement.clientWidth',
    ),
  ).toBe(true)
  await page.getByRole('navigation').getByRole('link').first().click()
  // On a phone, the mail is not below all others.
  expect(await topOf(page, 'article')).toBeLessThan(await topOf(page, 'nav'))
  const mail = page.frameLocator('iframe')
  await mail.getByText('A letter').click()
  expect(await page.title()).not.toBe('owned')
  expect(await page.evaluate('window.name')).toBe('')

  await mail.getByRole('link', { name: 'Choose a password' }).click()
  await page.waitForURL(/\/account\/password\/reset\//)
  expect(loaded.filter((url) => !url.startsWith(site.url) && !url.startsWith('data:'))).toEqual([])
})
