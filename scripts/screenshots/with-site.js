import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { chromium } from 'playwright-core'
import { findBrowser, NO_BROWSER } from '../browser/find-browser.js'
import { unpackBrowser } from '../browser/packaged-browser.js'
import { startSite } from './site.js'

/** Runs the built program with these settings, and a browser, until the pictures are taken. */
export async function withSite(settings, take) {
  const found = findBrowser()
  if (!found) throw new Error(`Pictures need a browser, and ${NO_BROWSER}`)
  const folder = await mkdtemp(join(tmpdir(), 'latchkey-screenshots-'))
  const site = await startSite(folder, settings)
  const browser = await chromium.launch({
    executablePath: 'path' in found ? found.path : await unpackBrowser(join(folder, 'browser')),
    args: ['--no-sandbox'],
  })
  try {
    await take(site, browser)
  } finally {
    await browser.close()
    await site.stop()
    await rm(folder, { recursive: true, force: true })
  }
}
