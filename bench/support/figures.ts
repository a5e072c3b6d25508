/** `share` 0.99 for p99. NaN without values. */
export function percentile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((one, other) => one - other)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN
}

export function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length
}

/** 12345 as 12,345. */
export function whole(value: number): string {
  return Math.round(value).toLocaleString('en-US')
}

/** p50 and p99 of milliseconds, for a line. */
export function latencies(values: readonly number[]): string {
  return `p50 ${percentile(values, 0.5).toFixed(1)} ms, p99 ${percentile(values, 0.99).toFixed(1)} ms`
}
