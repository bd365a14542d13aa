import type { FunctionComponent, JSX } from 'preact'
import { Brand, Page } from './components/page.tsx'
import { Trouble } from './components/task.tsx'
import { facts } from './facts.ts'
import { useLater } from './later.ts'
import { Callback } from './pages/callback.tsx'
import { CheckYourMail } from './pages/check-your-mail.tsx'
import { ForgotPassword } from './pages/forgot-password.tsx'
import { Login } from './pages/login.tsx'
import { LoginCode } from './pages/login-code.tsx'
import { Register } from './pages/register.tsx'
import { ResetPassword } from './pages/reset-password.tsx'
import { TwoFactor } from './pages/two-factor.tsx'
import { reload, usePlace } from './router.tsx'
import { loadWords, say } from './words.ts'

const PAGES: Readonly<Record<string, FunctionComponent>> = {
  '': Account,
  login: Login,
  'login/code': LoginCode,
  'two-factor': TwoFactor,
  register: Register,
  'check-your-mail': CheckYourMail,
  'password/reset': ForgotPassword,
}

/** The pages whose path goes on with a name or a key. */
const BELOW: Readonly<Record<string, FunctionComponent>> = {
  callback: Callback,
  invitation: Register,
}

export function App(): JSX.Element {
  const place = usePlace()
  const [, uid, token] = /^password\/reset\/([^/]+)\/([^/]+)$/.exec(place) ?? []
  if (uid && token) return <ResetPassword uid={uid} token={token} />
  const Shown = PAGES[place] ?? BELOW[place.slice(0, place.indexOf('/'))] ?? Login
  return <Shown key={place} />
}

/** The account page is as large as all others together, so it is loaded when it is needed. */
function Account() {
  const Loaded = useLater(async () => {
    const isComplete = 'account.title' in facts.words
    try {
      const [module] = await Promise.all([import('./account/account.tsx'), loadWords()])
      return module.Account
    } catch {
      // After an update of the service, only a new page knows the names of the files.
      return isComplete ? Unreachable : new Promise<never>(reload)
    }
  })
  return Loaded ? <Loaded /> : <Brand />
}

const Unreachable = () => (
  <Page title={say('account.title')}>
    <Trouble words={say('errors.network')} />
  </Page>
)
