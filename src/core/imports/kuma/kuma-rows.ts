// Rows of Uptime Kuma's database, from release 1.10 to 2.5. A column that a release lacks is null, and what a release
// adds is left alone, so that one form holds for all of them.
import { z } from 'zod'
import { listOf } from '#core/language/foreign-lists.ts'
import { flag, numberOrNull, readAs, textOrNull } from '#core/imports/import-json.ts'
import { ImportError, importLimits } from '#core/imports/imported.ts'
import { shown } from '#core/imports/monitor-parts.ts'

export const wholeNumber = z.int('Must be a whole number.').min(0)
const unlessOff = z
  .unknown()
  .optional()
  .transform((value) => value !== 0 && value !== false)

const monitorRow = z.object({
  id: wholeNumber,
  type: z.string('Must be a text.').max(100),
  name: textOrNull,
  description: textOrNull,
  /** Left out where it is checked. */
  active: unlessOff,
  parent: numberOrNull,
  interval: numberOrNull,
  retry_interval: numberOrNull,
  maxretries: numberOrNull,
  resend_interval: numberOrNull,
  timeout: numberOrNull,
  upside_down: flag,
  url: textOrNull,
  method: textOrNull,
  headers: textOrNull,
  body: textOrNull,
  http_body_encoding: textOrNull,
  accepted_statuscodes_json: textOrNull,
  maxredirects: numberOrNull,
  ignore_tls: flag,
  expiry_notification: flag,
  domain_expiry_notification: flag,
  cache_bust: flag,
  ip_family: textOrNull,
  proxy_id: numberOrNull,
  auth_method: textOrNull,
  basic_auth_user: textOrNull,
  basic_auth_pass: textOrNull,
  bearer_token: textOrNull,
  oauth_client_id: textOrNull,
  oauth_client_secret: textOrNull,
  oauth_token_url: textOrNull,
  oauth_scopes: textOrNull,
  oauth_audience: textOrNull,
  oauth_auth_method: textOrNull,
  tls_ca: textOrNull,
  tls_cert: textOrNull,
  tls_key: textOrNull,
  keyword: textOrNull,
  invert_keyword: flag,
  json_path: textOrNull,
  json_path_operator: textOrNull,
  expected_value: textOrNull,
  hostname: textOrNull,
  port: numberOrNull,
  smtp_security: textOrNull,
  expected_tls_alert: textOrNull,
  packet_size: numberOrNull,
  ping_count: numberOrNull,
  dns_resolve_type: textOrNull,
  dns_resolve_server: textOrNull,
  conditions: textOrNull,
  push_token: textOrNull,
  game: textOrNull,
  subtype: textOrNull,
  protocol: textOrNull,
  ntp_time_offset_threshold: numberOrNull,
  database_connection_string: textOrNull,
  database_query: textOrNull,
  radius_password: textOrNull,
  mqtt_topic: textOrNull,
  mqtt_username: textOrNull,
  mqtt_password: textOrNull,
  mqtt_check_type: textOrNull,
  mqtt_success_message: textOrNull,
  rabbitmq_nodes: textOrNull,
  rabbitmq_username: textOrNull,
  rabbitmq_password: textOrNull,
  ws_subprotocol: textOrNull,
  ws_ignore_sec_websocket_accept_header: flag,
  grpc_url: textOrNull,
  grpc_enable_tls: flag,
  grpc_protobuf: textOrNull,
  grpc_service_name: textOrNull,
  grpc_method: textOrNull,
  grpc_body: textOrNull,
})
export type KumaMonitor = z.infer<typeof monitorRow>

