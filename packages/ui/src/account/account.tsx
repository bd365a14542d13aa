import { useEffect, useState } from 'preact/hooks'
import { auth } from '../auth.ts'
import { Button } from '../components/button.tsx'
import { Brand, Page } from '../components/page.tsx'
import { Trouble, useTask } from '../components/task.tsx'
import { facts, hasModule } from '../facts.ts'
import { asksUsername, identifierField, shownValue } from '../identifier.ts'
import { isSignedOut, troubleOf } from '../problem.ts'
import { goTo, sendTo } from '../router.tsx'
import { say } from '../words.ts'
import { ApiKeys } from './api-keys.tsx'
import { AskAgain } from './ask-again.tsx'
import { Connected } from './connected.tsx'
import { Devices } from './devices.tsx'
import { Email } from './email.tsx'
import { Invitations } from './invitations.tsx'
import { Leaving } from './leaving.tsx'
import { declineOffer, isOfferDue } from './passkey-offer.ts'
import { Passkeys } from './passkeys.tsx'
import { Password } from './password.tsx'
import { Profile, type User } from './profile.tsx'
import { SecondFactor } from './second-factor.tsx'
import { YourData } from './your-data.tsx'

/** What the page has loaded. */
type Known = {
  user: User | null
  /** The name of the operator who uses the account, if one does. */
  operator: string | null
  /** They can do nothing but set up a second factor. */
  isFactorDue: boolean
  /** The passkeys come first. */
  offersPasskey: boolean
}

const NOTHING: Known = { user: null, operator: null, isFactorDue: false, offersPasskey: false }

/** For those who are signed in; the others are sent to the login. */
export function Account() {
  const [known, setKnown] = useState(NOTHING)
  /** It can be changed on this page. */
  const [username, setUsername] = useState('')
  const [hasLeft, setLeft] = useState(false)
  const [endings, setEndings] = useState(0)
  const countEnding = () => setEndings((count) => count + 1)
  const { isBusy, trouble, run, setTrouble } = useTask()

  const load = () => {
    const asked = auth.user.get()
    // The page waits for the offer, which would push it down later. If it fails, the page is as usual.
    return Promise.all([asked, isOfferDue(asked).catch(() => false)]).then(
      ([{ impersonated_by, mfa_setup_required, ...fields }, isDue]) => {
        // Somebody has logged in meanwhile, in another tab. This answer is about the user before.
        if (!auth.state.user) return location.reload()
        setKnown({
          user: fields,
          operator: impersonated_by?.username ?? null,
          isFactorDue: mfa_setup_required === true,
          offersPasskey: isDue,
        })
      },
      (error) => {
        if (isSignedOut(error)) sendTo('login')
        else setTrouble(troubleOf(error, []).general)
      },
    )
  }
  useEffect(() => {
    void load()
    return auth.onSignedOut((reason) => {
      if (reason !== 'logout') sendTo('login', { trouble: say('login.signedOut') })
    })
  }, [])
  useEffect(() => {
    // Without a storage, every page begins with a new login, and would load for ever.
    let isKnown = false
    return auth.onChange(({ status, user }) => {
      if (user) {
        isKnown = true
        setUsername(usernameOf(user))
      }
      // After a login in another tab, the cookie may be of another user.
      else if (isKnown && status === 'signed-in') location.reload()
    })
  }, [])

  const decline = () => {
    declineOffer()
    setKnown({ ...known, offersPasskey: false })
    // The button that had the focus is gone.
    document.querySelector('h1')?.focus()
  }

  const signOut = () =>
    run(async () => {
      await auth.logout()
      goTo('login')
    })
  /** They have set up the factor that was due. */
  const goOn = () => (facts.next === null ? load() : location.assign(facts.next))
  /** While only the second factor is shown, no button here sends that mail. */
  const askToConfirm = hasModule('registration')
    ? () => goTo('check-your-mail', {}, { about: 'address' })
    : undefined
  if (hasLeft) {
    return (
      <Page title={say('leave.done.title')}>
        <p>{say('leave.done.text')}</p>
      </Page>
    )
  }
  const { user, operator, isFactorDue, offersPasskey } = known
  if (!user && trouble === '') return <Brand />
  const isOpen = user !== null && !isFactorDue
  const isOwn = isOpen && operator === null
  return (
    <Page
      // It is another page after the setup: its heading gets the focus.
      key={String(isFactorDue)}
      wide
      title={say('account.title')}
      beside={
        <Button busy={isBusy} onClick={signOut}>
          {say(operator === null ? 'account.signOut' : 'impersonation.end')}
        </Button>
      }
    >
      <Trouble words={trouble} />
      {operator !== null && <p class="notice bad">{say('impersonation.banner', { operator })}</p>}
      {isFactorDue && <SecondFactor onSaved={goOn} onUnproved={askToConfirm} />}
      {isOwn && offersPasskey && <Passkeys onDecline={decline} />}
      {isOpen && <Profile user={user} />}
      {isOwn && (
        <>
          <Email />
          <Password username={username} onOthersEnded={countEnding} />
          {hasModule('mfa') && <SecondFactor onOthersEnded={countEnding} />}
          {hasModule('passkeys') && !offersPasskey && <Passkeys />}
          {facts.providers.length > 0 && <Connected user={user} />}
          <Devices endings={endings} />
          {facts.apiKeyScopes.length > 0 && <ApiKeys />}
          {facts.invites && <Invitations />}
          <YourData />
          {facts.deletion && <Leaving username={username} onLeft={() => setLeft(true)} />}
        </>
      )}
      <AskAgain />
    </Page>
  )
}

/** What they log in with, as password managers know it. Empty if the API does not show it. */
function usernameOf(user: object): string {
  // Nobody types a username that the service has made.
  const isByEmail = !asksUsername && facts.loginMethods.includes('email')
  return shownValue(user, isByEmail ? 'email' : identifierField().name)
}
