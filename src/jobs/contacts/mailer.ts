import type { Carriers } from '#contacts/send.ts'
import type { MailTransport } from './mail-transport.ts'

export type MailerOptions = {
  /** smtp:// or smtps://, with user and password where the server asks for them; null keeps mail in the outbox. */
  smtpUrl: string | null
  /** `Perigee <alerts@example.com>` or the address alone. */
  from: string
  outboxFolder: string
}

/** `close` ends idle connections; a mail that comes later is refused. */
export type Mailer = { sendMail: Carriers['sendMail']; close: () => Promise<void> }

/** The mail client is loaded with the first mail: it is heavy, and many installations send none. */
export function createMailer({ smtpUrl, from, outboxFolder }: MailerOptions): Mailer {
  let transport: Promise<MailTransport> | null = null
  let isClosed = false
  async function open(): Promise<MailTransport> {
    if (smtpUrl === null) return (await import('./outbox.ts')).createOutbox({ from, folder: outboxFolder })
    return (await import('./smtp.ts')).createSmtp({ from, url: smtpUrl })
  }
  return {
    sendMail: async (message, signal) => {
      if (isClosed) throw new Error('A mail was sent after the mailer was closed.')
      transport ??= open().catch((error: unknown) => {
        // The next mail tries again: the folder may be writable by then.
        transport = null
        throw error
      })
      return (await transport).send(message, signal)
    },
    close: async () => {
      isClosed = true
      const opened = await transport?.catch(() => null)
      opened?.close()
    },
  }
}
