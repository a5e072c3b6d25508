// Harbour Tea, a company that exists in these pictures alone: who works there, what they watch, and how it did.
import type { MemberRole } from '#core/people/person.ts'

export const publicUrl = 'https://up.harbourtea.example'
/** The moment of all pictures: a Thursday, twenty-three minutes into an outage. */
export const storyNow = new Date('2026-11-19T14:25:00Z')
export const company = 'Harbour Tea'
export const password = 'seven small teapots'

const minuteMs = 60_000
const dayMs = 24 * 60 * minuteMs

/** So long before the pictures are taken. */
export function before({ days = 0, minutes = 0 }: { days?: number; minutes?: number }): Date {
  return new Date(storyNow.getTime() - days * dayMs - minutes * minuteMs)
}

export const mara = 'mara@harbourtea.example'
export const jonas = 'jonas@harbourtea.example'
export const noor = 'noor@harbourtea.example'

/** Who has just begun, with a workspace of her own in which there is nothing. */
export const newcomer = { name: 'Anna Petersen', email: 'anna@kiosk-am-hafen.example', workspace: 'Kiosk am Hafen' }

export const people: readonly { name: string; email: string; role: MemberRole; joinedDaysAgo: number }[] = [
  { name: 'Mara Lindqvist', email: mara, role: 'owner', joinedDaysAgo: 380 },
  { name: 'Jonas Weber', email: jonas, role: 'owner', joinedDaysAgo: 377 },
  { name: 'Noor Haddad', email: noor, role: 'member', joinedDaysAgo: 241 },
  { name: 'Inês Duarte', email: 'ines@harbourtea.example', role: 'viewer', joinedDaysAgo: 96 },
]

export type Trouble = {
  status: 'down' | 'degraded'
  daysAgo: number
  /** Null for one that is not over. */
  minutes: number | null
  error: string
  statusCode?: number
}

export type Watched = {
  name: string
  /** In the form that the API takes. */
  input: Readonly<Record<string, unknown>>
  /** Names of monitors, for groups. */
  members?: readonly string[]
  /** Typical response time at the nearest location; null for kinds that have none. */
  latencyMs: number | null
  /** Whether a check is a web request, whose phases are known. */
  isWeb?: boolean
  isPaused?: boolean
  /** Added so long ago; default a year. */
  daysOld?: number
  /** Newest first. */
  troubles?: readonly Trouble[]
  /** The details of successful checks. */
  details?: Readonly<Record<string, unknown>>
}

const everywhere = { locations: ['fra', 'iad', 'sin'], confirmation_threshold: 2 }
const domain = 'harbourtea.example'

