/** What was started, in the order of starting. */
export type Ends = (() => Promise<void>)[]

/** Ends everything, the last first, and empties the list. One part that cannot end keeps none of the others running. */
export async function endAll(ends: Ends): Promise<void> {
  const failures: unknown[] = []
  for (const end of ends.splice(0).toReversed()) await end().catch((error: unknown) => failures.push(error))
  if (failures.length > 0) throw new AggregateError(failures, 'Not everything ended as it should.')
}
