// The status page, who reads it, and what is written there.
import { randomUUID } from 'node:crypto'
import { z } from 'zod'
import { addSubscriber } from '#store/status-pages/subscribers.ts'
import { before, noor } from './company.ts'
import type { Entry } from './diary.ts'
import type { Monitors } from './monitors.ts'
import type { As } from './person.ts'
import type { Service } from './service.ts'

export const slug = 'harbour-tea'

const dayMinutes = 1440
const maxSubscribers = 5000
const incidentsSchema = z.object({ data: z.array(z.object({ id: z.string(), monitor_id: z.string() })) })

/** The names of monitors on the page. */
const sections = [
  {
    name: 'Shop',
    monitors: [
      ['Shop', 'Shop front'],
      ['Checkout', 'Checkout API'],
      ['Search', 'Search'],
    ],
  },
  {
    name: 'Around it',
    monitors: [
      ['Mail', 'Mail'],
      ['Warehouse', 'Warehouse database'],
      ['Names', 'DNS'],
    ],
  },
] as const

const readers = [
  [190, 'press@harbourtea.example'],
  [120, 'orders@teahouse-oslo.example'],
  [64, 'https://chat.harbourtea.example/hooks/status'],
  [9, 'anna@kiosk-am-hafen.example'],
] as const

/** Minutes before now, of which monitor's newest incident then, how far it is, and what is written. */
const posts = [
  [
    37.35 * dayMinutes - 6,
    'Shop front',
    'investigating',
    'The shop answers with an error for most visitors. We are looking into it.',
  ],
  [
    37.35 * dayMinutes - 15,
    'Shop front',
    'identified',
    'A new release of the shop did not start everywhere. We are going back to the one before.',
  ],
  [37.35 * dayMinutes - 34, 'Shop front', 'resolved', 'The shop is back. No orders were lost.'],
  [17, 'Checkout API', 'investigating', 'Orders cannot be paid at the moment. Baskets are kept.'],
  [
    6,
    'Checkout API',
    'identified',
    'Our payment provider answers slowly and checkout gives up waiting. They are working on it, and we are moving to the second provider.',
  ],
] as const

export function publicEntries({ database }: Service, as: As, { of }: Monitors): Entry[] {
  let pageId = ''
  const publish = async (): Promise<void> => {
    const person = await as(noor)
    pageId = await person.call('POST', '/status-pages', {
      slug,
      title: 'Harbour Tea',
      description: 'How our shop and what is behind it are doing.',
      homepage: 'https://harbourtea.example',
      history: 'whole',
      sections: sections.map((section) => ({
        name: section.name,
        monitors: section.monitors.map(([name, monitor]) => ({ monitor_id: of(monitor).id, name })),
      })),
    })
  }
  const subscribe = async (days: number, destination: string): Promise<void> => {
    const kind = destination.startsWith('https:') ? 'webhook' : 'email'
    const createdAt = before({ days })
    const subscriber = { id: randomUUID(), pageId, kind, destination, signingSecret: null, createdAt } as const
    await database.transaction((tx) =>
      addSubscriber(tx, { ...subscriber, confirmedAt: createdAt, expiresAt: null }, maxSubscribers),
    )
  }
  const incidentOf = async (monitor: string): Promise<string> => {
    const { data } = incidentsSchema.parse(await (await as(noor)).ask('GET', '/incidents'))
    const incident = data.find((each) => each.monitor_id === of(monitor).id)
    if (incident === undefined) throw new Error(`${monitor} has no incident.`)
    return `/incidents/${incident.id}`
  }
  const ask = async (path: string, body: unknown): Promise<void> => {
    await (await as(noor)).call('POST', path, body)
  }
  const announcement = {
    title: 'More choice in December',
    body: 'From 1 December the shop also ships to Norway and Switzerland. Nothing changes for orders on their way.',
    ends_at: before({ days: 1 }).toISOString(),
  }
  return [
    entry(230 * dayMinutes, 'the status page is made', publish),
    ...readers.map(([days, who]) => entry(days * dayMinutes, `${who} subscribes`, () => subscribe(days, who))),
    ...posts.map(([minutes, monitor, state, body]) =>
      entry(minutes, `readers are told of ${monitor}`, async () =>
        ask(`${await incidentOf(monitor)}/posts`, { state, body }),
      ),
    ),
    entry(2.1 * dayMinutes, 'something is announced', () => ask(`/status-pages/${pageId}/announcements`, announcement)),
    entry(19, 'the outage is acknowledged', async () =>
      ask(`${await incidentOf('Checkout API')}/acknowledge`, undefined),
    ),
  ]
}

function entry(minutes: number, what: string, happens: () => Promise<void>): Entry {
  return { at: before({ minutes }), what, happens }
}
