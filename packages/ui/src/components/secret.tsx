import { useRef, useState } from 'preact/hooks'
import { say } from '../words.ts'
import { Button } from './button.tsx'
import { copy } from './copy.ts'
import { Good } from './task.tsx'

type Props = { text: string; value: string; onDone(): void }

/** A secret that is shown only once. */
export function Secret({ text, value, onDone }: Props) {
  const [isCopied, setCopied] = useState(false)
  const shown = useRef<HTMLElement>(null)
  return (
    <>
      <p>{text}</p>
      <p class="secret">
        <code ref={shown}>{value}</code>
      </p>
      <Good words={isCopied ? say('mfa.codes.copied') : ''} />
      <div class="actions">
        <Button onClick={() => copy(value, shown.current).then(setCopied)}>
          {say('mfa.codes.copy')}
        </Button>
        <Button kind="primary" onClick={onDone}>
          {say('secret.done')}
        </Button>
      </div>
    </>
  )
}
