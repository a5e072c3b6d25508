/**
 * Options that count only with another one: of any value, or of one of these. Where a kind has several of `options`,
 * each will do. They are shown, and sent, once the other one is there; without it the service refuses them.
 */
type Need = { options: readonly string[]; values?: readonly string[] }

const toSignIn: Need = { options: ['sign_in'] }
const toGetToken: Need = { options: ['sign_in'], values: ['oauth2'] }
const toSignForAws: Need = { options: ['sign_in'], values: ['aws'] }
const toSearch: Need = { options: ['base'] }
const toCompare: Need = { options: ['json_path', 'attribute', 'key', 'statement', 'oid'] }

const needs: Readonly<Record<string, Need>> = {
  attribute: toSearch,
  aws_region: toSignForAws,
  aws_service: toSignForAws,
  expected_message: { options: ['watched_topic'] },
  expected_value: toCompare,
  filter: toSearch,
  max_list_length: { options: ['list'] },
  max_messages: { options: ['queue'] },
  max_value: { options: ['statement', 'oid'] },
  message_pattern: { options: ['watched_topic'] },
  min_consumers: { options: ['queue'] },
  min_entries: toSearch,
  min_value: { options: ['oid'] },
  proxy_name: { options: ['proxy'] },
  proxy_secret: { options: ['proxy'] },
  qos: { options: ['topic'] },
  scope: toSearch,
  sign_in_name: toSignIn,
  sign_in_secret: toSignIn,
  signature_warn_days: { options: ['dnssec'] },
  token_audience: toGetToken,
  token_method: toGetToken,
  token_scope: toGetToken,
  token_url: toGetToken,
}

/** Those of a kind's options that count for nothing with what the others are. */
export function idleOptions(options: readonly string[], valueOf: (option: string) => unknown): ReadonlySet<string> {
  const isIdle = (option: string): boolean => {
    const { options: others = [], values } = needs[option] ?? {}
    const known = others.filter((other) => options.includes(other))
    return known.length > 0 && !known.some((other) => !isIdle(other) && isThere(valueOf(other), values))
  }
  return new Set(options.filter(isIdle))
}

function isThere(value: unknown, values: readonly string[] | undefined): boolean {
  if (values !== undefined) return typeof value === 'string' && values.includes(value)
  return value !== undefined && value !== null && value !== ''
}
