import type { CaptchaFacts } from '../../../server/src/kernel/page-facts.ts'
import { language } from '../words.ts'

/** What a page does with a widget that it shows. */
export type CaptchaWidget = { reset(): void; remove(): void }

type Options = Record<string, unknown>

/** Turnstile, hCaptcha and reCAPTCHA have the same functions. */
type Api = {
  render(box: HTMLElement, options: Options): string | number
  reset(id: string | number): void
  /** reCAPTCHA has none. */
  remove?(id: string | number): void
}

type FriendlyApi = {
  createWidget(options: Options): {
    addEventListener(name: string, listen: (event: CustomEvent<{ response: string }>) => void): void
    reset(): void
    destroy(): void
  }
}

type Globals = {
  turnstile?: Api
  hcaptcha?: Api
  grecaptcha?: Api
  frcaptcha?: FriendlyApi
  /** The scripts call it once they can be used. */
  captchaReady?: () => void
}

const globals = window as Globals

/** No script takes longer, unless something holds it back. */
const PATIENCE_MS = 15_000

/** What the usual size of a widget needs, in pixels. */
const WIDTH = 304

/** The providers name the two kinds of Chinese by country. */
const spoken =
  { 'zh-Hans': 'zh-CN', 'zh-Hant': 'zh-TW' }[language as 'zh-Hans' | 'zh-Hant'] ?? language

let loaded: Promise<void> | undefined

/** Loads the script of the provider once. After a failure, the next form tries again. */
function load({ provider, script: address }: CaptchaFacts): Promise<void> {
  loaded ??= new Promise<void>((resolve, reject) => {
    const script = document.createElement('script')
    const url = new URL(address)
    if (provider === 'recaptcha') url.searchParams.set('hl', spoken)
    script.src = url.href
    const fail = () => reject(new Error(`${url.href} could not be loaded`))
    script.onerror = fail
    setTimeout(fail, PATIENCE_MS)
    globals.captchaReady = resolve
    if (provider === 'friendly') script.onload = () => resolve()
    document.head.append(script)
  })
  loaded.catch(() => {
    loaded = undefined
  })
  return loaded
}

/** Shows a widget. `tell` gets every solution, and an empty one when it is no longer good. */
type Show = (place: HTMLElement, tell: (solution: string) => void) => CaptchaWidget

export async function loadCaptcha(facts: CaptchaFacts): Promise<Show> {
  await load(facts)
  const { turnstile, hcaptcha, grecaptcha, frcaptcha } = globals
  const { provider, siteKey, endpoint } = facts
  const api = { turnstile, hcaptcha, recaptcha: grecaptcha, friendly: undefined }[provider]
  return (place, tell) => {
    // A box of its own, since some widgets remove theirs.
    const box = document.createElement('div')
    place.replaceChildren(box)
    const options = { sitekey: siteKey, theme: themeNow(), language: spoken }
    if (api) return showIn(api, box, options, tell)
    if (frcaptcha) return showFriendly(frcaptcha, box, { ...options, apiEndpoint: endpoint }, tell)
    throw new Error(`The script of ${provider} has loaded nothing`)
  }
}

/** Most widgets cannot follow the system by themselves. */
const themeNow = () => (matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light')

type Tell = Parameters<Show>[1]

function showIn(api: Api, box: HTMLElement, options: Options, tell: Tell): CaptchaWidget {
  const id = api.render(box, {
    ...options,
    hl: options.language,
    size: box.clientWidth < WIDTH ? 'compact' : 'normal',
    callback: tell,
    'expired-callback': () => tell(''),
    'error-callback': () => tell(''),
  })
  return { reset: () => api.reset(id), remove: () => api.remove?.(id) }
}

function showFriendly(api: FriendlyApi, box: HTMLElement, options: Options, tell: Tell) {
  const widget = api.createWidget({ ...options, element: box })
  widget.addEventListener('frc:widget.complete', ({ detail }) => tell(detail.response))
  widget.addEventListener('frc:widget.expire', () => tell(''))
  widget.addEventListener('frc:widget.error', () => tell(''))
  return { reset: () => widget.reset(), remove: () => widget.destroy() }
}
