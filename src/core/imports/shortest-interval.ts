import type { ImportedFile, ImportNote } from './imported.ts'

/** The file with no monitor that is checked more often than a plan allows, each noted. */
export function withShortestInterval(file: ImportedFile, seconds: number): ImportedFile {
  const notes: ImportNote[] = []
  const monitors = file.monitors.map((monitor) => {
    const wished = monitor.input.interval_seconds ?? seconds
    if (wished >= seconds) return monitor
    const message = `It is checked every ${seconds} s instead of every ${wished} s, because that is as often as the plan allows.`
    notes.push({ place: monitor.place, effect: 'changed', message })
    return { ...monitor, input: { ...monitor.input, interval_seconds: seconds } }
  })
  return { ...file, monitors, notes: [...file.notes, ...notes] }
}
