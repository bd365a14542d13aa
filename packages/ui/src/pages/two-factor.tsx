import { useEffect, useState } from 'preact/hooks'
import { continueAfter } from '../auth.ts'
import { Page } from '../components/page.tsx'
import { SecondStep } from '../components/second-step.tsx'
import { passedOn, sendTo } from '../router.tsx'
import { say } from '../words.ts'

/** The second step of a login. A reload forgets the first one, so the login starts again. */
export function TwoFactor() {
  const [token] = useState(() => passedOn('token'))
  const [by] = useState(() => passedOn('by'))
  useEffect(() => {
    if (token === '') sendTo('login')
  }, [token])
  return (
    <Page title={say('twoFactor.title')}>
      <SecondStep
        token={token}
        onSignedIn={(answer) => continueAfter(answer, by)}
        onLate={() => sendTo('login', { trouble: say('login.late') })}
      />
    </Page>
  )
}
