import { facts } from '../facts.ts'
import { useLater } from '../later.ts'

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
  const Field = useLater(async () => (await import('../captcha/captcha-field.tsx')).CaptchaField)
  return Field && facts.captcha && <Field captcha={facts.captcha} onDemand={onDemand} />
}
