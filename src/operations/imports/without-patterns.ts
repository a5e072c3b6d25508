import type { ImportedFile, ImportedMonitor, ImportNote } from '#core/imports/imported.ts'
import { patternProblem } from '#kinds/web/pattern.ts'

const patterns = ['body_pattern', 'absent_pattern']

/** The file without the regular expressions that a check would not take, each noted as lost; their monitors stay. */
export function withoutPatterns(file: ImportedFile): ImportedFile {
  const notes: ImportNote[] = []
  const monitors = file.monitors.map((monitor) => {
    const problems = patterns.flatMap((option) => problemsOf(monitor, option))
    if (problems.length === 0) return monitor
    for (const { message } of problems) notes.push({ place: monitor.place, effect: 'lost', message })
    const lost = new Set(problems.map(({ option }) => option))
    const options = Object.entries(monitor.input.check_options ?? {}).filter(([option]) => !lost.has(option))
    return { ...monitor, input: { ...monitor.input, check_options: Object.fromEntries(options) } }
  })
  return { ...file, monitors, notes: [...file.notes, ...notes] }
}

function problemsOf({ input }: ImportedMonitor, option: string): { option: string; message: string }[] {
  const pattern = input.check_options?.[option]
  const problem = typeof pattern === 'string' ? patternProblem(pattern) : null
  return problem === null ? [] : [{ option, message: `Its regular expression is not imported. ${option}: ${problem}` }]
}
