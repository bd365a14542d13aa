import { failure, type MailTransport } from './transport.ts'

/** A transport that is loaded when it is first needed, since nothing needs it to start. */
export function lateTransport(load: () => Promise<MailTransport>): MailTransport {
  let loading: Promise<MailTransport> | undefined

  function loadOnce(): Promise<MailTransport> {
    loading ??= load()
    loading.catch(() => {
      loading = undefined
    })
    return loading
  }

  return {
    load: loadOnce,
    async send(mail) {
      try {
        const transport = await loadOnce()
        return await transport.send(mail)
      } catch (error) {
        return failure('unreachable', error)
      }
    },
    close() {
      // What could not be loaded holds no connection.
      loading?.then(
        (transport) => transport.close(),
        () => {},
      )
    },
  }
}
