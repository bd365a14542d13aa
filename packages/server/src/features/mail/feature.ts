import { createDeliveryWorker } from '../../core/delivery/delivery-worker.ts'
import { sealedText } from '../../core/sealed.ts'
import { DAY } from '../../kernel/clock.ts'
import { createSignal } from '../../kernel/signal.ts'
import { createMailTransport } from '../../mailer/create-transport.ts'
import { hostTransport } from '../../mailer/host-transport.ts'
import { createRender } from '../../mailer/render.ts'
import { lettersFrom } from '../../mailer/words/from-folder.ts'
import { hasMailbox } from '../../settings/kinds/connection-urls.ts'
import type { UpToCaptcha } from '../captcha/feature.ts'
import { feature, type Offers } from '../feature.ts'
import { createMailLimits } from '../limits/limits.ts'
import { createDelivery, mailsEntry } from './delivery.ts'
import { mailboxEndpoints } from './mailbox-endpoints.ts'
import { createOutbox, letterOwner } from './outbox.ts'

const expiring = { table: 'outbox', key: 'id', time: 'due_at' } as const

export const mailFeature = feature((house: UpToCaptcha) => {
  const { settings, sealedBox, limits, log, http, mailSender, sendsMail, team } = house
  const posted = createSignal()
  const transport =
    house.transport ??
    (mailSender
      ? hostTransport(mailSender, settings.EMAIL_FROM)
      : createMailTransport(settings.EMAIL_URL, settings.EMAIL_FROM, team?.mailbox))
  const { notice_mail } = settings.ACCOUNT.RATE_LIMITS
  const outbox = createOutbox({
    ...house,
    onMail: posted.notify,
    noticeLimits: createMailLimits(limits, 'notice-mail', notice_mail),
    farewellLimits: createMailLimits(limits, 'farewell-mail', notice_mail),
  })
  const delivery = createDelivery({
    ...house,
    onMail: posted.notify,
    outbox,
    transport,
    render: createRender(lettersFrom(settings.EMAIL_TEMPLATES_DIR, settings.LANGUAGE_CODE)),
  })
  return {
    offers: { outbox, delivery },
    endpoints:
      transport.mailbox && hasMailbox(settings)
        ? mailboxEndpoints(transport.mailbox, http.pages)
        : [],
    keeps: { dossier: [mailsEntry(delivery)], rows: ['outbox'] },
    sealed: [
      sealedText(sealedBox, { table: 'outbox', key: 'id', column: 'sealed_letter' }, letterOwner),
    ],
    ...(sendsMail && transport.load && { later: transport.load }),
    ...(sendsMail && {
      worker: createDeliveryWorker({
        what: 'mails',
        deliverDue: delivery.deliverDue,
        posted,
        log,
        onStop: () => transport.close(),
      }),
    }),
    sweeps: [
      { ...expiring, where: { column: 'state', is: 'sent' }, keepFor: DAY },
      { ...expiring, where: { column: 'state', is: 'dead' }, keepFor: 30 * DAY },
    ],
  }
})

export type UpToMail = UpToCaptcha & Offers<typeof mailFeature>
