// The configuration of Gatus (https://github.com/TwiN/gatus), after its YAML was read. Scalars may be texts or what
// they look like, so that it does not matter by which schema of YAML they were read.
import { z } from 'zod'
import { listOf } from '#core/language/foreign-lists.ts'
import { ifGiven, textOrNull } from '#core/imports/import-json.ts'
import { importLimits } from '#core/imports/imported.ts'

/** Both have to be written out to be off. */
const unlessFalse = textOrNull.transform((value) => value !== 'false')
const ifTrue = textOrNull.transform((value) => value === 'true')

const texts = ifGiven(z.record(z.string(), textOrNull))

const alertSchema = z.object({
  type: textOrNull,
  enabled: textOrNull,
  'failure-threshold': textOrNull,
  'success-threshold': textOrNull,
  'send-on-resolved': textOrNull,
  'minimum-reminder-interval': textOrNull,
  description: textOrNull,
  'provider-override': z.unknown().optional(),
})
export type GatusAlert = z.infer<typeof alertSchema>

const windowSchema = z.object({
  enabled: unlessFalse,
  start: textOrNull,
  duration: textOrNull,
  timezone: textOrNull,
  every: ifGiven(listOf(textOrNull, 7)),
})
export type GatusWindow = z.infer<typeof windowSchema>

const oauthSchema = z.object({
  'token-url': textOrNull,
  'client-id': textOrNull,
  'client-secret': textOrNull,
  scopes: ifGiven(listOf(textOrNull, 100)),
})
export type GatusOauth = z.infer<typeof oauthSchema>

const clientSchema = z.looseObject({
  timeout: textOrNull,
  insecure: ifTrue,
  'ignore-redirect': ifTrue,
  'proxy-url': textOrNull,
  'dns-resolver': textOrNull,
  oauth2: ifGiven(oauthSchema),
})

const endpointSchema = z.object({
  enabled: unlessFalse,
  name: textOrNull,
  group: textOrNull,
  url: textOrNull,
  method: textOrNull,
  body: textOrNull,
  graphql: ifTrue,
  headers: texts,
  interval: textOrNull,
  conditions: ifGiven(listOf(textOrNull, 200)),
  alerts: ifGiven(listOf(alertSchema, 50)),
  'maintenance-windows': ifGiven(listOf(windowSchema, 50)),
  dns: ifGiven(z.object({ 'query-type': textOrNull, 'query-name': textOrNull })),
  ssh: z.unknown().optional(),
  client: ifGiven(clientSchema),
})
export type GatusEndpoint = z.infer<typeof endpointSchema>

const externalSchema = z.object({
  enabled: unlessFalse,
  name: textOrNull,
  group: textOrNull,
  alerts: ifGiven(listOf(alertSchema, 50)),
  heartbeat: ifGiven(z.object({ interval: textOrNull })),
})
export type GatusExternal = z.infer<typeof externalSchema>

/** A file may hold a part of the configuration alone. */
export const gatusSchema = z.object({
  endpoints: ifGiven(listOf(endpointSchema, importLimits.monitors)),
  'external-endpoints': ifGiven(listOf(externalSchema, importLimits.monitors)),
  alerting: ifGiven(z.record(z.string(), z.unknown())),
  maintenance: ifGiven(windowSchema),
  suites: ifGiven(listOf(z.object({ name: textOrNull }), importLimits.monitors)),
  announcements: ifGiven(listOf(z.unknown(), 10_000)),
  remote: z.unknown().optional(),
  ui: ifGiven(z.object({ header: textOrNull, 'dashboard-heading': textOrNull })),
})
export type GatusFile = z.infer<typeof gatusSchema>

export const defaultAlertSchema = z.object({
  'default-alert': ifGiven(alertSchema),
  overrides: z.unknown().optional(),
})
