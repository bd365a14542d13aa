import { useState } from 'preact/hooks'
import { AddPasskey } from '../account/passkeys.tsx'
import { RecoveryCodes } from '../account/recovery-codes.tsx'
import { SetUpApp } from '../account/set-up-app.tsx'
import { auth } from '../auth.ts'
import { Button } from '../components/button.tsx'
import { Or } from '../components/or.tsx'
import { Page } from '../components/page.tsx'
import { Trouble } from '../components/task.tsx'
import { hasModule } from '../facts.ts'
import { useSignOut } from './use-sign-out.ts'
import { say } from './words.ts'

/** For operators without a second factor: nothing else works before they have one. */
export function SetUp({ onDone }: { onDone(): void }) {
  const [codes, setCodes] = useState<readonly string[] | null>(null)
  const { isBusy, trouble, signOut } = useSignOut()
  return (
    <Page title={say('setUp.title')}>
      <Trouble words={trouble} />
      {codes ? (
        <RecoveryCodes codes={codes} onDone={onDone} />
      ) : (
        <div class="stack">
          <p>{say('setUp.text')}</p>
          {hasModule('mfa') && <SetUpApp onOn={setCodes} />}
          {hasModule('passkeys') && auth.passkeys.isSupported() && (
            <>
              {hasModule('mfa') && <Or />}
              <AddPasskey onAdded={onDone} />
            </>
          )}
        </div>
      )}
      <Button kind="quiet" busy={isBusy} onClick={signOut}>
        {say('account.signOut')}
      </Button>
    </Page>
  )
}
