import { facts } from '../facts.ts'
import { useLater } from '../later.ts'
import { say } from '../words.ts'
import { useFieldError } from './form.tsx'

type Props = {
  /** What the form is called in `CAPTCHA.ON`. */
  on: 'registration' | 'reset' | 'login_after_failures' | 'code'
  /** Shows nothing until the service asks for a captcha. */
  onDemand?: boolean
}

/** The field `captcha` of a form. Nothing if the service never asks for one. */
export const Captcha = ({ on, onDemand = false }: Props) =>
  facts.captcha?.on.includes(on) ? <Later onDemand={onDemand} /> : null

/** Few sites need it, so the others do not load it. */
function Later({ onDemand }: { onDemand: boolean }) {
  const Field = useLater(() =>
    import('../captcha/captcha-field.tsx').then(
      ({ CaptchaField }) => CaptchaField,
      () => Lost,
    ),
  )
  return Field && facts.captcha && <Field captcha={facts.captcha} onDemand={onDemand} />
}

/** Its own file could not be loaded. After an update of the service, only a new page knows its name. */
function Lost({ onDemand }: { onDemand: boolean }) {
  const refusal = useFieldError('captcha')
  return (
    <>
      <input type="hidden" name="captcha" value="" />
      {(!onDemand || refusal) && (
        <p class="error" role="alert">
          {say('captcha.failed', { host: location.host })}
        </p>
      )}
    </>
  )
}
