import type { MailMessage } from '#contacts/message.ts'
import type { Carriers } from '#contacts/send.ts'

/** One way out for mail. */
export type MailTransport = { send: Carriers['sendMail']; close: () => void }

/** The message as nodemailer takes it. Names and addresses are data there, so they cannot add header lines. */
export type Mail = MailMessage & { from: string }
