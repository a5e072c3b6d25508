// A year of Harbour Tea: whatever the API can do is done through it, by people, at its time.
import { hashPassword } from 'better-auth/crypto'
import { z } from 'zod'
import { confirmContact } from '#store/contacts/contact-states.ts'
import { addMember } from '#store/people/members.ts'
import { insertPerson } from '#store/people/people.ts'
import { agentEntries } from './agents.ts'
import { addChecks } from './checks.ts'
import { before, company, jonas, mara, newcomer, noor, password, people, storyNow } from './company.ts'
import { type Entry, live } from './diary.ts'
import { type Monitors, monitorsOf } from './monitors.ts'
import { type As, type Person, signIn } from './person.ts'
import { publicEntries } from './public-side.ts'
import type { Service } from './service.ts'
import { softwareEntries } from './software.ts'

export type Story = { as: As; monitors: Monitors; claimLink: string }

const sessionMs = 5 * 86_400_000
const userAgent = 'Mozilla/5.0 (Macintosh; Intel Mac OS X 10.15; rv:145.0) Gecko/20100101 Firefox/145.0'

export async function tell(service: Service): Promise<Story> {
  const as = signer(service)
  const monitors = monitorsOf(service, as)
  let claimLink = ''
  await live(service.clock, [
    ...beginnings(service, as),
    newcomerEntry(service),
    ...contactEntries(service, as),
    ...moneyEntries(as),
    ...monitors.entries,
    ...maintenanceEntries(as, monitors),
    reportEntry(as),
    objectiveEntry(as, monitors),
    ...publicEntries(service, as, monitors),
    ...softwareEntries(service, monitors),
    ...agentEntries(service, as, (link) => (claimLink = link)),
  ])
  await service.clock.set(storyNow)
  await addChecks(service, monitors)
  return { as, monitors, claimLink }
}

function signer({ url, workspaceId, clock }: Service): As {
  const sessions = new Map<string, { person: Person; until: number }>()
  return async (email) => {
    const known = sessions.get(email)
    const now = clock.now().getTime()
    if (known !== undefined && known.until > now) return known.person
    const address = `203.0.113.${10 + people.findIndex((each) => each.email === email)}`
    const person = await signIn({ url, workspaceId, email, address, userAgent })
    sessions.set(email, { person, until: now + sessionMs })
    return person
  }
}

function beginnings(service: Service, as: As): Entry[] {
  const { database, workspaceId } = service
  const joins = people.map(({ name, email, role, joinedDaysAgo }): Entry => ({
    at: before({ days: joinedDaysAgo }),
    what: `${name} joins`,
    happens: async () => {
      const at = before({ days: joinedDaysAgo })
      const passwordHash = await hashPassword(password)
      await database.transaction(async (tx) => {
        const personId = await insertPerson(tx, { email, name, passwordHash, at })
        if (personId !== null) await addMember(tx, { workspaceId, personId, role, at })
      })
    },
  }))
  const billing = {
    billing_name: 'Harbour Tea B.V.',
    billing_address: 'Wijnhaven 12\n3011 WR Rotterdam',
    billing_country: 'NL',
  }
  return [
    ...joins,
    asks(as, [mara, 379.9], ['PATCH', '/workspace', { name: company }]),
    asks(as, [mara, 379.8], ['PUT', '/account/billing', billing]),
    ...tokenEntries(service, as, { name: 'Deployments', scope: 'write', madeDaysAgo: 376, usedMinutesAgo: 133 }),
    ...tokenEntries(service, as, { name: 'Screen in the office', scope: 'read', madeDaysAgo: 300, usedMinutesAgo: 1 }),
    asks(
      as,
      [mara, 40],
      [
        'POST',
        '/api-tokens',
        { name: 'Audit of 2026', scope: 'read', expires_at: before({ days: -20 }).toISOString() },
      ],
    ),
    asks(as, [mara, 1.2], ['POST', '/invitations', { email: 'luc@harbourtea.example', role: 'member' }]),
  ]
}

const workspacesSchema = z.object({ data: z.tuple([z.object({ id: z.string() })]) })

function newcomerEntry({ database, url }: Service): Entry {
  const at = before({ minutes: 2 })
  return {
    at,
    what: 'a newcomer begins',
    happens: async () => {
      const { name, email, workspace } = newcomer
      const passwordHash = await hashPassword(password)
      await database.transaction((tx) => insertPerson(tx, { email, name, passwordHash, at }))
      const signingIn = { url, email, address: '203.0.113.80', userAgent }
      const person = await signIn({ ...signingIn, workspaceId: 'mine' })
      // Signing in founded a workspace. A second one of the same moment might come first or not, by its random id.
      const [given] = workspacesSchema.parse(await person.ask('GET', '/workspaces')).data
      await (await signIn({ ...signingIn, workspaceId: given.id })).call('PATCH', '/workspace', { name: workspace })
    },
  }
}

type Token = { name: string; scope: 'read' | 'write'; madeDaysAgo: number; usedMinutesAgo: number }

