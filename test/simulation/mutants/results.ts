import type { StoryMutant } from './story-mutant.ts'

/** The way of a result: from the check over the bus into the database. */
export const results: readonly StoryMutant[] = [
  {
    name: 'acknowledges-what-failed',
    file: 'src/engine/result-flow.ts',
    text: 'handBack(cause)',
    replacement: 'acknowledge()',
    defect: 'Results are acknowledged although their transaction failed.',
  },
  {
    name: 'acknowledges-what-is-not-ours',
    file: 'src/engine/results/result-queue.ts',
    text: `  function isOurs({ results, reject }: Message): boolean {
    if (results.every(({ monitorId }) => isHeld(partitionOf(monitorId)))) return true
    reject(new Error('Another engine holds their partition: they were not stored.'))`,
    replacement: `  function isOurs({ results, resolve }: Message): boolean {
    if (results.every(({ monitorId }) => isHeld(partitionOf(monitorId)))) return true
    resolve()`,
    defect: 'Results of a partition that another engine holds by now are acknowledged and dropped.',
  },
  {
    name: 'acknowledges-as-it-stops',
    file: 'src/engine/results/result-queue.ts',
    text: `for (const { reject } of queue) reject(new Error('The engine is stopping.'))`,
    replacement: 'for (const { resolve } of queue) resolve()',
    defect: 'An engine that stops acknowledges the results that wait for their batch.',
  },
  {
    name: 'takes-no-second-message',
    file: 'src/engine/results/result-queue.ts',
    text: 'results: messages.flatMap(({ results }) => results),',
    replacement: 'results: messages[0]?.results ?? [],',
    defect: 'Of several messages in a batch the first one is stored, and all are acknowledged.',
  },
  {
    name: 'ignores-the-lease',
    file: 'src/engine/results/commit-batch.ts',
    text: `  return Array.from(partitions, (partition) => {
    const lease = leaseOf(partition)
    if (lease === undefined) throw new LeaseLostError()
    return lease
  })`,
    replacement: '  return [...partitions].flatMap((partition) => leaseOf(partition) ?? [])',
    defect: 'An engine that has lost a partition stores results of it, and folds them.',
  },
  {
    name: 'sends-once',
    file: 'src/prober/outbox.ts',
    text: 'return this.#retryLater(message)',
    replacement: 'return this.#end(message)',
    defect: 'A prober forgets results that the broker did not take at once.',
  },
  {
    name: 'drops-what-is-gathered',
    file: 'src/prober/outbox.ts',
    text: `    this.#gathered = []
    this.#messages.add(message)`,
    replacement: `    this.#gathered.splice(0, 10)
    this.#gathered = []
    this.#messages.add(message)`,
    defect: 'A message is emptied as it leaves, because it shares its list with the next one.',
  },
  {
    name: 'mixes-up-numbers',
    file: 'src/bus/codec.ts',
    text: 'function verdictOf([statusIndex, statusCode, latencyMs, error,',
    replacement: 'function verdictOf([statusIndex, latencyMs, statusCode, error,',
    defect: 'The status code and the response time of a result change places on the bus.',
  },
  {
    name: 'forgets-the-location',
    file: 'src/store/results/store-batch.ts',
    text: 'return `${monitorKey}/${round}/${locationId}`',
    replacement: 'return `${monitorKey}/${round}/${locationId - locationId}`',
    defect: 'Results of two locations count as one that was sent twice.',
  },
  {
    name: 'sets-the-present-aside',
    file: 'src/engine/results/commit-batch.ts',
    text: "return round / 1000 > nowMs + furthestAheadMs ? 'round lies in the future' : null",
    replacement: "return round / 1000 > nowMs - 1_000 ? 'round lies in the future' : null",
    defect: 'Results of a round that began just now are set aside as if they were of the future.',
  },
  {
    name: 'stores-what-follows-apart',
    file: 'src/engine/results/commit-batch.ts',
    text: 'const overtaken = await writeDrafts(tx, made)',
    replacement: 'const overtaken = await store.transaction((other) => writeDrafts(other, made))',
    defect: 'States, incidents and alerts are committed apart from the results from which they follow.',
  },
  {
    name: 'works-side-by-side',
    file: 'src/engine/rounds/serial-queue.ts',
    text: 'const done = tail.then(work)',
    replacement: 'const done = work()',
    defect: 'Pieces of work on the memory of an engine run at the same time.',
  },
]
