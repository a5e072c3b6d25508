import { asOperator } from '../../test/support/operator.ts'

/** A counter or gauge without labels, of a process that was started with `operatorSetting`; 0 where there is none. */
export async function readMetric(url: string, name: string): Promise<number> {
  const text = await (await fetch(`${url}/metrics`, { headers: { ...asOperator, Connection: 'close' } })).text()
  return Number(new RegExp(`^${name} (\\S+)$`, 'm').exec(text)?.[1] ?? 0)
}
