import type { Carriers, MailMessage } from '#contacts/contact.ts'

/** One way out for mail. */
export type MailTransport = { send: Carriers['sendMail']; close: () => void }

/** What nodemailer is given; names and addresses are data there, never header lines. */
export type Mail = MailMessage & { from: string }
