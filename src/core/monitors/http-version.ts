// By which version of HTTP an answer must come, where that could never be.
import { z } from 'zod'
import type { MonitorSettings } from './monitor.ts'

const wishes = z.looseObject({
  expected_http_version: z.unknown().optional(),
  steps: z.array(z.looseObject({})).catch([]),
})
const stepWishes = z.looseObject({
  url: z.string().nullish(),
  expected_http_version: z.unknown().optional(),
  expected_status_min: z.number().nullish(),
  expected_status_max: z.number().nullish(),
  expected_statuses: z.array(z.string()).nullish(),
})

type Settings = Pick<MonitorSettings, 'url' | 'check_options' | 'expected_status_min' | 'expected_status_max'>

/**
 * The options that ask for HTTP/2 of a server without TLS, where nobody can choose it: unless a redirect leads to one
 * with TLS, and redirects are followed save where they are what is expected.
 */
export function unreachableVersions(settings: Settings): string[] {
  const { url, check_options: options, expected_status_min: min, expected_status_max: max } = settings
  const { expected_http_version: version, steps } = wishes.parse(options)
  const ofAll = version === '2' && isWithoutTls(url) && isAboutRedirects(min, max)
  const ofSteps = steps.flatMap((given, index) => {
    const step = stepWishes.safeParse(given).data
    if (step?.expected_http_version !== '2') return []
    const leads = step.url === undefined || step.url === null || step.url.startsWith('/') ? url : step.url
    const isRedirect = isAboutRedirects(step.expected_status_min ?? min, step.expected_status_max ?? max)
    const isListed = (step.expected_statuses ?? []).length > 0
    return isWithoutTls(leads) && isRedirect && !isListed ? [`steps.${index}.expected_http_version`] : []
  })
  return [...(ofAll ? ['expected_http_version'] : []), ...ofSteps].map((path) => `check_options.${path}`)
}

function isWithoutTls(url: string | null): boolean {
  return url !== null && /^http:/i.test(url)
}

function isAboutRedirects(min: number, max: number): boolean {
  return min >= 300 && max < 400
}
