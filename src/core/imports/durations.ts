/** In milliseconds, of a duration as Go and Prometheus write it: `1h30m`, `500ms`, `1.5s`, `2d`. Null for other texts. */
export function durationOf(text: string | null): number | null {
  if (text === null || text.length > 50 || !whole.test(text)) return null
  let sum = 0
  for (const [, number, unit = ''] of text.matchAll(part)) sum += Number(number) * (units[unit] ?? 0)
  return sum
}

const whole = /^(?:\d+(?:\.\d+)?(?:ns|us|µs|ms|s|m|h|d|w|y))+$|^0$/
const part = /(\d+(?:\.\d+)?)(ns|us|µs|ms|s|m|h|d|w|y)/g

const units: Readonly<Record<string, number>> = {
  ns: 1e-6,
  us: 1e-3,
  µs: 1e-3,
  ms: 1,
  s: 1000,
  m: 60_000,
  h: 3_600_000,
  d: 86_400_000,
  w: 604_800_000,
  y: 31_536_000_000,
}
