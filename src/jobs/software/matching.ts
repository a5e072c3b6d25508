import { setImmediate as nextTurn } from 'node:timers/promises'
import { endedSupport } from '#advisories/end-of-support.ts'
import { compileInTurns, type Match, matchInTurns, matchVersion, needsTurns } from '#advisories/match.ts'
import { schemeOf } from '#advisories/version-order.ts'
import { advisoryKeysOf, concernedProducts, findCatalogEntry } from '#core/software/software-catalog.ts'
import type { ProductKey } from '#core/software/software-name.ts'
import { dayMs, dayOf } from '#core/language/utc-day.ts'
import { type KnownAffected, readAffected } from '#store/software/advisories.ts'
import type { Transaction } from '#store/database/database.ts'
import { hastenNoted } from '#store/software/finding-alerts.ts'
import { type ComponentMatch, writeMatches } from '#store/software/matches.ts'
import {
  type Component,
  hasUnmatched,
  holdOfProducts,
  holdUnmatched,
  readCycles,
  takeQueued,
} from '#store/software/matching.ts'
import type { JobParts } from '#jobs/runner/job-parts.ts'

/** Taken from the queue at once: a product that has just come waits for the ones under way. */
const productsAtOnce = 20
/** Locked, compared and written at once: a change of a list that names one of them waits that long. */
const componentsAtOnce = 3_000
/** Everything is compared once a day, for what time alone changes, and so that nothing stays wrong. */
const staleMs = dayMs
/** The process does other things as well. */
const turnMs = 10

/**
 * Compares software with what is known of it, where either changed, until nothing waits: the one place where findings
 * come from. Any number of processes do it side by side. Returns how many pairs of a component and a vulnerability are
 * new or changed.
 */
export async function matchSoftware(
  { database, now }: Pick<JobParts, 'database' | 'now'>,
  signal: AbortSignal,
): Promise<number> {
  if (!(await hasUnmatched(database, staleAt(now())))) return 0
  let changed = 0
  let hasWorked = false
  while (!signal.aborted) {
    const done = await database.transaction((tx) => matchSome(tx, now()))
    // Another process has the components that are left.
    if (done === null) break
    hasWorked = true
    changed += done
  }
  if (hasWorked) await hastenNoted(database)
  return changed
}

function staleAt(at: Date): Date {
  return new Date(at.getTime() - staleMs)
}

/** Null where no component waits. */
async function matchSome(tx: Transaction, at: Date): Promise<number | null> {
  const products = await takeQueued(tx, productsAtOnce)
  if (products.length > 0) return matchProducts(tx, products, at)
  const components = await holdUnmatched(tx, { staleBefore: staleAt(at), limit: componentsAtOnce })
  if (components.length === 0) return null
  return compareHeld(tx, components, { at, isLast: components.length < componentsAtOnce })
}

/** All that monitors have of them, in this transaction, which took them from the queue. */
async function matchProducts(tx: Transaction, products: readonly ProductKey[], at: Date): Promise<number> {
  let changed = 0
  let after: Component | null = null
  for (;;) {
    const components = await holdOfProducts(tx, products, { after, limit: componentsAtOnce })
    changed += await compareHeld(tx, components, { at, isLast: products.length < productsAtOnce })
    if (components.length < componentsAtOnce) return changed
    after = components.at(-1) ?? null
  }
}

async function compareHeld(
  tx: Transaction,
  components: readonly Component[],
  { at, isLast }: { at: Date; isLast: boolean },
): Promise<number> {
  return writeMatches(tx, { components, matches: await matchComponents(tx, components, at), at, isLast })
}

/** Under the locks of the components, after which whatever comes of the feeds is put down to be compared again. */
async function matchComponents(tx: Transaction, components: readonly Component[], at: Date): Promise<ComponentMatch[]> {
  const byProduct = Map.groupBy(components, ({ product }) => product)
  const known = await readKnown(tx, [...byProduct.keys()])
  const cycles = await readCycles(tx, [
    ...new Set([...byProduct.keys()].flatMap((product) => endOfLifeName(product) ?? [])),
  ])
  const matches: ComponentMatch[] = []
  const turns = createTurns()
  for (const [product, ofProduct] of byProduct) {
    const compiled = await turns.run(compileInTurns(known.get(product) ?? [], schemeOf(product)))
    const name = endOfLifeName(product)
    const own = name === null ? [] : (cycles.get(name) ?? [])
    for (const { key: componentKey, version } of ofProduct) {
      if (turns.isOver()) await turns.begin()
      const found = needsTurns(compiled)
        ? await turns.run(matchInTurns(compiled, version, at))
        : matchVersion(compiled, version, at)
      for (const match of found) matches.push({ componentKey, ...match })
      const ended = endedSupport(version, own, dayOf(at))
      if (ended !== null) matches.push({ componentKey, ...endOfLifeMatch(`EOL:${name}-${ended.cycle}`, ended) })
    }
  }
  return matches
}

type Turns = {
  isOver: () => boolean
  /** Lets others have the thread first. */
  begin: () => Promise<void>
  /** Runs work to its end, in as many turns as that takes. */
  run: <Done>(work: Generator<void, Done>) => Promise<Done>
}

function createTurns(): Turns {
  let until = performance.now() + turnMs
  const turns: Turns = {
    isOver: () => performance.now() > until,
    begin: async () => {
      await nextTurn()
      until = performance.now() + turnMs
    },
    run: async (work) => {
      for (;;) {
        if (turns.isOver()) await turns.begin()
        const step = work.next()
        if (step.done === true) return step.value
      }
    },
  }
  return turns
}

/** By product. A product may have several names, and the advisories of each of them count. */
async function readKnown(
  tx: Transaction,
  products: readonly ProductKey[],
): Promise<ReadonlyMap<ProductKey, readonly KnownAffected[]>> {
  const keys = new Map(products.map((product) => [product, advisoryKeysOf(product)]))
  const rows = await readAffected(tx, [...new Set([...keys.values()].flat())])
  const byKey = Map.groupBy(rows, ({ product }) => product)
  return new Map(products.map((product) => [product, (keys.get(product) ?? []).flatMap((key) => byKey.get(key) ?? [])]))
}

/** The product's name at endoflife.date; a package has that of the product it is the package of. */
function endOfLifeName(product: ProductKey): string | null {
  return concernedProducts(product).flatMap((key) => findCatalogEntry(key)?.eol ?? [])[0] ?? null
}

/** The feeds make the vulnerability of that name. */
function endOfLifeMatch(vulnerability: string, { fixVersion }: { fixVersion: string | null }): Match {
  return { vulnerability, versionKnown: true, fixedIn: null, fixVersion }
}