const schemas = {
  proxy: listOf(
    z.object({
      id: wholeNumber,
      protocol: textOrNull,
      host: textOrNull,
      port: numberOrNull,
      auth: flag,
      username: textOrNull,
      password: textOrNull,
      active: unlessOff,
    }),
    importLimits.links,
  ),
  monitor: listOf(monitorRow, importLimits.monitors),
  notification: listOf(
    z.object({
      id: wholeNumber,
      name: textOrNull,
      active: unlessOff,
      config: textOrNull,
    }),
    importLimits.contacts,
  ),
  monitor_notification: links({ monitor_id: wholeNumber, notification_id: wholeNumber }),
  tag: listOf(z.object({ id: wholeNumber, name: textOrNull }), importLimits.links),
  monitor_tag: links({ monitor_id: wholeNumber, tag_id: wholeNumber, value: textOrNull }),
  status_page: listOf(
    z.object({
      id: wholeNumber,
      slug: textOrNull,
      title: textOrNull,
      description: textOrNull,
      theme: textOrNull,
      published: unlessOff,
      footer_text: textOrNull,
      custom_css: textOrNull,
    }),
    importLimits.pages,
  ),
  status_page_cname: links({ status_page_id: numberOrNull, domain: textOrNull }),
  group: listOf(
    z.object({ id: wholeNumber, name: textOrNull, weight: numberOrNull, status_page_id: numberOrNull }),
    10_000,
  ),
  monitor_group: links({ monitor_id: wholeNumber, group_id: wholeNumber, weight: numberOrNull }),
  incident: listOf(z.object({ title: textOrNull, active: flag, pin: flag }), importLimits.links),
  maintenance: listOf(
    z.object({
      id: wholeNumber,
      title: textOrNull,
      description: textOrNull,
      active: unlessOff,
      strategy: textOrNull,
      start_date: textOrNull,
      end_date: textOrNull,
      start_time: textOrNull,
      end_time: textOrNull,
      weekdays: textOrNull,
      days_of_month: textOrNull,
      interval_day: numberOrNull,
      cron: textOrNull,
      timezone: textOrNull,
      duration: numberOrNull,
    }),
    importLimits.maintenance,
  ),
  monitor_maintenance: links({ monitor_id: wholeNumber, maintenance_id: wholeNumber }),
  /** `timestamp` is the start of a day of UTC in seconds since 1970, `ping` the mean of what was up. */
  stat_daily: listOf(
    z.object({
      monitor_id: wholeNumber,
      timestamp: wholeNumber,
      up: numberOrNull,
      down: numberOrNull,
      ping: numberOrNull,
    }),
    importLimits.days,
  ),
  setting: listOf(z.object({ key: textOrNull, value: textOrNull }), 10_000),
}

function links<Shape extends z.ZodRawShape>(shape: Shape): z.ZodType<z.output<z.ZodObject<Shape>>[]> {
  return listOf(z.object(shape), importLimits.links)
}

export type KumaTable = keyof typeof schemas
export type KumaTables = { [Name in KumaTable]: z.output<(typeof schemas)[Name]> }
export type KumaRow<Name extends KumaTable> = KumaTables[Name][number]

/** The tables that are read, by the names that they have in the database. */
export const kumaTables: readonly KumaTable[] = [
  'monitor',
  'proxy',
  'notification',
  'monitor_notification',
  'tag',
  'monitor_tag',
  'status_page',
  'status_page_cname',
  'group',
  'monitor_group',
  'incident',
  'maintenance',
  'monitor_maintenance',
  'stat_daily',
  'setting',
]

/** Rows by table; a table that a release lacks is left out. */
export type RawTables = Readonly<Partial<Record<KumaTable, unknown>>>

export function readKumaTables(raw: RawTables): KumaTables {
  if (raw.monitor === undefined)
    throw new ImportError('The file has no table of monitors, so it is not an Uptime Kuma database.')
  const read = <Name extends KumaTable>(name: Name, schema: z.ZodType<KumaTables[Name]>): KumaTables[Name] =>
    readAs(raw[name] ?? [], schema, name)
  return {
    monitor: read('monitor', schemas.monitor),
    proxy: read('proxy', schemas.proxy),
    notification: read('notification', schemas.notification),
    monitor_notification: read('monitor_notification', schemas.monitor_notification),
    tag: read('tag', schemas.tag),
    monitor_tag: read('monitor_tag', schemas.monitor_tag),
    status_page: read('status_page', schemas.status_page),
    status_page_cname: read('status_page_cname', schemas.status_page_cname),
    group: read('group', schemas.group),
    monitor_group: read('monitor_group', schemas.monitor_group),
    incident: read('incident', schemas.incident),
    maintenance: read('maintenance', schemas.maintenance),
    monitor_maintenance: read('monitor_maintenance', schemas.monitor_maintenance),
    stat_daily: read('stat_daily', schemas.stat_daily),
    setting: read('setting', schemas.setting),
  }
}

/** Such as `monitor 12 "Shop"`: ids are what the address bar of Uptime Kuma shows, and names what people know. */
export function kumaPlace(table: KumaTable, { id, name }: { id: number; name: string | null }): string {
  return name === null ? `${table} ${id}` : `${table} ${id} "${shown(name)}"`
}
