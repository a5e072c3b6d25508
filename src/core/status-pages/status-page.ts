import { z } from 'zod'
import { isDomainName, parseDomainName } from '#core/language/domain-name.ts'
import { text } from '#core/language/text.ts'
import { tagsSchema } from '#core/tags.ts'
import { colourForm } from './page-colours.ts'
import { pageLanguages } from './page-languages.ts'
import { maxImageBytes, maxImageKb, mediaTypes } from './page-image.ts'

/** Limits of a workspace, so that every page stays quick to build and to read. */
export const statusLimits = {
  pages: 20,
  sections: 50,
  monitors: 200,
  /** Posts of one incident, and announcements of one page. */
  posts: 100,
  subscribers: 5_000,
} as const

/** Addresses below /status that the service uses itself, or that look as if it did. */
const reservedSlugs: ReadonlySet<string> = new Set([
  'admin',
  'api',
  'assets',
  'badge',
  'confirm',
  'console',
  'embed',
  'feed',
  'history',
  'new',
  'perigee',
  'status',
  'subscribe',
  'unsubscribe',
  'www',
])
const slugForm = /^[a-z0-9](?:[a-z0-9-]{1,61}[a-z0-9])$/

const slug = z
  .string()
  .regex(slugForm, 'Must have 3 to 63 of a-z, 0-9 and -, with a letter or digit at both ends.')
  .refine((value) => !reservedSlugs.has(value), 'Is reserved.')
  .describe('The last part of the address: /status/{slug}. No two pages of the installation have the same.')

const domain = z
  .string()
  .refine(isOwnDomain, 'Must be a domain name such as status.example.com.')
  .transform((value) => parseDomainName(value) ?? value)
  .meta({ maxLength: 253 })

function isOwnDomain(value: string): boolean {
  const name = parseDomainName(value)
  return name !== null && name.includes('.') && isDomainName(name) && !/[*_]/.test(name)
}

const homepage = text({ max: 2048 }).refine(isWebAddress, 'Must be an http:// or https:// address.')

function isWebAddress(value: string): boolean {
  const url = /^https?:\/\/[^\s\\]+$/i.test(value) ? URL.parse(value) : null
  return url !== null && url.username === '' && url.password === ''
}

const sectionMonitorInput = z.strictObject({
  monitor_id: z.uuid().toLowerCase(),
  name: text({ min: 1, max: 160 }).nullable().default(null).describe("Shown in place of the monitor's own name."),
})

const sectionInput = z.strictObject({
  name: text({ max: 160 }).default('').describe('The heading; empty for none.'),
  monitors: z.array(sectionMonitorInput).max(statusLimits.monitors).default([]),
})
export type SectionInput = z.infer<typeof sectionInput>

const languages = ['auto', ...pageLanguages] as const
const themes = ['auto', 'light', 'dark'] as const
const histories = ['90_days', 'whole'] as const
const layouts = ['list', 'compact'] as const
const visibilities = ['public', 'password', 'draft'] as const

const shape = {
  slug,
  title: text({ min: 1, max: 160 }),
  description: text({ max: 1000 }).describe('Below the title. Line breaks stay, links become links.'),
  homepage: homepage.nullable().describe('Where the title links to; null for no link.'),
  domain: domain
    .nullable()
    .describe('Requests whose Host is this name are answered with the page, once it is proven; null for none.'),
  language: z
    .enum(languages)
    .describe(
      'Of the words that are not yours, of dates and of numbers; `auto` is the language that the browser of each reader asks for. Readers can choose another one.',
    ),
  theme: z.enum(themes),
  accent: z
    .string()
    .regex(colourForm, 'Must be a colour such as #1558c0.')
    .toLowerCase()
    .nullable()
    .describe(
      'Of links and buttons: `#rrggbb`; null for the usual one. Where it has too little contrast, the nearest colour that has enough stands in.',
    ),
  layout: z.enum(layouts).describe('`compact` shows monitors side by side, without response times.'),
  sections: z.array(sectionInput).max(statusLimits.sections).describe('In the order of the page.'),
  monitor_tags: tagsSchema.describe(
    'Monitors with one of these tags are on the page too, under their own names, after those of `sections`.',
  ),
  history: z.enum(histories).describe('What the bars show.'),
  response_charts: z.boolean().describe('Whether response times are shown, of monitors whose `charts` have them.'),
  visibility: z.enum(visibilities).describe('`password` asks readers for it, `draft` is shown to nobody.'),
  tags: tagsSchema.describe('Words by which pages are found. Readers do not see them.'),
}

const password = z
  .string()
  .min(8, 'Must have at least 8 characters.')
  .max(200, 'Must have at most 200 characters.')
  .nullable()
  .describe('Of a page with `visibility` `password`. It is never shown again.')

export const statusPageInputSchema = z.strictObject({
  slug,
  title: shape.title,
  description: shape.description.default(''),
  homepage: shape.homepage.default(null),
  domain: shape.domain.default(null),
  language: shape.language.default('en'),
  theme: shape.theme.default('auto'),
  accent: shape.accent.default(null),
  layout: shape.layout.default('list'),
  sections: shape.sections.default([]),
  monitor_tags: shape.monitor_tags.default([]),
  history: shape.history.default('90_days'),
  response_charts: shape.response_charts.default(true),
  visibility: shape.visibility.default('public'),
  tags: shape.tags.default([]),
  password: password.default(null),
})
export type StatusPageInput = z.infer<typeof statusPageInputSchema>

/** A field that is left out stays as it is; `sections` are replaced as a whole. */
export const statusPageChangeSchema = z.strictObject({ ...shape, password }).partial()
export type StatusPageChange = z.infer<typeof statusPageChangeSchema>