export const watched: readonly Watched[] = [
  {
    name: 'Shop front',
    input: { url: `https://${domain}/`, interval_seconds: 120, vulnerability_alerts: true, ...everywhere },
    latencyMs: 118,
    isWeb: true,
    troubles: [
      { status: 'down', daysAgo: 37.35, minutes: 26, error: 'HTTP status 502, expected 200 to 399', statusCode: 502 },
      { status: 'degraded', daysAgo: 61.8, minutes: 44, error: 'The answer took longer than 1500 ms' },
      { status: 'down', daysAgo: 203.6, minutes: 9, error: 'The connection was refused.' },
    ],
  },
  {
    name: 'Checkout API',
    input: {
      kind: 'api',
      url: `https://api.${domain}/v2/health`,
      interval_seconds: 120,
      check_options: { json_path: 'status', expected_value: 'ok' },
      ...everywhere,
    },
    latencyMs: 84,
    isWeb: true,
    troubles: [
      {
        status: 'down',
        daysAgo: 23 / 1440,
        minutes: null,
        error: 'HTTP status 503, expected 200 to 399',
        statusCode: 503,
      },
      { status: 'degraded', daysAgo: 12.4, minutes: 31, error: 'The answer took longer than 1500 ms' },
      { status: 'down', daysAgo: 37.35, minutes: 24, error: 'HTTP status 502, expected 200 to 399', statusCode: 502 },
      { status: 'down', daysAgo: 128.2, minutes: 17, error: 'No answer within 10 s' },
    ],
  },
  {
    name: 'Search',
    input: {
      url: `https://search.${domain}/?q=oolong`,
      interval_seconds: 120,
      keyword: 'Oolong',
      check_options: { max_latency_ms: 1500 },
      ...everywhere,
    },
    latencyMs: 236,
    isWeb: true,
    troubles: [
      { status: 'degraded', daysAgo: 35 / 1440, minutes: null, error: 'The answer took longer than 1500 ms' },
      { status: 'degraded', daysAgo: 4.2, minutes: 18, error: 'The answer took longer than 1500 ms' },
    ],
  },
  {
    name: 'Sign in and buy',
    input: {
      kind: 'transaction',
      url: `https://${domain}/`,
      interval_seconds: 300,
      check_options: { steps: [{ url: '/' }, { url: '/sign-in' }, { url: '/basket' }] },
      locations: ['fra', 'iad'],
    },
    latencyMs: 640,
    troubles: [{ status: 'down', daysAgo: 37.35, minutes: 25, error: 'Step 3: HTTP status 502, expected 200 to 399' }],
  },
  {
    name: 'Certificate of the shop',
    input: { kind: 'ssl', url: domain, interval_seconds: 3600, locations: ['fra'] },
    latencyMs: 41,
  },
  {
    name: 'DNS',
    input: { kind: 'dns', url: domain, interval_seconds: 300, check_options: { record_type: 'A' }, ...everywhere },
    latencyMs: 14,
    details: { record_type: 'A', answers: ['203.0.113.20', '203.0.113.21'] },
    troubles: [{ status: 'down', daysAgo: 81.7, minutes: 12, error: 'The server failed to answer (SERVFAIL).' }],
  },
  {
    name: 'Mail',
    input: { kind: 'smtp', url: `mail.${domain}`, interval_seconds: 300, locations: ['fra', 'iad'] },
    latencyMs: 96,
    troubles: [{ status: 'down', daysAgo: 9.15, minutes: 14, error: 'The server answered 421 instead of a greeting.' }],
  },
  {
    name: 'SPF, DKIM and DMARC',
    input: {
      kind: 'email_auth',
      url: domain,
      interval_seconds: 3600,
      check_options: { dkim_selectors: ['mail2026'], dmarc_policy: 'quarantine' },
      locations: ['fra'],
    },
    latencyMs: 32,
  },
  {
    name: 'Hourly backup',
    input: { kind: 'heartbeat', interval_seconds: 3600, heartbeat_grace_seconds: 900 },
    latencyMs: null,
    troubles: [{ status: 'down', daysAgo: 54.4, minutes: 310, error: 'No call for 1 h 15 min.' }],
  },
  {
    name: 'Warehouse database',
    input: { kind: 'tcp', url: `warehouse.${domain}:5432`, interval_seconds: 60, locations: ['fra'] },
    latencyMs: 11,
  },
  {
    name: 'VPN gateway Rotterdam',
    input: { kind: 'ping', url: `vpn.${domain}`, interval_seconds: 60, locations: ['fra', 'iad'] },
    latencyMs: 19,
    daysOld: 148,
    troubles: [{ status: 'down', daysAgo: 17.8, minutes: 6, error: 'None of 3 packets came back.' }],
  },
  {
    name: 'Repository of the shop',
    input: { kind: 'repository', url: `https://git.${domain}/shop.git`, interval_seconds: 3600, locations: ['fra'] },
    latencyMs: 410,
    daysOld: 201,
    details: { branch: 'main', commit: '8c1d4e0f2a7b93d65e10c4f8a2b7d913e6f05c48', manifests: 3 },
  },
  {
    name: 'Tea house (Minecraft)',
    input: { kind: 'game_server', url: `play.${domain}`, interval_seconds: 300, locations: ['fra'] },
    latencyMs: 27,
    daysOld: 77,
    details: { players: 7, max_players: 40, version: '1.21.10' },
  },
  {
    name: 'The shop as a whole',
    input: { kind: 'group', check_options: { group_policy: 'any' } },
    members: ['Shop front', 'DNS', 'Mail'],
    latencyMs: null,
    daysOld: 240,
  },
  {
    name: 'Old blog',
    input: { url: `https://blog.${domain}/`, interval_seconds: 300, locations: ['fra'] },
    latencyMs: 305,
    isPaused: true,
  },
  {
    name: 'Wholesale portal',
    input: { url: `https://wholesale.${domain}/`, interval_seconds: 300, locations: ['fra', 'sin'] },
    latencyMs: 172,
    isWeb: true,
    daysOld: 25,
  },
]
