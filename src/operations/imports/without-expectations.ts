import type { ImportedFile, ImportedMonitor, ImportNote } from '#core/imports/imported.ts'
import { jsonataProblem, jsonSchemaProblem, patternProblem } from '#kinds/web/expectation-problems.ts'

const expectations = { body_pattern: patternProblem, absent_pattern: patternProblem, jsonata: jsonataProblem } as const

/** The file without the patterns, expressions and schemas that a check would not take, each noted as lost; their monitors stay. */
export function withoutExpectations(file: ImportedFile): ImportedFile {
  const notes: ImportNote[] = []
  const monitors = file.monitors.map((monitor) => {
    const problems = problemsOf(monitor)
    if (problems.length === 0) return monitor
    for (const [option, problem] of problems)
      notes.push({
        place: monitor.place,
        effect: 'lost',
        message: `A part of what it expects is not imported. ${option}: ${problem}`,
      })
    const lost = new Set(problems.map(([option]) => option))
    const options = Object.entries(monitor.input.check_options ?? {}).filter(([option]) => !lost.has(option))
    return { ...monitor, input: { ...monitor.input, check_options: Object.fromEntries(options) } }
  })
  return { ...file, monitors, notes: [...file.notes, ...notes] }
}

function problemsOf({ input }: ImportedMonitor): [option: string, problem: string][] {
  const { json_schema: schema, ...options } = input.check_options ?? {}
  const ofSchema = typeof schema === 'object' && schema !== null ? jsonSchemaProblem(schema) : null
  const ofTexts = Object.entries(expectations).flatMap(([option, problemWith]): [string, string][] => {
    const given = options[option]
    const problem = typeof given === 'string' ? problemWith(given) : null
    return problem === null ? [] : [[option, problem]]
  })
  return ofSchema === null ? ofTexts : [...ofTexts, ['json_schema', ofSchema]]
}
