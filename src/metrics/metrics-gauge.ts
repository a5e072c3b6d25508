import { Gauge, type Registry } from 'prom-client'

/** A number that is read when it is asked for. */
export type GaugeOptions = { name: string; help: string; read: () => number }

export function addGauge(registers: Registry[], { name, help, read }: GaugeOptions): void {
  const gauge: Gauge = new Gauge({ name, help, registers, collect: () => gauge.set(read()) })
}

export type Labelled = readonly (readonly [labels: Readonly<Record<string, string>>, value: number])[]

/** A number for each of the labels that there are now; none at all while it cannot be read. */
export type GaugesOptions = {
  name: string
  help: string
  labelNames: string[]
  read: () => Labelled | Promise<Labelled>
}

export function addGauges(registers: Registry[], { name, help, labelNames, read }: GaugesOptions): void {
  const gauge: Gauge = new Gauge({
    name,
    help,
    labelNames,
    registers,
    collect: async () => {
      const values = await valuesOf(read)
      gauge.reset()
      // Without labels a reset means 0, which would be a lie.
      if (labelNames.length === 0) gauge.remove()
      for (const [labels, value] of values) gauge.set({ ...labels }, value)
    },
  })
}

async function valuesOf(read: GaugesOptions['read']): Promise<Labelled> {
  try {
    return await read()
  } catch {
    return []
  }
}
