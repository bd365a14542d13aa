import { useEffect, useId, useRef, useState } from 'preact/hooks'
import type { CaptchaFacts } from '../../../server/src/kernel/page-facts.ts'
import { FieldError } from '../components/field.tsx'
import { useAnswer } from '../components/form.tsx'
import { say } from '../words.ts'
import { type CaptchaWidget, loadCaptcha } from './widget.ts'

type Props = { captcha: CaptchaFacts; onDemand: boolean }

/** The widget of the provider, what it gives, and what is wrong with that. */
export function CaptchaField({ captcha, onDemand }: Props) {
  const id = useId()
  const group = useRef<HTMLFieldSetElement>(null)
  const place = useRef<HTMLDivElement>(null)
  const widget = useRef<CaptchaWidget | null>(null)
  const [solution, setSolution] = useState('')
  const [isAsked, setAsked] = useState(!onDemand)
  const [hasFailed, setFailed] = useState(false)
  const answer = useAnswer()
  const refusal = answer.fields.captcha ?? ''

  useEffect(() => {
    if (!isAsked || hasFailed) return
    let isGone = false
    const remove = () => {
      isGone = true
      widget.current?.remove()
      widget.current = null
    }
    loadCaptcha(captcha)
      .then((show) => {
        if (!isGone && place.current) widget.current = show(place.current, setSolution)
      })
      .catch((error) => {
        // A wrong site key, for example. The operator finds the reason in the console.
        reportError(error)
        setFailed(true)
      })
    return remove
  }, [isAsked, hasFailed])

  // A solution is good for one request. What could not be loaded gets another chance.
  useEffect(() => {
    setSolution('')
    setFailed(false)
    widget.current?.reset()
    if (refusal === '') return
    setAsked(true)
    group.current?.focus()
  }, [answer])

  return (
    <>
      <input type="hidden" name="captcha" value={solution} />
      {(isAsked || refusal) && (
        <fieldset
          class="field"
          ref={group}
          tabIndex={-1}
          aria-label={say('captcha.label')}
          aria-describedby={refusal ? `${id}-error` : undefined}
        >
          {hasFailed ? (
            <p class="error" role="alert">
              {say('captcha.failed', { host: new URL(captcha.script).host })}
            </p>
          ) : (
            <div class="captcha" ref={place} />
          )}
          <FieldError id={id} error={refusal} />
        </fieldset>
      )}
    </>
  )
}
