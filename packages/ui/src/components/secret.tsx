import { say } from '../words.ts'
import { Button } from './button.tsx'
import { Good } from './task.tsx'
import { useCopy } from './use-copy.ts'

type Props = { text: string; value: string; onDone(): void }

/** A secret that is shown only once. */
export function Secret({ text, value, onDone }: Props) {
  const { shown, isCopied, copy } = useCopy<HTMLElement>(value)
  return (
    <>
      <p>{text}</p>
      <p class="secret">
        <code ref={shown}>{value}</code>
      </p>
      <Good words={isCopied ? say('mfa.codes.copied') : ''} />
      <div class="actions">
        <Button onClick={copy}>{say('mfa.codes.copy')}</Button>
        <Button kind="primary" onClick={onDone}>
          {say('secret.done')}
        </Button>
      </div>
    </>
  )
}
