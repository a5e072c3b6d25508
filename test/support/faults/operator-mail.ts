import { startMailServer } from '../mail-server.ts'

export type Operator = {
  /** Settings of a service that has this operator. */
  environment: Readonly<Record<string, string>>
  /** The subjects of the mails so far. */
  mails: () => string[]
}

const email = 'operator@example.com'

/** The person who runs the service, with a mail server at an address that the service reaches. */
export async function startOperator(host = '127.0.0.1'): Promise<Operator> {
  const server = await startMailServer(host)
  return {
    environment: {
      PERIGEE_OPERATOR_EMAIL: email,
      PERIGEE_SMTP_URL: server.url,
      PERIGEE_PUBLIC_URL: 'https://perigee.example.com',
    },
    mails: () => server.received.filter(({ to }) => to.includes(email)).map(({ raw }) => subjectOf(raw)),
  }
}

/** A long subject goes on in lines that begin with white space (RFC 5322 2.2.3). */
function subjectOf(raw: string): string {
  const [, subject = ''] = /^Subject: (.*(?:\r?\n[ \t].*)*)/m.exec(raw) ?? []
  return subject.replaceAll(/\r?\n(?=[ \t])/g, '')
}