/** `pattern` would name a length of characters, where the limit is one of bytes. */
const image = z
  .base64()
  .max(Math.ceil(maxImageBytes / 3) * 4, `Must have at most ${maxImageKb} KB.`)
  .describe(`A PNG, JPEG or WebP file of at most ${maxImageKb} KB, in Base64. Metadata in it are removed.`)

export const logoInputSchema = z.strictObject({
  image,
  alt: text({ max: 160 })
    .default('')
    .describe('What it shows, for readers who do not see it; empty where the title says it already.'),
})
export const faviconInputSchema = z.strictObject({ image })

const imageRecordSchema = z.strictObject({
  url: z.string().describe('Where readers of the page find it.'),
  media_type: z.enum(mediaTypes),
  width: z.int(),
  height: z.int(),
  bytes: z.int(),
  alt: z.string(),
})

/** A page as the console shows it. */
export const statusPageSchema = z.strictObject({
  id: z.uuid(),
  slug: z.string(),
  url: z.string().describe('Where the page is; with a proven domain of its own, also https://{domain}.'),
  title: z.string(),
  description: z.string(),
  homepage: z.string().nullable(),
  domain: z.string().nullable(),
  domain_state: z
    .enum(['proven', 'waiting'])
    .nullable()
    .describe('While it is `waiting` for `domain_record`, the page is not at its domain; null without a domain.'),
  domain_record: z
    .strictObject({ name: z.string(), value: z.string() })
    .nullable()
    .describe('The TXT record that shows that the domain belongs to this workspace; null where none is awaited.'),
  language: z.enum(languages),
  theme: z.enum(themes),
  accent: z.string().nullable(),
  layout: z.enum(layouts),
  logo: imageRecordSchema.nullable(),
  favicon: imageRecordSchema.nullable(),
  history: z.enum(histories),
  response_charts: z.boolean(),
  visibility: z.enum(visibilities),
  has_password: z.boolean(),
  tags: z.array(z.string()),
  sections: z.array(
    z.strictObject({
      name: z.string(),
      monitors: z.array(
        z.strictObject({ monitor_id: z.uuid(), monitor_name: z.string(), name: z.string().nullable() }),
      ),
    }),
  ),
  monitor_tags: z.array(z.string()),
  monitors: z.int().describe('How many are on the page, also those that have one of `monitor_tags`.'),
  subscribers: z.int().describe('Subscribers who confirmed.'),
  created_at: z.iso.datetime(),
})
export type StatusPageRecord = z.infer<typeof statusPageSchema>

export const postStates = ['investigating', 'identified', 'monitoring', 'resolved', 'postmortem'] as const
export type PostState = (typeof postStates)[number]

const body = text({ min: 1, max: 5000 }).describe(
  'Plain text. Line breaks stay, links become links. Of a `postmortem`, headings, lists and bold words of Markdown too.',
)
const postedAt = z.iso
  .datetime({ offset: true })
  .describe('Default now; may lie in the past, not in the future, and not before its incident.')

export const postInputSchema = z.strictObject({
  state: z.enum(postStates),
  body,
  posted_at: postedAt.optional(),
  notify: z.boolean().default(true).describe('Whether subscribers are told.'),
})

export const announcementInputSchema = z.strictObject({
  title: text({ min: 1, max: 160 }),
  body,
  posted_at: postedAt.optional(),
  ends_at: z.iso
    .datetime({ offset: true })
    .nullable()
    .default(null)
    .describe('Until then it stands on top of the page; null for until it is changed or deleted.'),
  notify: z.boolean().default(true).describe('Whether subscribers are told.'),
})

/** `state` belongs to posts of incidents, `title` and `ends_at` to announcements. */
export const postChangeSchema = z
  .strictObject({
    state: z.enum(postStates),
    title: text({ min: 1, max: 160 }),
    body,
    posted_at: postedAt,
    ends_at: z.iso.datetime({ offset: true }).nullable(),
  })
  .partial()
export type PostChange = z.infer<typeof postChangeSchema>

/** A post or an announcement, as the console shows it. Readers of the page do not see the author. */
export const postSchema = z.strictObject({
  id: z.uuid(),
  incident_id: z.uuid().nullable().describe('Null for an announcement.'),
  page_id: z.uuid().nullable().describe('Null for a post of an incident, which stands on every page with its monitor.'),
  state: z.enum(postStates).nullable(),
  title: z.string().nullable(),
  body: z.string(),
  posted_at: z.iso.datetime(),
  ends_at: z.iso.datetime().nullable(),
  author: z.string(),
  edited_at: z.iso.datetime().nullable(),
})
export type PostRecord = z.infer<typeof postSchema>

/** An address can be confirmed for so many days. */
export const subscriptionDays = 7

export const subscriberSchema = z.strictObject({
  id: z.uuid(),
  kind: z.enum(['email', 'webhook']),
  destination: z.string(),
  confirmed: z.boolean(),
  created_at: z.iso.datetime(),
})
export type SubscriberRecord = z.infer<typeof subscriberSchema>

/** Members of the workspace add webhooks alone: people subscribe themselves, on the page. */
export const webhookSubscriberInputSchema = z.strictObject({
  destination: text({ min: 1, max: 2048 }).describe('An https:// URL.'),
})

/** Events of which subscribers are told. Jobs and webhooks use the same words. */
export const statusEventTypes = [
  'opened',
  'resolved',
  'post',
  'maintenance_planned',
  'maintenance_changed',
  'maintenance_cancelled',
  'maintenance_begun',
  'maintenance_ended',
] as const
export type StatusEventType = (typeof statusEventTypes)[number]
