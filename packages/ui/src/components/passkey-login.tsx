import type { SignedIn } from 'latchkey-client'
import { useEffect } from 'preact/hooks'
import { auth } from '../auth.ts'
import { offerPasskeys } from '../passkeys.ts'
import { say } from '../words.ts'
import { Button } from './button.tsx'
import { Or } from './or.tsx'
import { Trouble, useTask } from './task.tsx'

type Props = { onSignedIn(answer: SignedIn): void }

/** A button, and an offer among the names that the browser proposes in the field below. */
export function PasskeyLogin({ onSignedIn }: Props) {
  const { isBusy, trouble, run } = useTask()
  useEffect(() => offerPasskeys(onSignedIn), [])
  if (!auth.passkeys.isSupported()) return null
  const logIn = () => run(async () => onSignedIn(await auth.passkeys.login()))
  return (
    <>
      <Trouble words={trouble} />
      <Button busy={isBusy} onClick={logIn}>
        {say('login.passkey')}
      </Button>
      <Or />
    </>
  )
}
