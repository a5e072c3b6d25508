import type { Carriers } from '#contacts/send.ts'

/** One way out for mail. nodemailer takes names and addresses as data, so they cannot add header lines. */
export type MailTransport = { send: Carriers['sendMail']; close: () => void }

/** Connections to the mail server at a time, each of which takes one mail after the other. */
export const mailConnections = 4
