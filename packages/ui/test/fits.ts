import type { Page } from 'playwright-core'

/** Runs in the page. What only screen readers see is cut off on purpose, and a menu can be scrolled. */
const FIND = `(() => {
  const nameOf = (one) => one.tagName.toLowerCase() + ' “' + one.textContent.trim().slice(0, 40) + '”'
  const all = [...document.querySelectorAll('#app *')].filter(
    (one) => one.getClientRects().length > 0 && !one.closest('.unseen, .skip, nav'),
  )
  const wide = all.filter((one) => {
    const { left, right } = one.getBoundingClientRect()
    return left < -1 || right > innerWidth + 1
  })
  const cut = all.filter(
    (one) =>
      one.matches('button, .button, label, h1, h2, h3, p, legend, dt, dd, .badge') &&
      getComputedStyle(one).display !== 'inline' &&
      one.scrollWidth > one.clientWidth + 1,
  )
  return [
    ...wide.map((one) => nameOf(one) + ' is wider than the window'),
    ...cut.map((one) => nameOf(one) + ' is cut off'),
  ]
})()`

/** What is wider than the window, or than its own box. */
export const misfitsOn = (page: Page): Promise<string[]> => page.evaluate(FIND)
