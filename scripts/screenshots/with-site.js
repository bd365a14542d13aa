import { join } from 'node:path'
import { chromium } from 'playwright-core'
import { findBrowser, NO_BROWSER } from '../browser/find-browser.js'
import { unpackBrowser } from '../browser/packaged-browser.js'
import { inFolder } from '../in-folder.js'
import { startSite } from './site.js'

/** Runs the built program with these settings, and a browser, until the pictures are taken. */
export async function withSite(settings, take) {
  const found = findBrowser()
  if (!found) throw new Error(`Pictures need a browser, and ${NO_BROWSER}`)
  await inFolder(async (folder, atTheEnd) => {
    const site = await startSite(folder, settings)
    atTheEnd(site.stop)
    const browser = await chromium.launch({
      executablePath: 'path' in found ? found.path : await unpackBrowser(join(folder, 'browser')),
      args: ['--no-sandbox'],
    })
    atTheEnd(() => browser.close())
    await take(site, browser)
  })
}
