// Figures for Prometheus, in the two forms that it reads: its own text format 0.0.4, and OpenMetrics 1.0.
import { z } from 'zod'

/**
 * The figures of one name. `name` is without the suffix of its type (`_total`, `_info`), which every sample has. The
 * lines of the samples are the same in both forms, so that a form that is chosen later begins no new series.
 */
const familySchema = z.strictObject({
  name: z.string(),
  type: z.enum(['gauge', 'counter', 'histogram', 'info']),
  /** The last word of `name`, where it is a unit. */
  unit: z.string().nullable(),
  help: z.string(),
  /** How many lines there are. */
  samples: z.int(),
  /** Each ends with a newline. */
  lines: z.string(),
})
export type Family = z.output<typeof familySchema>

export const expositionSchema = z.array(familySchema)
export type Exposition = z.output<typeof expositionSchema>

export type Labels = Readonly<Record<string, string>>

/** Labels as they stand between the braces of a sample, in their order. */
export function labelText(labels: Labels): string {
  return Object.entries(labels)
    .map(([name, value]) => `${name}="${escaped(value)}"`)
    .join(',')
}

const special = /[\\"\n]/g

function escaped(value: string): string {
  return value.replaceAll(special, (character) => (character === '\n' ? String.raw`\n` : `\\${character}`))
}

/** An upper bound in seconds, as both forms write it: OpenMetrics takes it for a number with a point. */
export function boundText(seconds: number): string {
  return Number.isInteger(seconds) ? `${seconds}.0` : String(seconds)
}

/** Families as they are told together. */
export type Room = {
  /** How many samples are in it. */
  readonly taken: number
  /** A family that does not fit as a whole is left out as a whole: a part would look like the rest being gone. */
  add: (family: Family) => void
  leaveOut: (name: string, samples: number) => void
  /** The families with samples, and last one that says what was left out. */
  exposition: () => Exposition
}

/** Takes families until there are so many samples. */
export function roomFor(most: number): Room {
  const families: Family[] = []
  const omitted = new Map<string, number>()
  let taken = 0
  return {
    get taken() {
      return taken
    },
    add: (family) => {
      if (taken + family.samples > most) {
        omitted.set(sampleName(family), family.samples)
        return
      }
      taken += family.samples
      if (family.samples > 0) families.push(family)
    },
    leaveOut: (name, samples) => void omitted.set(name, samples),
    exposition: () => (omitted.size === 0 ? families : [...families, omittedFamily(omitted)]),
  }
}

function omittedFamily(omitted: ReadonlyMap<string, number>): Family {
  const name = 'perigee_metrics_omitted_samples'
  const lines = Array.from(omitted, ([metric, samples]) => `${name}{${labelText({ metric })}} ${samples}\n`)
  const help = 'Samples of a metric that did not fit into this answer.'
  return { name, type: 'gauge', unit: null, help, samples: lines.length, lines: lines.join('') }
}

/** The text format 0.0.4, which knows no units and takes what never changes for a gauge. */
export function writePrometheus(exposition: Exposition): string {
  return exposition
    .map((family) => {
      const { type, help, lines } = family
      const full = sampleName(family)
      return `# HELP ${full} ${help}\n# TYPE ${full} ${type === 'info' ? 'gauge' : type}\n${lines}`
    })
    .join('')
}

/** OpenMetrics 1.0, in which a family is named without the suffix of its samples. */
export function writeOpenMetrics(exposition: Exposition): string {
  const families = exposition.map(({ name, type, unit, help, lines }) => {
    const unitLine = unit === null ? '' : `# UNIT ${name} ${unit}\n`
    return `# TYPE ${name} ${type}\n${unitLine}# HELP ${name} ${help}\n${lines}`
  })
  return `${families.join('')}# EOF\n`
}

/** As the samples of a family are named; those of histograms have suffixes of their own. */
export function sampleName({ name, type }: Pick<Family, 'name' | 'type'>): string {
  switch (type) {
    case 'counter':
      return `${name}_total`
    case 'info':
      return `${name}_info`
    case 'gauge':
    case 'histogram':
      return name
    default:
      return type satisfies never
  }
}
