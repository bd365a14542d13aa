import { createDeliveryWorker } from '../../core/delivery/delivery-worker.ts'
import { sealedText } from '../../core/sealed.ts'
import { createSignal } from '../../kernel/signal.ts'
import { createMailTransport } from '../../mailer/create-transport.ts'
import { hostTransport } from '../../mailer/host-transport.ts'
import { createRender } from '../../mailer/render.ts'
import { wordsFrom } from '../../mailer/words/from-folder.ts'
import { hasMailbox } from '../../settings/has-mailbox.ts'
import { feature } from '../feature.ts'
import type { Limits } from '../limits/limits.ts'
import { createMailLimits } from '../limits/mail-limits.ts'
import { createDelivery } from './delivery.ts'
import { knownMails } from './known-mails.ts'
import { mailboxEndpoints } from './mailbox-endpoints.ts'
import { createOutbox, letterOwner } from './outbox.ts'

type Earlier = { limits: Limits }

export const mailFeature = feature('mail', (context, { limits }: Earlier) => {
  const { settings, db, sealedBox, clock, log, metrics, mailSender, sendsMail } = context
  const posted = createSignal()
  const transport = mailSender
    ? hostTransport(mailSender, settings.EMAIL_FROM)
    : createMailTransport(settings.EMAIL_URL, settings.EMAIL_FROM)
  const { notice_mail } = settings.ACCOUNT.RATE_LIMITS
  const outbox = createOutbox({
    onMail: posted.notify,
    sealedBox,
    noticeLimits: createMailLimits(limits, 'notice-mail', notice_mail),
    farewellLimits: createMailLimits(limits, 'farewell-mail', notice_mail),
    clock,
    count: metrics.countMail,
  })
  const delivery = createDelivery({
    db,
    onMail: posted.notify,
    outbox,
    transport,
    render: createRender(wordsFrom(settings.EMAIL_TEMPLATES_DIR)),
    site: settings.SITE_NAME,
    clock,
    log,
    metrics,
  })
  return {
    service: { outbox, delivery },
    endpoints: transport.kept && hasMailbox(settings) ? mailboxEndpoints(transport.kept) : [],
    keeps: {
      known: [knownMails(delivery)],
      erase: (user, tx) => outbox.forgetUser(user.id, tx),
    },
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
    sweeps: [{ table: 'outbox', forget: delivery.forgetOld }],
  }
})
