import type { Carriers } from '#contacts/send.ts'

/** One way out for mail. nodemailer takes names and addresses as data, so they cannot add header lines. */
export type MailTransport = { send: Carriers['sendMail']; close: () => void }
