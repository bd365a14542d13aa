import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { AxeResults } from 'axe-core'
import type { Page } from 'playwright-core'

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

/** Colours do not depend on the width, so these two show each colour and each width. */
const LOOKS = [
  { colorScheme: 'light', width: 360 },
  { colorScheme: 'dark', width: 1280 },
] as const

/**
 * Describing what is in order takes longer than finding it. Style sheets and media are loaded again only
 * for rules about sound, of which the pages have none.
 */
const RUN = "axe.run({ resultTypes: ['violations'], preload: false })"

/** What a person with a disability would stumble over, and where. */
async function obstaclesOn(page: Page): Promise<string[]> {
  const { violations } = (await page.evaluate(RUN)) as AxeResults
  return violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .map(({ id, nodes }) => `${id} at ${nodes[0]?.target}`)
}

/** Nothing may be wider than the window. */
const overflows = (page: Page) =>
  page.evaluate('document.documentElement.scrollWidth > document.documentElement.clientWidth')

/** Looks at a page, and keeps in `found` what stands in the way. */
export async function lookingAt(page: Page) {
  const found: string[] = []
  const protocol = await page.context().newCDPSession(page)
  const lookAt = async (heading: string) => {
    await page.getByRole('heading', { level: 1, name: heading }).waitFor()
    const isLoaded = await page.evaluate<boolean>("'axe' in globalThis")
    // Playwright would pass it through `eval`, which makes it twice as slow.
    if (!isLoaded) await protocol.send('Runtime.evaluate', { expression: AXE })
    for (const { colorScheme, width } of LOOKS) {
      await page.emulateMedia({ colorScheme })
      await page.setViewportSize({ width, height: 800 })
      const look = `${new URL(page.url()).pathname}, ${colorScheme}, ${width} pixels wide`
      found.push(...(await obstaclesOn(page)).map((obstacle) => `${look}: ${obstacle}`))
      if (await overflows(page)) found.push(`${look}: too wide`)
    }
  }
  return { found, lookAt }
}