/** A token is made, and used by a program. */
function tokenEntries({ url }: Service, as: As, token: Token): Entry[] {
  const { name, scope, madeDaysAgo, usedMinutesAgo } = token
  let text = ''
  const make = async (): Promise<void> => {
    const answer = await (await as(jonas)).ask('POST', '/api-tokens', { name, scope })
    text = z.object({ token: z.string() }).parse(answer).token
  }
  const use = async (): Promise<void> => {
    const signal = AbortSignal.timeout(10_000)
    const answer = await fetch(`${url}/api/v1/account`, { headers: { 'X-API-Key': text }, signal })
    if (!answer.ok) throw new Error(await answer.text())
  }
  return [
    { at: before({ days: madeDaysAgo }), what: `${name} gets a token`, happens: make },
    { at: before({ minutes: usedMinutesAgo }), what: `${name} uses its token`, happens: use },
  ]
}

function contactEntries({ database, workspaceId }: Service, as: As): Entry[] {
  const add = (days: number, name: string, [kind, destination]: readonly [string, string]): Entry =>
    asks(as, [jonas, days], ['POST', '/alert-channels', { name, kind, destination }])
  const confirm = async (): Promise<void> => {
    const { id } = await database.query
      .selectFrom('alert_channels')
      .select('id')
      .where('workspace_id', '=', workspaceId)
      .where('name', '=', 'Mara')
      .executeTakeFirstOrThrow()
    await confirmContact(database, { id, addressNumber: 0, now: before({ days: 374.9 }), wasMailed: true })
  }
  return [
    add(375, 'Mara', ['email', mara]),
    { at: before({ days: 374.9 }), what: 'Mara confirms her address', happens: confirm },
    add(374, 'On call', ['webhook', 'https://oncall.harbourtea.example/perigee']),
    add(350, '#shop-alerts', ['slack', 'https://hooks.slack.com/services/T0TEA/B0SHOP/x']),
    add(0.9, 'Night shift', ['email', 'night@harbourtea.example']),
  ]
}

const contactsSchema = z.object({ data: z.array(z.object({ id: z.string(), name: z.string() })) })

function reportEntry(as: As): Entry {
  return {
    at: before({ days: 200 }),
    what: 'A monthly report is made',
    happens: async () => {
      const person = await as(mara)
      const { data } = contactsSchema.parse(await person.ask('GET', '/alert-channels'))
      const recipients = data.flatMap(({ id, name }) => (name === 'Mara' ? [id] : []))
      const report = { name: 'The shop', period: 'monthly', time_zone: 'Europe/Amsterdam', recipients }
      await person.call('POST', '/reports', report)
    },
  }
}

function objectiveEntry(as: As, { of }: Monitors): Entry {
  return {
    at: before({ days: 120 }),
    what: 'An objective is set',
    happens: async () => {
      const monitorIds = [of('Shop front').id, of('Checkout API').id]
      await (await as(jonas)).call('POST', '/slos', { name: 'Buying', monitor_ids: monitorIds, objective: 99.5 })
    },
  }
}

function moneyEntries(as: As): Entry[] {
  const topUp = (days: number, cents: number): Entry =>
    asks(as, [mara, days], ['POST', '/credits', { amount_cents: cents }])
  return [topUp(96, 2500), topUp(58, 1000), topUp(26, 5000)]
}

function maintenanceEntries(as: As, { of }: Monitors): Entry[] {
  const plan = (from: Parameters<typeof before>[0], window: () => Readonly<Record<string, unknown>>): Entry => ({
    at: before(from),
    what: 'Maintenance is planned',
    happens: async () => {
      await (await as(noor)).call('POST', '/maintenance-windows', { time_zone: 'Europe/Amsterdam', ...window() })
    },
  })
  return [
    plan({ days: 31 }, () => ({
      name: 'New racks in the warehouse',
      description: 'The warehouse is offline for an hour; orders are packed later that day.',
      schedule: once(30 * 1440, 30 * 1440 - 60),
      monitor_ids: [of('Warehouse database').id, of('VPN gateway Rotterdam').id],
      excludes_uptime: true,
    })),
    plan({ days: 20 }, () => ({
      name: 'Restore test of the backups',
      schedule: { type: 'weekly', weekdays: [7], starts: '03:00', duration_minutes: 60 },
      monitor_ids: [of('Hourly backup').id],
    })),
    plan({ days: 3 }, () => ({
      name: 'Database upgrade',
      description: 'PostgreSQL 18 for the warehouse. Stock levels may lag behind by some minutes.',
      schedule: once(25, -95),
      monitor_ids: [of('Warehouse database').id],
      excludes_uptime: true,
    })),
    plan({ days: 2 }, () => ({
      name: 'New certificates',
      schedule: once(-1440 * 5 - 395, -1440 * 5 - 425),
      monitor_ids: [of('Sign in and buy').id, of('Wholesale portal').id],
    })),
  ]
}

/** From and until so many minutes before now. */
function once(from: number, until: number): unknown {
  const [starts, ends] = [before({ minutes: from }), before({ minutes: until })]
  return { type: 'once', starts_at: starts.toISOString(), ends_at: ends.toISOString() }
}

type Asked = readonly [method: string, path: string, body?: unknown]

/** Sends a request of a person, dated so many days before now. */
function asks(as: As, [email, days]: readonly [string, number], [method, path, body]: Asked): Entry {
  return {
    at: before({ days }),
    what: `${email} asks ${method} ${path}`,
    happens: async () => {
      await (await as(email)).call(method, path, body)
    },
  }
}
