import { useEffect, useRef, useState } from 'preact/hooks'
import { auth } from '../auth.ts'
import { Button } from '../components/button.tsx'
import { AnyCodeField } from '../components/code-field.tsx'
import { Form } from '../components/form.tsx'
import { PasswordField } from '../components/password-field.tsx'
import { Trouble, useTask } from '../components/task.tsx'
import { hasModule } from '../facts.ts'
import { identifierField, shownValue } from '../identifier.ts'
import { asksAgain } from '../problem.ts'
import { goTo } from '../router.tsx'
import { say } from '../words.ts'
import { mayLackPassword } from './proof-field.tsx'

type Answer = (isFresh: boolean) => void

let ask: (() => Promise<boolean>) | null = null

/** Runs a step. If the service asks for a recent login first, the user proves it in the dialog. */
export async function whenFresh<T>(step: () => Promise<T>): Promise<T> {
  try {
    return await step()
  } catch (error) {
    if (!asksAgain(error) || !ask || !(await ask())) throw error
    return step()
  }
}

type Asked = {
  /** Whether a password counts. */
  takesPassword?: boolean
  /** Of the user, if the client does not know it. */
  username?: string
}

/** The dialog. A page has it once. */
export function AskAgain({ takesPassword = true, username }: Asked) {
  const dialog = useRef<HTMLDialogElement>(null)
  const [answer, setAnswer] = useState<Answer | null>(null)

  useEffect(() => {
    let asking: Promise<boolean> | null = null
    ask = () => {
      // Steps at the same time share one question.
      asking ??= new Promise<boolean>((resolve) => setAnswer(() => resolve)).finally(() => {
        asking = null
      })
      return asking
    }
    return () => {
      ask = null
    }
  }, [])
  useEffect(() => {
    if (answer) dialog.current?.showModal()
  }, [answer])

  const latest = useRef(answer)
  latest.current = answer
  const give = (isFresh: boolean) => {
    // After Escape, a slow answer may come when the next question is open already.
    if (latest.current !== answer) return
    // The step goes on when the dialog is closed. An open one would take the focus from a field that is wrong.
    dialog.current?.close()
    answer?.(isFresh)
    setAnswer(null)
  }
  return (
    <dialog ref={dialog} aria-labelledby="again" onClose={() => give(false)}>
      {answer && (
        <Questions
          takesPassword={takesPassword}
          username={username}
          onFresh={() => give(true)}
          onCancel={() => give(false)}
        />
      )}
    </dialog>
  )
}

type Props = {
  takesPassword: boolean
  username: string | undefined
  onFresh(): void
  onCancel(): void
}

function Questions({ takesPassword, username, onFresh, onCancel }: Props) {
  const [usesCode, setUsesCode] = useState(false)
  const { isBusy, trouble, run } = useTask()
  const withPasskey = () =>
    run(async () => {
      await auth.reauthenticate(await auth.passkeys.prove(username ? { username } : ownName()))
      onFresh()
    })
  const signInAgain = () =>
    run(async () => {
      await auth.logout()
      goTo('login')
    })
  return (
    <div class="stack">
      <h2 id="again">{say('again.title')}</h2>
      <p>{say('again.text')}</p>
      <Trouble words={trouble} />
      <Form
        key={String(usesCode)}
        button={say('again.button')}
        submit={async (values) => {
          await auth.reauthenticate(values)
          onFresh()
        }}
        onCancel={onCancel}
      >
        {takesPassword && !usesCode ? <PasswordField name="password" /> : <AnyCodeField />}
      </Form>
      {hasModule('mfa') && takesPassword && (
        <Button kind="quiet" onClick={() => setUsesCode(!usesCode)}>
          {say(usesCode ? 'again.usePassword' : 'again.useCode')}
        </Button>
      )}
      {hasModule('passkeys') && auth.passkeys.isSupported() && (
        <Button kind="quiet" busy={isBusy} onClick={withPasskey}>
          {say('again.passkey')}
        </Button>
      )}
      {mayLackPassword && takesPassword && (
        <Button kind="quiet" busy={isBusy} onClick={signInAgain}>
          {say('again.signIn')}
        </Button>
      )}
    </div>
  )
}

/** Security keys that store no passkeys need the name. Empty if the API does not show it. */
function ownName() {
  const { name } = identifierField()
  return { [name]: shownValue(auth.state.user, name) }
}
