import { type Arrival, create, startAlertReceiver, startFailingTarget } from './support/alerting.ts'
import { startMailSink } from './support/mail-sink.ts'
import { addMonitors } from './support/installation.ts'
import { pause, type Service, waitFor, withService } from './support/service.ts'

const children = 500
const intervalSeconds = 10
const outageMs = 40_000
/** Longer than two waits of a bundle, or than what waits for a parent, so that nothing is on its way any more. */
const settleMs: Record<Storm, number> = { parent: 60_000, bundles: 150_000 }

type Storm = 'parent' | 'bundles'
type Contact = { kind: string; destination: string; options?: object }

/**
 * 500 monitors behind one parent go down and come back within a minute, with ten contacts of different kinds: once as
 * children of the parent, and once without it, when contacts gather what they are told into bundles.
 */
export async function storm(): Promise<void> {
  await play('parent')
  await play('bundles')
}

async function play(form: Storm): Promise<void> {
  const target = await startFailingTarget()
  const receiver = await startAlertReceiver({ answer: answerTo })
  const mail = await startMailSink()
  try {
    await withService(
      {
        environment: { PERIGEE_SMTP_URL: mail.url, PERIGEE_MAIL_FROM: 'perigee@bench.test' },
        seed: async (seed) => {
          const [parent = ''] = await addMonitors(seed, 1, () => settingsOf(target.url, 0))
          const dependsOn = form === 'parent' ? [parent] : []
          await addMonitors(seed, children, (index) => settingsOf(target.url, index + 1, dependsOn))
        },
      },
      async (service) => {
        await addContacts(service, { url: receiver.url, form })
        target.allowFailures()
        await waitFor('the parent to fail', () => target.failedAt.has(0), { deadlineMs: 60_000, everyMs: 10 })
        await pause(outageMs)
        target.recover()
        await pause(settleMs[form])
        const failures = form === 'parent' ? [target.failedAt.get(0) ?? Number.NaN] : [...target.failedAt.values()]
        const failedAt = Math.min(...failures)
        // The mail that asks to confirm an address comes before.
        const arrivals = [...receiver.arrivals, ...mail.arrivals].filter(({ at }) => at >= failedAt)
        report({ form, arrivals, failedAt })
      },
    )
  } finally {
    await target.close()
    await receiver.close()
    await mail.close()
  }
}

function settingsOf(url: string, index: number, dependsOn: string[] = []) {
  return {
    name: index === 0 ? 'Gateway' : `Monitor ${index}`,
    url: `${url}/${index}`,
    interval_seconds: intervalSeconds,
    expected_status_max: 299,
    failure_threshold: 1,
    recovery_threshold: 1,
    depends_on: dependsOn,
  }
}

/** Where all stand-ins share one server, the path names the contact. */
function contactsOf(url: string): Contact[] {
  return [
    { kind: 'email', destination: 'ops@bench.test' },
    { kind: 'webhook', destination: `${url}/webhook` },
    { kind: 'slack', destination: `${url}/slack` },
    { kind: 'gotify', destination: 'Phone', options: { server: `${url}/gotify`, token: 'A-token-of-gotify' } },
    { kind: 'apprise', destination: 'All', options: { server: `${url}/apprise`, config_key: 'perigee' } },
    { kind: 'mattermost', destination: 'ops', options: { webhook_url: `${url}/mattermost/hooks/abc` } },
    { kind: 'teams', destination: 'Ops', options: { webhook_url: `${url}/teams` } },
    {
      kind: 'matrix',
      destination: '!ops:bench.test',
      options: { homeserver: `${url}/matrix`, access_token: 'syt_token' },
    },
    { kind: 'ntfy', destination: 'ops', options: { server: url } },
    { kind: 'alertmanager', destination: 'Alerts', options: { server: `${url}/alertmanager` } },
  ]
}

/** An Alertmanager groups alerts itself, and takes no bundles. */
async function addContacts(service: Service, { url, form }: { url: string; form: Storm }): Promise<void> {
  const rules = form === 'bundles' ? { bundle: true } : null
  for (const { kind, destination, options = {} } of contactsOf(url)) {
    if (form === 'bundles' && kind === 'alertmanager') continue
    await create(service, '/alert-channels', { name: kind, kind, destination, options, alert_rules: rules })
  }
  await service.database.pool.query('update alert_channels set confirmed = true')
}

/** What each service answers to a message that it takes. */
function answerTo({ path }: Arrival): object | null {
  if (path.startsWith('/matrix')) return { event_id: '$event' }
  if (path.startsWith('/teams')) return null
  return { id: 1 }
}

function report({ form, arrivals, failedAt }: { form: Storm; arrivals: Arrival[]; failedAt: number }): void {
  const byContact = Map.groupBy(arrivals, ({ path }) => contactOf(path))
  console.log(form === 'parent' ? `${children} children of one parent:` : `${children} monitors, bundled:`)
  for (const [contact, came] of byContact) {
    const first = Math.min(...came.map(({ at }) => at)) - failedAt
    console.log(
      `  ${contact}: ${came.length} messages, the first ${first.toFixed(0)} ms after ${form === 'parent' ? "the parent's" : 'the first'} failure`,
    )
  }
  const most = Math.max(...[...byContact.values()].map(({ length }) => length))
  const goal = form === 'parent' ? 2 : 6
  console.log(`storm: ${byContact.size} contacts, at most ${most} messages for one, goal ${goal}`)
}

function contactOf(path: string): string {
  const [, first = ''] = path.split('/')
  return first === '' ? 'ntfy' : first
}
