const units = ['bytes', 'kB', 'MB', 'GB', 'TB'] as const

/** `512 bytes`, `3.2 GB`: of powers of 1,000, with a decimal where the number has one digit. */
export function sizeInWords(bytes: number): string {
  const power = Math.min(units.length - 1, bytes < 1_000 ? 0 : Math.floor(Math.log10(bytes) / 3))
  const amount = bytes / 1_000 ** power
  const shown = power > 0 && amount < 10 ? amount.toFixed(1) : String(Math.round(amount))
  return `${shown} ${units[power] ?? 'bytes'}`
}
