// The files of blackbox_exporter and Prometheus, after their YAML was read: modules, scrape configurations, and targets
// that Prometheus finds in files (https://prometheus.io/docs/prometheus/latest/configuration/configuration/).
import { z } from 'zod'
import { listOf } from '#core/language/foreign-lists.ts'
import { ifGiven, textOrNull } from '#core/imports/import-json.ts'
import { importLimits } from '#core/imports/imported.ts'

const ifTrue = textOrNull.transform((value) => value === 'true')
const unlessFalse = textOrNull.transform((value) => value !== 'false')
const texts = listOf(textOrNull, 1_000)
const tls = ifGiven(z.looseObject({ insecure_skip_verify: ifTrue, ca: textOrNull, cert: textOrNull, key: textOrNull }))
const headerPatterns = ifGiven(listOf(z.object({ header: textOrNull, regexp: textOrNull, allow_missing: ifTrue }), 100))

const httpSchema = z.object({
  valid_status_codes: ifGiven(texts),
  valid_http_versions: ifGiven(texts),
  enable_http2: unlessFalse,
  method: textOrNull,
  headers: ifGiven(z.record(z.string(), textOrNull)),
  http_headers: ifGiven(
    z.record(z.string(), z.object({ values: ifGiven(texts), secrets: ifGiven(texts), files: ifGiven(texts) })),
  ),
  follow_redirects: unlessFalse,
  fail_if_ssl: ifTrue,
  fail_if_not_ssl: ifTrue,
  fail_if_body_json_matches_cel: textOrNull,
  fail_if_body_json_not_matches_cel: textOrNull,
  fail_if_body_matches_regexp: ifGiven(texts),
  fail_if_body_not_matches_regexp: ifGiven(texts),
  fail_if_header_matches: headerPatterns,
  fail_if_header_not_matches: headerPatterns,
  tls_config: tls,
  basic_auth: ifGiven(z.object({ username: textOrNull, password: textOrNull })),
  authorization: ifGiven(z.object({ type: textOrNull, credentials: textOrNull })),
  oauth2: ifGiven(
    z.object({
      client_id: textOrNull,
      client_secret: textOrNull,
      token_url: textOrNull,
      scopes: ifGiven(texts),
      endpoint_params: ifGiven(z.record(z.string(), textOrNull)),
    }),
  ),
  proxy_url: textOrNull,
  preferred_ip_protocol: textOrNull,
  ip_protocol_fallback: unlessFalse,
  body: textOrNull,
  body_file: textOrNull,
})
export type BlackboxHttp = z.infer<typeof httpSchema>

/** What is sent may be bytes; it only matters that something is. */
const isThere = z
  .unknown()
  .optional()
  .transform((value) => value !== undefined && value !== null)

const queryResponse = ifGiven(listOf(z.object({ expect: textOrNull, send: isThere, starttls: ifTrue }), 100))

export const moduleSchema = z.object({
  prober: textOrNull,
  timeout: textOrNull,
  http: ifGiven(httpSchema),
  tcp: ifGiven(z.object({ query_response: queryResponse, tls: ifTrue, tls_config: tls })),
  grpc: ifGiven(z.object({ service: textOrNull, tls: ifTrue, tls_config: tls })),
  dns: ifGiven(
    z.object({
      query_name: textOrNull,
      query_type: textOrNull,
      valid_rcodes: ifGiven(texts),
      validate_answer_rrs: z.unknown().optional(),
      validate_authority_rrs: z.unknown().optional(),
      validate_additional_rrs: z.unknown().optional(),
    }),
  ),
})
export type BlackboxModule = z.infer<typeof moduleSchema>

export const targetGroups: z.ZodType<TargetGroup[]> = listOf(
  z.object({
    targets: ifGiven(listOf(textOrNull, importLimits.monitors)),
    labels: ifGiven(z.record(z.string(), textOrNull)),
  }),
  importLimits.monitors,
)
export type TargetGroup = {
  targets?: (string | null)[] | null | undefined
  labels?: Record<string, string | null> | null | undefined
}

const jobSchema = z.looseObject({
  job_name: textOrNull,
  metrics_path: textOrNull,
  params: ifGiven(z.record(z.string(), ifGiven(texts))),
  scrape_interval: textOrNull,
  scrape_timeout: textOrNull,
  static_configs: ifGiven(targetGroups),
  file_sd_configs: z.unknown().optional(),
  relabel_configs: ifGiven(
    listOf(
      z.object({ target_label: textOrNull, replacement: textOrNull, regex: textOrNull, action: textOrNull }),
      1_000,
    ),
  ),
})
export type BlackboxJob = z.infer<typeof jobSchema>

export const modulesFile = z.object({ modules: z.record(z.string(), moduleSchema) })
export const prometheusFile = z.object({
  global: ifGiven(z.object({ scrape_interval: textOrNull, scrape_timeout: textOrNull })),
  scrape_configs: listOf(jobSchema, 1_000),
})
