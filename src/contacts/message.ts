export type MailMessage = {
  via: 'mail'
  to: string
  subject: string
  text: string
  html: string
  headers: Record<string, string>
}

export type HttpMessage = {
  via: 'http'
  /** Default `POST`. */
  method?: 'PUT'
  url: string
  headers: Record<string, string>
  body: string
}

/** One whose body is no text. */
export type BytesMessage = Omit<HttpMessage, 'body'> & { body: Uint8Array }

/** A message that is ready to leave, built without I/O. */
export type Message = MailMessage | HttpMessage

/** What the receiver of a request answered, whatever its status. */
export type HttpAnswer = {
  status: number
  /** Lower-case names. */
  headers: Readonly<Record<string, string>>
  /** The first 16 KiB as UTF-8; less where the receiver sent headers and then broke off or stalled. */
  body: string
  at: Date
}

/** What the mail server said; with a null `code` the message went to the outbox, and no server was asked. */
export type MailAnswer =
  | { isAccepted: true; code: number | null }
  | {
      isAccepted: false
      code: number | null
      /** `session`: the server refused the log-in or the sender, which are the operator's and not the contact's. */
      refused: 'address' | 'message' | 'session'
      /** The server says that another try will be refused as well (5xx, RFC 5321 4.2.1). */
      isPermanent: boolean
      /** Its reply, in one line. */
      text: string
    }

/** `failure` is a sentence that says why there is no answer. */
export type MailOutcome = { ok: true; answer: MailAnswer } | { ok: false; failure: string }
