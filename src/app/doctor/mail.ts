import { bad, type Found, good, notLookedAt, warning } from '#core/doctor-report.ts'
import { clusterTroublesByPart } from '#core/operator-status.ts'
import type { Config } from '#config/config.ts'
import type { DoctorCheck, DoctorContext } from './doctor-check.ts'

export const mail: DoctorCheck = {
  name: 'mail',
  look: async (context, signal) => {
    const { config, unread } = context.examined
    if (unread.has('PERIGEE_SMTP_URL'))
      return [notLookedAt('server', 'PERIGEE_SMTP_URL cannot be read.', 'Correct PERIGEE_SMTP_URL.')]
    if (config.smtpUrl === null) return [withoutServer(config)]
    return [
      judgeSender(config.mailFrom),
      ...(await tryServer(config.smtpUrl, context, signal)),
      ...(await troubles(context)),
    ]
  },
}

/** Mail that nothing sends is only missed where a person waits for it. */
function withoutServer({ operatorEmail }: Pick<Config, 'operatorEmail'>): Found {
  const found = 'PERIGEE_SMTP_URL is not set: mail is kept in the folder "outbox" of the data folder and never sent.'
  return operatorEmail === null
    ? notLookedAt('server', found, 'Set PERIGEE_SMTP_URL to send mail.')
    : warning('server', `${found} PERIGEE_OPERATOR_EMAIL gets nothing.`, 'Set PERIGEE_SMTP_URL.')
}

export function judgeSender(from: string): Found {
  return /@localhost>?$/.test(from)
    ? warning(
        'sender',
        `Mail is sent as ${from}, which other mail servers refuse.`,
        'Set PERIGEE_MAIL_FROM to an address of your domain.',
      )
    : good('sender', `Mail is sent as ${from}.`)
}

/** Less than the check has, so that it can say what was late. */
const serverMs = 8_000

/** The client is heavy, and loaded where there is a server. */
async function tryServer(url: string, { examined, options }: DoctorContext, deadline: AbortSignal): Promise<Found[]> {
  const signal = AbortSignal.any([deadline, AbortSignal.timeout(serverMs)])
  const { createSmtp, reasonOf, trySmtp } = await import('#jobs/contacts/smtp.ts')
  const refused = await trySmtp(url, signal)
  const tried = judgeServer(url, refused)
  const { mailTo } = options
  if (mailTo === null || refused !== null) return [tried, notLookedAt('message', notSent(mailTo))]
  const transport = createSmtp({ url, from: examined.config.mailFrom })
  try {
    const message = {
      via: 'mail',
      to: mailTo,
      subject: testSubject,
      text: testText,
      html: `<p>${testText}</p>`,
      headers: {},
    } as const
    return [tried, judgeMessage(mailTo, reasonOf(await transport.send(message, signal)))]
  } finally {
    transport.close()
  }
}

const testSubject = 'Perigee: a test of the mail server'
const testText =
  'The command "perigee doctor" sent this message. If you read it, the mail server of your installation delivers.\n'

function notSent(mailTo: string | null): string {
  return mailTo === null
    ? 'No message was sent; --mail-to <address> sends one.'
    : 'No message was sent, because the server could not be used.'
}

/** Passwords are in the address, and not in what is told of it. */
export function judgeServer(url: string, problem: string | null): Found {
  const { host, protocol, username } = new URL(url)
  if (problem !== null)
    return bad(
      'server',
      problem,
      `See whether ${host} can be reached from here, and compare PERIGEE_SMTP_URL with what it wants.`,
    )
  const secured = protocol === 'smtps:' ? 'with TLS' : 'with TLS if it offers that (STARTTLS)'
  return good('server', `${host} takes connections ${secured}${username === '' ? '' : ', and the sign-in works'}.`)
}

export function judgeMessage(to: string, problem: string | null): Found {
  return problem === null
    ? good('message', `The mail server took a message to ${to}. See whether it arrives.`)
    : bad(
        'message',
        problem,
        'The text of the mail server says what it does not like: the sender, the address or this machine.',
      )
}

async function troubles({ cluster }: DoctorContext): Promise<Found[]> {
  const status = await cluster()
  if (status === null) return []
  const found = clusterTroublesByPart(status).mail
  return found.map((trouble) =>
    bad('last mails', trouble, 'The text of the mail server says why; perigee doctor --mail-to <address> tries again.'),
  )
}
