import { createDeliveryWorker } from '../../core/delivery/delivery-worker.ts'
import { DAY } from '../../kernel/clock.ts'
import { createSignal } from '../../kernel/signal.ts'
import { createMailTransport } from '../../mailer/create-transport.ts'
import { hostTransport } from '../../mailer/host-transport.ts'
import { createRender } from '../../mailer/render.ts'
import { lettersFrom } from '../../mailer/words/from-folder.ts'
import { hasMailbox } from '../../settings/kinds/connection-urls.ts'
import { knownLanguages } from '../../settings/words-files.ts'
import type { UpToCaptcha } from '../captcha/feature.ts'
import { feature, type Offers } from '../feature.ts'
import { createNoticeLimits } from '../limits/limits.ts'
import { createDelivery, mailsEntry } from './delivery.ts'
import { mailboxEndpoints } from './mailbox-endpoints.ts'
import { createOutbox, letterOwner } from './outbox.ts'

const expiring = { table: 'outbox', key: 'id', time: 'due_at' } as const

export const mailFeature = feature((house: UpToCaptcha) => {
  const { settings, attempt, limits, log, http, mailSender, sendsMail, team } = house
  const posted = createSignal()
  const transport =
    house.transport ??
    (mailSender
      ? hostTransport(mailSender, settings.EMAIL_FROM)
      : createMailTransport(settings.EMAIL_URL, settings.EMAIL_FROM, team?.mailbox))
  const { EMAIL_TEMPLATES_DIR, LANGUAGE_CODE, ACCOUNT } = settings
  const { RATE_LIMITS } = ACCOUNT
  const known = EMAIL_TEMPLATES_DIR ? knownLanguages(settings) : []
  const outbox = createOutbox({
    ...house,
    onMail: posted.notify,
    noticeLimits: createNoticeLimits(limits, 'notice-mail', RATE_LIMITS),
    farewellLimits: createNoticeLimits(limits, 'farewell-mail', RATE_LIMITS),
  })
  const delivery = createDelivery({
    ...house,
    onMail: posted.notify,
    outbox,
    transport,
    render: createRender(
      attempt(
        () => lettersFrom(EMAIL_TEMPLATES_DIR, LANGUAGE_CODE, known),
        () => lettersFrom(null, LANGUAGE_CODE),
      ),
    ),
  })
  return {
    offers: { outbox, delivery },
    endpoints:
      transport.mailbox && hasMailbox(settings)
        ? mailboxEndpoints(transport.mailbox, http.pages)
        : [],
    keeps: { dossier: [mailsEntry(delivery)], rows: ['outbox'] },
    sealed: [{ table: 'outbox', keys: ['id'], column: 'sealed_letter', ownerOf: letterOwner }],
    ...(sendsMail && transport.load && { later: transport.load }),
    ...(sendsMail && {
      worker: createDeliveryWorker({
        what: 'mails',
        deliverDue: delivery.deliverDue,
        posted,
        log,
        onStop: () => transport.close?.(),
      }),
    }),
    sweeps: [
      { ...expiring, where: { column: 'state', is: 'sent' }, keepFor: DAY },
      { ...expiring, where: { column: 'state', is: 'dead' }, keepFor: 30 * DAY },
    ],
  }
})

export type UpToMail = UpToCaptcha & Offers<typeof mailFeature>
