import { t } from '@lingui/core/macro'

/** A browser as people call it, such as “Firefox on Linux”. */
export function browserOf(agent: string | null): string {
  if (agent === null || agent === '') return t`Unknown browser`
  const browser = browsers.find(([pattern]) => pattern.test(agent))?.[1]
  const system = systems.find(([pattern]) => pattern.test(agent))?.[1]
  if (browser === undefined) return agent.slice(0, 80)
  return system === undefined ? browser : t`${browser} on ${system}`
}

const browsers = [
  [/Edg\//, 'Edge'],
  [/OPR\//, 'Opera'],
  [/Firefox\//, 'Firefox'],
  [/Chrome\//, 'Chrome'],
  [/Safari\//, 'Safari'],
] as const
const systems = [
  [/iPhone|iPad/, 'iOS'],
  [/Android/, 'Android'],
  [/Windows/, 'Windows'],
  [/Mac OS/, 'macOS'],
  [/Linux/, 'Linux'],
] as const
