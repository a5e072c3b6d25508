// The software of two monitors, and its known vulnerabilities.
import type { NamedSoftware } from '#core/software/software-change.ts'
import { lockSoftware, replaceSoftware } from '#store/software/software.ts'
import { type Told, compare, publish } from '../../test/support/software.ts'
import { before } from './company.ts'
import type { Entry } from './diary.ts'
import type { Monitors } from './monitors.ts'
import type { Service } from './service.ts'

function cve(id: string, published: string): Pick<Told, 'id' | 'url' | 'publishedAt'> {
  return { id, url: `https://nvd.nist.gov/vuln/detail/${id}`, publishedAt: new Date(published) }
}

/** The shown parts of advisories, as the feeds have them. */
const advisories: readonly Told[] = [
  {
    ...cve('CVE-2024-7347', '2024-08-14'),
    product: 'nginx',
    stretches: [{ from: '1.5.13', fixed: '1.26.2' }],
    summary: 'The mp4 module reads beyond its buffer: a crafted file can end a worker process.',
    severity: 'medium',
    score: 4.7,
  },
  {
    ...cve('CVE-2020-11022', '2020-04-29'),
    product: 'npm:jquery',
    stretches: [{ from: '1.2.0', fixed: '3.5.0' }],
    summary: 'HTML from untrusted sources, even sanitised, may run code when it is passed to DOM methods.',
    severity: 'medium',
    score: 6.9,
  },
  {
    ...cve('CVE-2021-23337', '2021-02-15'),
    product: 'npm:lodash',
    stretches: [{ fixed: '4.17.21' }],
    summary: 'Command injection through the template function.',
    severity: 'high',
    score: 7.2,
  },
  {
    ...cve('CVE-2023-45857', '2023-11-08'),
    product: 'npm:axios',
    stretches: [{ from: '0.8.1', fixed: '1.6.0' }],
    summary: 'The XSRF token is sent to every host that is asked.',
    severity: 'medium',
    score: 6.5,
  },
]

function seen(product: string, version: string, [name, evidence]: readonly [string, string]): NamedSoftware {
  return { product, version, name, evidence }
}

const onTheShop = [
  seen('nginx', '1.26.1', ['nginx', 'Server: nginx/1.26.1']),
  seen('npm:jquery', '3.4.1', ['jQuery', '/assets/jquery-3.4.1.min.js']),
  seen('npm:bootstrap', '5.3.8', ['Bootstrap', '/assets/bootstrap-5.3.8.min.css']),
]
const inTheRepository = [
  ['express', '4.21.2'],
  ['lodash', '4.17.20'],
  ['axios', '1.5.1'],
  ['zod', '4.1.12'],
  ['pg', '8.16.3'],
  ['react', '19.2.0'],
  ['vite', '7.1.12'],
].map(([name = '', version = '']) => seen(`npm:${name}`, version, [name, 'package-lock.json']))

export function softwareEntries({ database }: Service, { keyOf }: Monitors): Entry[] {
  const scan = async (name: string, found: readonly NamedSoftware[]): Promise<void> => {
    const key = String(await keyOf(name))
    const at = new Date()
    await database.transaction(async (tx) => {
      await lockSoftware(tx, key)
      await replaceSoftware(tx, { monitorKey: key, source: 'detected', label: null }, { found, at })
    })
    const scanned = { scanned_at: at, due_at: before({ days: -1 }), is_requested: false }
    await database.query
      .insertInto('software_scans')
      .values({ monitor_key: key, ...scanned })
      .onConflict((conflict) => conflict.column('monitor_key').doUpdateSet(scanned))
      .execute()
  }
  return [
    {
      at: before({ days: 6 }),
      what: 'Advisories are read, and software is found',
      happens: async () => {
        await publish(database, ...advisories)
        await scan('Shop front', onTheShop)
        await scan('Repository of the shop', inTheRepository)
        await compare(database)
      },
    },
    // Once a day everything is compared anew.
    {
      at: before({ minutes: 100 }),
      what: 'Software is compared',
      happens: async () => {
        await compare(database)
      },
    },
  ]
}
